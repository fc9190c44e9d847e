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
import org.junit.jupiter.api.Test;

/** Rounded values are within the error, whatever the values are, and stay themselves when they are rounded again. */
class LossyTransformTest {
    private static final long SEED = Long.getLong("mpsr.test.seed", 20140430L);

    /** Of each check; {@code -Dmpsr.test.rows=100000000} is the long form. */
    private static final long VALUES = Long.getLong("mpsr.test.rows", 200_000L);

    private static final int BLOCK = 1 << 12;

    private static final List<String> LIMITS = List.of(
            "abs=0.001",
            "abs=0.01",
            "abs=0.5",
            "abs=1e-290",
            "abs=1e290",
            "abs=0.3333333333333333",
            "abs=0.01,packed",
            "abs=1000,packed",
            "rel=0.001",
            "rel=0.99",
            "bits=1",
            "bits=9",
            "bits=23",
            "bits=52");

    private static TransformedColumn lossy(String parameters, ColumnType type) {
        return TransformRegistry.of(TransformName.parse("lossy:" + parameters), type);
    }

    /** Of any bits; decimals, ties between multiples of the error, halves of powers of two, and numbers of all magnitudes. */
    private static long value(SplittableRandom random, double step, boolean wide) {
        double value = switch (random.nextInt(7)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextInt(2_000_000) / 1000.0 - 1000;
            case 2 -> (2 * random.nextInt(1 << 30) + 1) * step;
            case 3 -> (random.nextLong() >> random.nextInt(64)) * step;
            case 4 -> (random.nextDouble() - 0.5) * Math.scalb(step, random.nextInt(60));
            case 5 -> Math.scalb((random.nextInt(1 << 12) * 2 + 1) / 8192.0, random.nextInt(2200) - 1140);
            default ->
                Double.longBitsToDouble(
                        TestNumbers.ODD[random.nextInt(TestNumbers.ODD.length)] + random.nextInt(3) - 1);
        };
        if (wide) {
            return Double.doubleToRawLongBits(value);
        }
        return random.nextInt(3) == 0
                ? random.nextLong() >>> 32
                : Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
    }

    private static double number(long bits, boolean wide) {
        return wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
    }

    private static void check(long count, String limit, ColumnType type) {
        boolean wide = type == ColumnType.DOUBLE;
        TransformedColumn column = lossy(limit, type);
        ReadLevel level = column.exact();
        SplittableRandom random = new SplittableRandom(SEED);
        long[] values = new long[BLOCK];
        long[] rounded = new long[BLOCK];
        long[] held = new long[BLOCK];
        long[] found = new long[BLOCK];
        long changed = 0;
        for (long done = 0; done < count; done += BLOCK) {
            for (int i = 0; i < BLOCK; i++) {
                values[i] = value(random, level.kind() == ReadLevel.Kind.ABSOLUTE ? level.error() : 0.1, wide);
            }
            System.arraycopy(values, 0, rounded, 0, BLOCK);
            column.round(rounded, BLOCK);
            column.split(0, values, BLOCK, held);
            column.join(level, new long[][] {held}, BLOCK, found);
            assertThat(found).isEqualTo(rounded);
            column.round(found, BLOCK);
            assertThat(found).as("rounded again").isEqualTo(rounded);
            for (int i = 0; i < BLOCK; i++) {
                if (values[i] != rounded[i]) {
                    changed++;
                    checkValue(values[i], rounded[i], wide, level, limit);
                }
            }
        }
        if (!limit.equals("bits=52") && (wide || !limit.equals("bits=23")) && !limit.contains("1e")) {
            assertThat(changed).as(limit).isGreaterThan(count / 10);
        }
    }

    private static void checkValue(long bits, long roundedBits, boolean wide, ReadLevel level, String limit) {
        double value = number(bits, wide);
        double rounded = number(roundedBits, wide);
        boolean isSpecial = Double.isNaN(value) || Double.isInfinite(value) || value == 0;
        if (isSpecial || !Double.isFinite(rounded) || isBeyond(value, rounded, level)) {
            throw new AssertionError("seed " + SEED + ": " + rounded + " for " + value + " at " + limit);
        }
        if (level.kind() == ReadLevel.Kind.RELATIVE) {
            assertThat(Math.signum(rounded)).isEqualTo(Math.signum(value));
        }
    }

    /** Without rounding, where the rounded difference does not tell. */
    private static boolean isBeyond(double value, double rounded, ReadLevel level) {
        double most = level.kind() == ReadLevel.Kind.ABSOLUTE ? level.error() : level.error() * Math.abs(value);
        if (Math.abs(rounded - value) < most * 0.999999999) {
            return false;
        }
        BigDecimal error = new BigDecimal(level.error());
        BigDecimal limit =
                level.kind() == ReadLevel.Kind.ABSOLUTE ? error : error.multiply(new BigDecimal(value).abs());
        return new BigDecimal(rounded).subtract(new BigDecimal(value)).abs().compareTo(limit) > 0;
    }

    @Test
    void doublesAreWithinTheError() {
        LIMITS.forEach(limit -> check(VALUES, limit, ColumnType.DOUBLE));
    }

    @Test
    void floatsAreWithinTheError() {
        LIMITS.stream()
                .filter(limit -> !limit.contains("packed"))
                .forEach(limit -> check(VALUES, limit, ColumnType.FLOAT));
    }

    @Test
    void someNumbersStayThemselves() {
        for (String limit : LIMITS) {
            long[] values = {
                0L,
                Long.MIN_VALUE,
                0x7ff0_0000_0000_0000L,
                0xfff0_0000_0000_0000L,
                0x7ff8_0000_dead_beefL,
                0x7ff0_0000_0000_0001L,
                -1L
            };
            long[] rounded = values.clone();
            lossy(limit, ColumnType.DOUBLE).round(rounded, values.length);
            assertThat(rounded).as(limit).isEqualTo(values);
        }
        long[] greatest = {Double.doubleToRawLongBits(Double.MAX_VALUE), 1L, Double.doubleToRawLongBits(1.5)};
        lossy("bits=1", ColumnType.DOUBLE).round(greatest, 3);
        assertThat(greatest)
                .as("neither infinite nor zero, and half of the way to the even neighbour")
                .containsExactly(Double.doubleToRawLongBits(Double.MAX_VALUE), 1L, Double.doubleToRawLongBits(2.0));
    }

    @Test
    void onlyThisTransformLosesValues() {
        for (String limit : LIMITS) {
            TransformedColumn column = lossy(limit, ColumnType.DOUBLE);
            assertThat(column.isLossy()).isTrue();
            assertThat(column.isPlain()).isEqualTo(!limit.contains("packed"));
            assertThat(column.exact().kind()).isNotEqualTo(ReadLevel.Kind.EXACT);
        }
        assertThat(lossy("abs=0.01,packed", ColumnType.DOUBLE).columns().get(0).name("value"))
                .isEqualTo("value$packed-0.01");
        assertThat(TransformRegistry.isLossy(TransformName.parse("lossy:abs=1;v=9")))
                .isTrue();
        assertThat(TransformRegistry.isLossy(TransformName.parse("approximate:abs=1")))
                .isFalse();
        assertThat(TransformRegistry.keepsColumn(TransformName.parse("lossy:abs=1;v=1")))
                .as("readers who do not know it would take the values for exact ones")
                .isFalse();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String limit : List.of(
                "",
                "0.01",
                "abs=0",
                "abs=1e-300",
                "abs=NaN",
                "rel=1",
                "rel=1e-17",
                "bits=0",
                "exact",
                "abs=1,rel=0.1")) {
            assertThatThrownBy(() -> lossy(limit, ColumnType.DOUBLE))
                    .as(limit)
                    .hasMessageContaining("'" + limit + "' is no greatest error: write abs= and a number from");
        }
        assertThatThrownBy(() -> lossy("rel=0.1,packed", ColumnType.DOUBLE)).hasMessageContaining("cannot be packed");
        assertThatThrownBy(() -> lossy("abs=0.1,packed", ColumnType.FLOAT)).hasMessageContaining("cannot be packed");
        assertThatThrownBy(() -> lossy("abs=1", ColumnType.LONG))
                .hasMessageContaining("for columns of type double or float, not bigint");
    }
}
