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
package org.hadoopmpsr.benchmarks.generator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeWindowsTest {

    @Test
    void joinsBinsUpToTheLimit() {
        assertThat(TimeWindows.divide(new long[] {2, 2, 1, 5, 0, 3}, 100, 10, 5))
                .containsExactly(new TimeWindow(100, 129), new TimeWindow(130, 149), new TimeWindow(150, 159));
    }

    @Test
    void keepsABinWholeThatIsLargerThanTheLimit() {
        assertThat(TimeWindows.divide(new long[] {1, 9, 1}, 0, 1, 5))
                .containsExactly(new TimeWindow(0, 0), new TimeWindow(1, 1), new TimeWindow(2, 2));
    }

    @Test
    void hasNoWindowWithoutReadings() {
        assertThat(TimeWindows.divide(new long[] {0, 0}, 0, 1, 5)).isEmpty();
    }
}
