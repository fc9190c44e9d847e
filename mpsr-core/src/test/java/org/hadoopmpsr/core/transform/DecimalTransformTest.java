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

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scaled numbers give every number back, and are small where the numbers are decimals. */
class DecimalTransformTest {
    private final long seed = Long.getLong("mpsr.seed", new Random().nextLong());

    private static TransformedColumn decimals(String digits) {
        return TransformRegistry.of(new TransformName("decimal", 1, digits), ColumnType.DOUBLE);
    }

    /** Also decimals, divided and multiplied, with many digits and few. */
    private static long[] bits(Random random, int count) {
        long[] bits = TestNumbers.bits(random, count, true);
        for (int i = 0; i < count; i++) {
            long n = random.nextLong() >> random.nextInt(64);
            switch (random.nextInt(4)) {
                case 0 -> bits[i] = Double.doubleToRawLongBits(n / Math.pow(10, random.nextInt(6)));
                case 1 -> bits[i] = Double.doubleToRawLongBits(n * 0.01);
                case 2 -> bits[i] = Double.doubleToRawLongBits(n % 1000 / 100.0);
                default -> {}
            }
        }
        return bits;
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "2", "3", "15"})
    void allBitsComeBack(String digits) {
        checkExact(digits, 100_000);
    }

    @Test
    @Tag("long")
    void allBitsOfManyNumbersComeBack() {
        for (int round = 0; round < 10; round++) {
            checkExact("2", 1_000_000);
        }
    }

    private void checkExact(String digits, int count) {
        long[] values = bits(new Random(seed), count);
        TransformedColumn transform = decimals(digits);
        long[][] parts = TestNumbers.split(transform, values);
        assertThat(LongStream.of(parts[1]).allMatch(value -> value == (int) value))
                .isTrue();
        long[] joined = new long[count];
        transform.join(transform.exact(), parts, count, joined);
        assertThat(Arrays.mismatch(joined, values)).as("seed %d", seed).isEqualTo(-1);
    }

    @Test
    void decimalsAreWholeNumbers() {
        double[] numbers = {0, 1.25, -3.07, 99999.99, 35 * 0.01, -0.0};
        long[] values =
                Arrays.stream(numbers).mapToLong(Double::doubleToRawLongBits).toArray();
        long[][] parts = TestNumbers.split(decimals("2"), values);
        assertThat(parts[0]).containsExactly(0, 125, -307, 9999999, 35, 0);
        assertThat(parts[1]).containsExactly(0, 0, 0, 0, 1, -1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "2", "9"})
    void rangesHaveAllValuesBetween(String digits) {
        TransformedColumn transform = decimals(digits);
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            long[] values = bits(random, 20);
            long[][] parts = TestNumbers.split(transform, values);
            Double low = random.nextInt(5) == 0 ? null : Double.valueOf(Double.longBitsToDouble(values[0]));
            Double high = random.nextInt(5) == 0 ? null : Double.valueOf(Double.longBitsToDouble(values[1]));
            List<PhysicalRange> ranges = transform.ranges(low, high);
            for (int i = 0; i < values.length; i++) {
                Double value = Double.longBitsToDouble(values[i]);
                if ((low == null || Values.compare(value, low) >= 0)
                        && (high == null || Values.compare(value, high) <= 0)) {
                    long part = parts[0][i];
                    assertThat(ranges)
                            .as("seed %d, %s from %s to %s", seed, value, low, high)
                            .anyMatch(range -> range.least() <= part && part <= range.greatest());
                }
            }
        }
    }

    /** Other decimals are not in the range: bounds of the whole numbers leave them out. */
    @Test
    void rangesLeaveOutDecimals() {
        TransformedColumn transform = decimals("2");
        for (double value : new double[] {-50, 0, 899.99}) {
            long n = Math.round(value * 100);
            assertThat(transform.ranges(900.0, null)).noneMatch(range -> range.least() <= n && n <= range.greatest());
            assertThat(transform.ranges(900.0, 950.0)).noneMatch(range -> range.least() <= n && n <= range.greatest());
        }
        assertThat(transform.ranges(null, -60.0)).noneMatch(range -> range.least() <= 0 && 0 <= range.greatest());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> decimals("16"))
                .hasMessage("'16' is no number of digits behind the point: write one from 0 to 15, such as decimal:2");
        assertThatThrownBy(() -> decimals("")).hasMessageStartingWith("'' is no number of digits");
        assertThatThrownBy(() -> TransformRegistry.of(new TransformName("decimal", 1, "2"), ColumnType.FLOAT))
                .hasMessage("the transform 'decimal' is for columns of type double, not float; leave it out");
    }
}
