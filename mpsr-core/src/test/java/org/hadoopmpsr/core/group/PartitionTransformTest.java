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
package org.hadoopmpsr.core.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTransformTest {

    private static Object apply(String predicate, ColumnType type, Object value) {
        return Predicate.parse(predicate).transform().apply(type, value);
    }

    /** The values of the Iceberg specification, Appendix B. */
    @Test
    void hashesAsTheIcebergSpecificationSays() {
        assertThat(Murmur3.hashLong(34L)).isEqualTo(2017239379);
        assertThat(Murmur3.hashLong(LocalDate.parse("2017-11-16").toEpochDay())).isEqualTo(-653330422);
        byte[] iceberg = "iceberg".getBytes(StandardCharsets.UTF_8);
        assertThat(Murmur3.hash32(iceberg, 0, iceberg.length)).isEqualTo(1210000089);
        byte[] bytes = {0, 1, 2, 3};
        assertThat(Murmur3.hash32(bytes, 0, 4)).isEqualTo(-188683207);
        long micros = Instant.parse("2017-11-16T22:31:08Z").getEpochSecond() * 1_000_000;
        assertThat(Murmur3.hashLong(micros)).isEqualTo(-2047944441);
    }

    @Test
    void bucketsNanosecondsAsTheirMicroseconds() {
        long micros = Instant.parse("2017-11-16T22:31:08Z").getEpochSecond() * 1_000_000;
        PartitionTransform.Bucket bucket = new PartitionTransform.Bucket(1000);
        assertThat(bucket.bucket(ColumnType.TIMESTAMP_NS, micros * 1000 + 999))
                .isEqualTo(bucket.bucket(ColumnType.TIMESTAMP, micros));
    }

    @Test
    void cutsTimeInUtcAlsoBeforeTheEpoch() {
        long ns = Instant.parse("1969-12-31T23:59:59.999999999Z").getEpochSecond() * 1_000_000_000 + 999_999_999;
        assertThat(apply("day(t)", ColumnType.TIMESTAMP_NS, ns)).isEqualTo(-1L);
        assertThat(apply("year(t)", ColumnType.TIMESTAMP_NS, ns)).isEqualTo(1969L);
        assertThat(apply("month(t)", ColumnType.TIMESTAMP, Math.floorDiv(ns, 1000L)))
                .isEqualTo("1969-12");
        assertThat(apply("hour(t)", ColumnType.TIMESTAMP, Math.floorDiv(ns, 1000L)))
                .isEqualTo("1969-12-31-23");
        assertThat(apply("month(t)", ColumnType.DATE, 59L)).isEqualTo("1970-03");
    }

    @Test
    void truncates() {
        assertThat(apply("truncate(10, x)", ColumnType.LONG, -1L)).isEqualTo(-10L);
        assertThat(apply("truncate(10, x)", ColumnType.LONG, 19L)).isEqualTo(10L);
        assertThat(apply("truncate(2, x)", ColumnType.STRING, "\uD83D\uDE00\uD83D\uDE01c"))
                .isEqualTo("\uD83D\uDE00\uD83D\uDE01");
        assertThat(apply("truncate(3, x)", ColumnType.STRING, "ab")).isEqualTo("ab");
    }

    @Test
    void countsTheBoundsThatAreNotAboveTheValue() {
        assertThat(apply("range(x, 10, 20)", ColumnType.LONG, 9L)).isEqualTo(0L);
        assertThat(apply("range(x, 10, 20)", ColumnType.LONG, 10L)).isEqualTo(1L);
        assertThat(apply("range(x, 10, 20)", ColumnType.LONG, 99L)).isEqualTo(2L);
        assertThat(apply("range(x, 1.5)", ColumnType.DOUBLE, 1.6)).isEqualTo(1L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "signal",
                "day(ts)",
                "year(ts)",
                "month(ts)",
                "hour(ts)",
                "bucket(64, signal)",
                "truncate(3, signal)",
                "range(x, 1, 2)",
                "bits(16, x)",
                "range(s, b, c)"
            })
    void readsBackWhatItWrites(String text) {
        assertThat(Predicate.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "week(ts) | unknown predicate 'week(ts)'",
                "bucket(x, s) | needs a whole number first, not 'x'",
                "bucket(0, s) | bucket needs a count of at least 1",
                "bucket(4) | takes a number and a column",
                "day(a, b) | takes one column",
                "day(a | lacks its closing parenthesis",
                "range(x, 2, 1) | ascending bounds",
                "range(x) | range needs at least one bound, such as range(value, 0, 100)",
                "range(x, 1, b) | range needs numbers or texts as bounds, not both: [1, b]",
                "range(x, 99999999999999999999) | the bound 99999999999999999999 of a range has more than 64 bits",
                "9x | is not plain as the name of a column: letters, digits",
                "bucket(4, a b) | in backticks, and a backtick within twice, such as `a b`"
            })
    void saysWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> Predicate.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /** The order is that of values, and the result does not depend on the type. */
    @Test
    void theLeadingBitsOfNumbersAreInTheirOrder() {
        Random random = new Random(34);
        List<Double> values = new ArrayList<>(List.of(
                Double.NEGATIVE_INFINITY,
                -Double.MAX_VALUE,
                -1.0,
                -Double.MIN_VALUE,
                -0.0,
                0.0,
                Double.MIN_VALUE,
                1.0,
                1.5));
        values.addAll(List.of(2.0, 1e300, Double.POSITIVE_INFINITY, Double.NaN));
        for (int i = 0; i < 2000; i++) {
            values.add(random.nextGaussian() * Math.pow(10, random.nextInt(600) - 300));
        }
        values.sort(Values::compare);
        for (int bits : new int[] {2, 12, 16, 32}) {
            PartitionTransform transform =
                    Predicate.parse("bits(" + bits + ", x)").transform();
            long before = Long.MIN_VALUE;
            for (double value : values) {
                long found = (Long) transform.apply(ColumnType.DOUBLE, value);
                assertThat(found).as("%s bits of %s", bits, value).isGreaterThanOrEqualTo(before);
                assertThat(transform.mayGive(found)).isTrue();
                before = found;
            }
            assertThat(transform.mayGive(1L << bits - 1)).isFalse();
            assertThat(transform.mayGive(-(1L << bits - 1) - 1)).isFalse();
        }
        assertThat(apply("bits(12, x)", ColumnType.DOUBLE, 1.9)).isEqualTo(apply("bits(12, x)", ColumnType.LONG, 1L));
        assertThat(apply("bits(12, x)", ColumnType.DOUBLE, 2.0)).isNotEqualTo(apply("bits(12, x)", ColumnType.INT, 1L));
        assertThat(apply("bits(16, x)", ColumnType.DOUBLE, -0.0)).isEqualTo(0L);
        assertThat(apply("bits(16, x)", ColumnType.FLOAT, (double) 0.1f))
                .isEqualTo(apply("bits(16, x)", ColumnType.DOUBLE, (double) 0.1f));
        double nan = Double.longBitsToDouble(0xfff8_0000_0000_0001L);
        assertThat(apply("bits(16, x)", ColumnType.DOUBLE, nan))
                .isEqualTo(apply("bits(16, x)", ColumnType.DOUBLE, Double.NaN));
        Schema schema = Schema.parse("d double, s string");
        assertThat(Predicate.parse("bits(16, d)").field(schema))
                .isEqualTo(Schema.parse("d_bits int").columns().get(0));
        assertThatThrownBy(() -> Predicate.parse("bits(16, s)").source(schema))
                .hasMessage("predicate bits(16, s) does not fit column 's' of type string; use a column of numbers");
        assertThatThrownBy(() -> Predicate.parse("bits(33, d)"))
                .hasMessageContaining("bits needs a count from 2 to 32, not 33");
    }

    @Test
    void rangesOfDoublesMayHaveWholeBounds() {
        assertThat(apply("range(x, 0, 100)", ColumnType.DOUBLE, -0.5)).isEqualTo(0L);
        assertThat(apply("range(x, 0, 100)", ColumnType.DOUBLE, 0.0)).isEqualTo(1L);
        assertThat(apply("range(x, 0, 100)", ColumnType.FLOAT, 1e9)).isEqualTo(2L);
        assertThat(apply("range(x, -1.5, 0, 1e2)", ColumnType.DOUBLE, -1.5)).isEqualTo(1L);
        assertThat(apply("range(x, -1.5, 0, 1e2)", ColumnType.DOUBLE, 100.0)).isEqualTo(3L);
        Predicate mixed = Predicate.parse("range(x, -1.5, 0, 100)");
        assertThat(Predicate.parse(mixed.text())).isEqualTo(mixed);
        Schema schema = Schema.parse("s string, d double, n bigint, ts timestamp");
        assertThat(Predicate.parse("range(d, 0, 100)").source(schema).name()).isEqualTo("d");
        assertThatThrownBy(() -> Predicate.parse("range(s, 0, 100)").source(schema))
                .hasMessage(
                        "predicate range(s, 0, 100) does not fit column 's' of type string; the bounds must be texts,"
                                + " such as range(name, g, n)");
        assertThatThrownBy(() -> Predicate.parse("range(n, 0.5)").source(schema))
                .hasMessageEndingWith("does not fit column 'n' of type bigint; the bounds must be whole numbers");
        assertThatThrownBy(() -> Predicate.parse("range(ts, 2020-01-01)").source(schema))
                .hasMessageEndingWith("the bounds must be whole numbers, the microseconds since 1970-01-01");
    }

    @Test
    void refusesColumnsThatDoNotFit() {
        Schema schema = Schema.parse("s string, d double");
        assertThatThrownBy(() -> Predicate.parse("day(s)").source(schema))
                .hasMessage("predicate day(s) does not fit column 's' of type string");
        assertThatThrownBy(() -> Predicate.parse("bucket(2, d)").source(schema))
                .hasMessageContaining("does not fit column 'd' of type double");
        assertThatThrownBy(() -> Predicate.parse("x").source(schema)).hasMessageContaining("that the schema lacks");
    }

    @Test
    void refusesArraysStructsAndMaps() {
        Schema schema = Schema.parse("s string, pos struct<x:double,y:int>, tags map<string,int>");
        assertThatThrownBy(() -> Predicate.parse("pos").source(schema))
                .hasMessage("predicate pos does not fit column 'pos' of type struct<x:double,y:int>;"
                        + " use a column without values within");
        assertThatThrownBy(() -> Predicate.parse("bucket(2, tags)").source(schema))
                .hasMessageContaining("does not fit column 'tags' of type map<string,int>");
        assertThat(Predicate.parse("bucket(2, pos.y)").source(schema).type()).isEqualTo(ColumnType.INT);
        assertThatThrownBy(() -> sortedBy("pos\u001fz").sortColumns(schema))
                .hasMessage(
                        "replica group 'g' is sorted by 'pos.z', but 'pos' of type struct<x:double,y:int> has no field 'z';"
                                + " name one of its fields");
        assertThatThrownBy(() -> sortedBy("pos").sortColumns(schema))
                .hasMessage("replica group 'g' is sorted by column 'pos' of type struct<x:double,y:int>;"
                        + " sort by columns without values within");
    }

    private static ReplicaGroup sortedBy(String column) {
        return new ReplicaGroup(
                "g", List.of(Predicate.parse("s")), SortKey.of(List.of(column)), 1, Codec.parse("none"));
    }

    @Test
    void everyTransformButBucketKeepsTheOrder() {
        String[] predicates = {"x", "year(x)", "month(x)", "day(x)", "hour(x)"};
        Seeds.forAll(300, random -> {
            long a = random.nextLong(4_000_000_000_000_000L);
            long b = a + random.nextLong(1L << random.nextInt(1, 50));
            for (String predicate : predicates) {
                assertThat(Values.compare(
                                apply(predicate, ColumnType.TIMESTAMP, a), apply(predicate, ColumnType.TIMESTAMP, b)))
                        .as("%s of %d and %d", predicate, a, b)
                        .isNotPositive();
            }
            assertThat(Values.compare(
                            apply("truncate(7, x)", ColumnType.LONG, a), apply("truncate(7, x)", ColumnType.LONG, b)))
                    .isNotPositive();
        });
    }
}
