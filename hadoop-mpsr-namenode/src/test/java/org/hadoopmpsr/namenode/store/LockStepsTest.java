/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.hadoopmpsr.namenode.store.LockSteps.Range;
import org.junit.jupiter.api.Test;

class LockStepsTest {

    @Test
    void everyItemIsInOneStepAndNoStepIsLonger() {
        List<Integer> items = IntStream.range(0, 25).boxed().toList();

        assertThat(LockSteps.parts(items, 10))
                .containsExactly(items.subList(0, 10), items.subList(10, 20), items.subList(20, 25));
        assertThat(LockSteps.parts(items, 25)).containsExactly(items);
        assertThat(LockSteps.parts(List.of(), 10)).isEmpty();
        assertThat(LockSteps.ranges(LockSteps.SIZE + 1))
                .containsExactly(new Range(0, LockSteps.SIZE), new Range(LockSteps.SIZE, LockSteps.SIZE + 1));
    }
}
