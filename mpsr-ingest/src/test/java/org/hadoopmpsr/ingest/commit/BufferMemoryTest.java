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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.ingest.commit.BufferMemory.Share;
import org.junit.jupiter.api.Test;

class BufferMemoryTest {
    private final BufferMemory memory = new BufferMemory();

    @Test
    void askForNothingWhileThereIsEnough() {
        Share one = memory.join();
        Share other = memory.join();
        one.set(60);
        other.set(40);
        assertThat(one.mustGive(100)).isFalse();
        assertThat(other.mustGive(100)).isFalse();
        other.set(41);
        assertThat(one.mustGive(100)).isTrue();
        assertThat(other.mustGive(100)).isFalse();
        one.close();
        assertThat(other.mustGive(100)).isFalse();
    }

    /** As each task looks at the memory after it has buffered something. */
    @Test
    void keepAllTogetherWithinTheLimitAndOneBatchEach() {
        long seed = 7;
        Random random = new Random(seed);
        List<Share> shares = new ArrayList<>();
        long[] bytes = new long[8];
        for (int i = 0; i < bytes.length; i++) {
            shares.add(memory.join());
        }
        int gave = 0;
        for (int step = 0; step < 10_000; step++) {
            int task = Math.min(random.nextInt(bytes.length), random.nextInt(bytes.length)); // some are busier
            bytes[task] += random.nextInt(100);
            shares.get(task).set(bytes[task]);
            for (int i = 0; i < bytes.length; i++) { // all get their turn
                if (shares.get(i).mustGive(1000)) {
                    bytes[i] = 0;
                    shares.get(i).set(0);
                    gave++;
                }
            }
            long total = java.util.Arrays.stream(bytes).sum();
            assertThat(total).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(1000);
        }
        assertThat(gave).isPositive();
    }
}
