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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Planes of bits give every number back, and their leading one has the order of the numbers. */
class PlanesTransformTest {
    private final long seed = Long.getLong("mpsr.seed", new Random().nextLong());

    private static TransformedColumn planes(ColumnType type, String parameters) {
        return TransformRegistry.of(new TransformName("planes", 1, parameters), type);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "double 16,16,32",
                "double 32,32",
                "double 12,20,32",
                "double 1,31,32",
                "double 8,8,8,8,8,8,8,8",
                "float 16,16",
                "float 32",
                "float 9,23"
            })
    void allBitsComeBack(String type, String parameters) {
        checkExact(ColumnTypes.of(type), parameters, 100_000);
    }

    @Test
    @Tag("long")
    void allBitsOfManyNumbersComeBack() {
        for (int round = 0; round < 10; round++) {
            checkExact(ColumnType.DOUBLE, "16,16,32", 1_000_000);
            checkExact(ColumnType.FLOAT, "16,16", 1_000_000);
        }
    }

    private void checkExact(ColumnType type, String parameters, int count) {
        long[] values = TestNumbers.bits(new Random(seed), count, type == ColumnType.DOUBLE);
        TransformedColumn transform = planes(type, parameters);
        long[][] parts = TestNumbers.split(transform, values);
        for (long[] part : parts) {
            assertThat(LongStream.of(part).allMatch(value -> value == (int) value))
                    .isTrue();
        }
        long[] joined = new long[count];
        transform.join(transform.exact(), parts, count, joined);
        assertThat(Arrays.mismatch(joined, values)).as("seed %d", seed).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"double 16,16,32", "double 32,32", "double 8,24,32", "float 16,16", "float 32"})
    void rangesHaveAllValuesBetween(String type, String parameters) {
        boolean wide = type.equals("double");
        TransformedColumn transform = planes(ColumnTypes.of(type), parameters);
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            long[] values = TestNumbers.bits(random, 20, wide);
            long[] top = new long[values.length];
            transform.split(0, values, values.length, top);
            Double low = random.nextInt(5) == 0 ? null : Double.valueOf(number(values[0], wide));
            Double other = random.nextInt(3) == 0 ? low : Double.valueOf(number(values[1], wide));
            Double high = random.nextInt(5) == 0 ? null : other;
            List<PhysicalRange> ranges = transform.ranges(low, high);
            for (int i = 0; i < values.length; i++) {
                double value = number(values[i], wide);
                boolean isBetween = (low == null || Values.compare(low, value) <= 0)
                        && (high == null || Values.compare(value, high) <= 0);
                long plane = top[i];
                boolean isFound =
                        ranges.stream().anyMatch(r -> r.column() == 0 && r.least() <= plane && plane <= r.greatest());
                assertThat(isFound || !isBetween)
                        .as("seed %d: %s (%x) between %s and %s in %s", seed, value, values[i], low, high, ranges)
                        .isTrue();
            }
        }
        assertThat(transform.ranges(100.0, 101.0))
                .allSatisfy(
                        range -> assertThat(range.greatest() - range.least()).isLessThan(1L << 20));
    }

    private static double number(long bits, boolean wide) {
        return wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
    }

    @Test
    void fewerPlanesAreAsNearAsTheyState() {
        TransformedColumn transform = planes(ColumnType.DOUBLE, "16,16,32");
        assertThat(transform.levels().stream().map(ReadLevel::error)).containsExactly(0x1p-5, 0x1p-21, 0.0);
        long[] values = TestNumbers.bits(new Random(seed), 100_000, true);
        long[][] parts = TestNumbers.split(transform, values);
        long[] joined = new long[values.length];
        for (ReadLevel level : transform.levels()) {
            long[][] some = new long[parts.length][];
            level.columns().forEach(place -> some[place] = parts[place]);
            transform.join(level, some, values.length, joined);
            for (int i = 0; i < values.length; i++) {
                double value = Double.longBitsToDouble(values[i]);
                double near = Double.longBitsToDouble(joined[i]);
                if (Double.isInfinite(value) || value == 0) {
                    assertThat(near).isEqualTo(value);
                } else if (!Double.isNaN(value)) {
                    double most = level.error() * Math.max(Math.abs(value), 2 * Double.MIN_NORMAL);
                    assertThat(Math.abs(near - value))
                            .as("seed %d: %s for %s", seed, near, value)
                            .isLessThanOrEqualTo(most);
                }
            }
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> planes(ColumnType.DOUBLE, "16,16"))
                .hasMessage(
                        "'16,16' are no planes of numbers of 64 bits: write the bits of each plane, from 1 to 32, which are 64"
                                + " together, such as planes:16,16,32");
        for (String wrong : new String[] {"", "64", "0,32,32", "-1,33,32", "x", "16;16;32", "99999999999,1"}) {
            assertThatThrownBy(() -> planes(ColumnType.DOUBLE, wrong)).hasMessageContaining("are no planes");
        }
        assertThatThrownBy(() -> planes(ColumnType.LONG, "32,32"))
                .hasMessage("the transform 'planes' is for columns of type float and double, not bigint; leave it out");
        assertThatThrownBy(() -> planes(ColumnType.STRING, "16,16,32"))
                .hasMessage("columns of type string are held as they are; use a column of numbers or times");
        List<String> known = new ArrayList<>(TransformRegistry.known());
        assertThat(known).contains("identity:1", "planes:1");
    }

    /** Types by their names. */
    private static final class ColumnTypes {
        static ColumnType of(String name) {
            return name.equals("double") ? ColumnType.DOUBLE : ColumnType.FLOAT;
        }
    }
}
