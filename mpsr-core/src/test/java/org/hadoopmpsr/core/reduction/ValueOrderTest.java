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
package org.hadoopmpsr.core.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class ValueOrderTest {
    @Test
    void numbersKeepTheirOrder() {
        double[] inOrder = {
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -1,
            -Double.MIN_VALUE,
            0,
            Double.MIN_VALUE,
            1,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY
        };
        for (int i = 0; i < inOrder.length; i++) {
            assertThat(ValueOrder.toDouble(ValueOrder.of(inOrder[i]))).isEqualTo(inOrder[i]);
            if (i > 0) {
                assertThat(ValueOrder.of(inOrder[i - 1])).isLessThan(ValueOrder.of(inOrder[i]));
            }
        }
        Seeds.forAll(500, random -> {
            double a = Double.longBitsToDouble(random.nextLong());
            double b = Double.longBitsToDouble(random.nextLong());
            if (!Double.isNaN(a) && !Double.isNaN(b)) {
                assertThat(Long.signum(Long.compare(ValueOrder.of(a), ValueOrder.of(b))))
                        .isEqualTo(Double.compare(a, b));
                assertThat(ValueOrder.toDouble(ValueOrder.of(a))).isEqualTo(a);
            }
        });
    }

    @Test
    void zerosAreOneValueAndNaNIsNone() {
        assertThat(ValueOrder.of(-0.0)).isEqualTo(ValueOrder.of(0.0)).isZero();
        assertThatThrownBy(() -> ValueOrder.of(Double.NaN)).hasMessageContaining("NaN has no place");
    }
}
