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

import java.util.Random;

/** Values as measurements have them, and as they seldom have them. */
final class TestValues {
    private TestValues() {}

    /** Many are equal, some are no number, or infinite, or zeros. */
    static double any(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> Double.NaN;
            case 1 -> -0.0;
            case 2 -> 0.0;
            case 3 ->
                random.nextInt(20) > 0 ? 1 : random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            case 4 -> random.nextGaussian() * 1e-300;
            default -> random.nextInt(40) / 4.0 - 5;
        };
    }
}
