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
package org.hadoopmpsr.core.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import org.hadoopmpsr.core.schema.ColumnType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole numbers beside a column give its values within the error, whatever these are. */
class ApproximateTransformTest {
    private static final long SEED = Long.getLong("mpsr.test.seed", 20140429L);
    private static final int BLOCK = 1 << 12;

    private static TransformedColumn approximate(String parameters) {
        return TransformRegistry.of(TransformName.parse("approximate:" + parameters), ColumnType.DOUBLE);
    }

    /** Of any bits; decimals, ties between multiples of the error, and numbers of all magnitudes near multiples. */
    private static long value(SplittableRandom random, double error) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> Double.doubleToRawLongBits(random.nextInt(2_000_000) / 1000.0 - 1000);
            case 2 -> Double.doubleToRawLongBits((2 * random.nextInt(1 << 30) + 1) * error);
            case 3 -> Double.doubleToRawLongBits((random.nextLong() >> random.nextInt(64)) * 2 * error);
            case 4 -> Double.doubleToRawLongBits((random.nextDouble() - 0.5) * Math.scalb(error, random.nextInt(60)));
            default -> TestNumbers.ODD[random.nextInt(TestNumbers.ODD.length)];
        };
    }

    private static void check(long count, double error) {
        TransformedColumn column = approximate("abs=" + error);
        ReadLevel level = column.levels().get(0);
        assertThat(level.kind()).isEqualTo(ReadLevel.Kind.ABSOLUTE);
        assertThat(level.error()).isEqualTo(error);
        SplittableRandom random = new SplittableRandom(SEED);
        long[] values = new long[BLOCK];
        long[] codes = new long[BLOCK];
        long[] found = new long[BLOCK];
        long coarse = 0;
        for (long done = 0; done < count; done += BLOCK) {
            for (int i = 0; i < BLOCK; i++) {
                values[i] = value(random, error);
            }
            column.split(1, values, BLOCK, codes);
            column.join(level, new long[][] {null, codes}, BLOCK, found);
            for (int i = 0; i < BLOCK; i++) {
                double value = Double.longBitsToDouble(values[i]);
                double near = Double.longBitsToDouble(found[i]);
                if (Double.isNaN(value) || Double.isInfinite(value) || value == 0) {
                    if (values[i] != found[i]) {
                        throw new AssertionError("seed " + SEED + ": " + near + " for " + value + " at " + error);
                    }
                } else if (!(Math.abs(near - value) <= error) || isBeyond(near, value, error)) {
                    throw new AssertionError("seed " + SEED + ": " + near + " for " + value + " at " + error);
                }
                coarse += values[i] == found[i] ? 0 : 1;
            }
        }
        assertThat(coarse).isGreaterThan(count / 10);
    }

    /** Without rounding, where the rounded difference does not tell. */
    private static boolean isBeyond(double near, double value, double error) {
        return Math.abs(near - value) > error * 0.999999999
                && new BigDecimal(near).subtract(new BigDecimal(value)).abs().compareTo(new BigDecimal(error)) > 0;
    }

    @Test
    void valuesAreWithinTheError() {
        for (double error : new double[] {0.01, 0.5, 1e-290, 1e290, 1e-9, 1.0 / 3, 1000}) {
            check(200_000, error);
        }
    }

    @Test
    @Tag("long")
    void tenToTheEighthValuesAreWithinTheError() {
        check(50_000_000, 0.01);
        check(50_000_000, 1e-3);
    }

    @Test
    void theColumnItselfIsHeld() {
        TransformedColumn column = approximate("abs=0.01");
        assertThat(column.isPlain()).isTrue();
        assertThat(column.columns())
                .extracting(part -> part.name("value"))
                .containsExactly("value", "value$approx-0.01");
        assertThat(column.level(Accuracy.EXACT, 1)).isEqualTo(ReadLevel.exact(List.of(0)));
        assertThat(column.level(Accuracy.parse("abs=0.02"), Double.POSITIVE_INFINITY))
                .isEqualTo(column.levels().get(0));
        assertThat(column.level(Accuracy.parse("rel=0.5"), 1)).isEqualTo(column.exact());
        assertThat(TransformRegistry.keepsColumn(TransformName.parse("approximate:abs=1;v=1")))
                .isTrue();
        assertThat(TransformRegistry.keepsColumn(TransformName.parse("approximate:abs=1;v=2")))
                .isFalse();
        assertThat(TransformRegistry.keepsColumn(TransformName.parse("planes:32,32")))
                .isFalse();
        assertThat(TransformRegistry.keepsColumn(TransformName.parse("foreign:1")))
                .isFalse();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String parameters : List.of("", "0.01", "abs=", "abs=0", "abs=-1", "abs=1e-300", "abs=NaN", "rel=0.1")) {
            assertThatThrownBy(() -> approximate(parameters))
                    .hasMessageContaining("'" + parameters + "' is no greatest error: write abs= and a number");
        }
        assertThatThrownBy(() -> TransformRegistry.of(TransformName.parse("approximate:abs=1"), ColumnType.FLOAT))
                .hasMessageContaining("for columns of type double, not float");
    }
}
