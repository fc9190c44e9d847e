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
package org.hadoopmpsr.core.cost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlowReadsTest {
    @Test
    void theShareOnSlowNodesTakesLonger() {
        SlowReads four = new SlowReads(4);
        assertThat(four.costMs(100, 0, 80)).isEqualTo(100);
        assertThat(four.costMs(100, 80, 80)).isEqualTo(400);
        assertThat(four.costMs(100, 20, 80)).isEqualTo(175);
        assertThat(four.costMs(7, 0, 0)).isEqualTo(7);
        assertThat(four.isNone()).isFalse();
    }

    @Test
    void withFactorOneTheyCountAsOthers() {
        SlowReads one = new SlowReads(1);
        assertThat(one.isNone()).isTrue();
        assertThat(one.costMs(100, 80, 80)).isEqualTo(100);
    }
}
