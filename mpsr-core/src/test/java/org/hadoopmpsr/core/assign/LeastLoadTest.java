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
package org.hadoopmpsr.core.assign;

import static org.assertj.core.api.Assertions.assertThat;

import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class LeastLoadTest {
    @Test
    void theLeastIsTheFirstOfTheLeast() {
        Seeds.forAll(100, random -> {
            double[] expected = new double[1 + random.nextInt(20)];
            LeastLoad loads = new LeastLoad(expected.length);
            for (int step = 0; step < 100; step++) {
                int least = 0;
                for (int i = 1; i < expected.length; i++) {
                    least = expected[i] < expected[least] ? i : least;
                }
                assertThat(loads.least()).isEqualTo(least);
                int node = random.nextInt(expected.length);
                double more = random.nextInt(3);
                expected[node] += more;
                loads.add(node, more);
                assertThat(loads.of(node)).isEqualTo(expected[node]);
            }
        });
    }
}
