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
package org.hadoopmpsr.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatisticsCodecTest {
    private static final Schema SCHEMA = Schema.parse(
            "timestamp_ns timestamp_ns, signal string, system string, device string, value double, ok boolean");
    private static final StatisticsCodec CODEC = new StatisticsCodec(SCHEMA);
    private static final List<String> STRINGS =
            List.of("", "a", "ab", "abc", "abd", "é", "\u20AC", "\uD83D\uDE00", "\uD83D\uDE01x", "LHC.BLM:1");
    private static final double[] DOUBLES = {
        0, -0.0, 1, -1.5, 273.15, Math.PI, 1e300, -1e-300, Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY
    };
    private static final long[] LONGS = {0, 1, -1, 63, 64, 1L << 40, -(1L << 41), Long.MIN_VALUE, Long.MAX_VALUE};

    @Test
    void givesBackWhatItWasGiven() {
        Seeds.forAll(5000, random -> {
            String commitId = random.nextBoolean() ? "meas-0-1-2" : "x";
            String name = random.nextInt(4) == 0 ? "other.parquet" : commitId + "-00001.parquet";
            Map<String, ColumnStatistics> columns = columns(random);
            Object minimum =
                    columns.containsKey("signal") ? columns.get("signal").min() : null;
            FileStatistics statistics = new FileStatistics(
                    commitId,
                    new ContentHash(kind(random), random.nextInt(), random.nextLong(), random.nextLong()),
                    Arrays.asList(value(random), minimum, value(random)),
                    columns);
            long length = random.nextLong() & Long.MAX_VALUE;
            OptionalInt blocks = OptionalInt.of(random.nextInt());
            byte[] encoded = CODEC.encode(name, length, 1_490_000_000_000L, blocks, statistics);
            assertThat(CODEC.file("/d", name, 7, encoded))
                    .isEqualTo(new DataFile("/d/" + name, 7, length, 1_490_000_000_000L, statistics));
            assertThat(StatisticsCodec.header(name, encoded))
                    .isEqualTo(new StatisticsCodec.Header(
                            length, 1_490_000_000_000L, statistics.content(), commitId, blocks));
        });
    }

    @Test
    void keepsWhereRowGroupsLieOfFilesThatAreReadInParts() {
        Seeds.forAll(500, random -> {
            long length = (4L << 20) + random.nextInt(1 << 30);
            List<RowGroup> groups = new ArrayList<>();
            long rows = 0;
            long middle = 0;
            for (int i = 1 + random.nextInt(130); i > 0; i--) {
                middle += random.nextInt(20_000);
                groups.add(new RowGroup(middle, random.nextInt(1 << random.nextInt(31))));
                rows += groups.get(groups.size() - 1).rows();
            }
            FileStatistics statistics = new FileStatistics(
                    "c", new ContentHash(kind(random), rows, 1, 2), List.of(), columns(random), groups);
            byte[] encoded = CODEC.encode("c.parquet", length, 1, OptionalInt.of(random.nextInt()), statistics);
            List<RowGroup> kept = groups.size() > 128 ? List.of() : groups;
            assertThat(CODEC.file("/d", "c.parquet", 1, encoded).statistics().rowGroups())
                    .isEqualTo(kept);
            assertThat(StatisticsCodec.header("c.parquet", encoded).content()).isEqualTo(statistics.content());
            byte[] small = CODEC.encode("c.parquet", (4 << 20) - 1, 1, OptionalInt.of(1), statistics);
            assertThat(CODEC.file("/d", "c.parquet", 1, small).statistics().rowGroups())
                    .isEmpty();
            byte[] untrue = CODEC.encode(
                    "c.parquet",
                    length,
                    1,
                    OptionalInt.of(1),
                    new FileStatistics("c", new ContentHash(rows + 1, 1, 2), List.of(), Map.of(), groups));
            assertThat(CODEC.file("/d", "c.parquet", 1, untrue).statistics().rowGroups())
                    .isEmpty();
        });
    }

    @Test
    void keepsWhichShareOfThePagesMayHoldAValueIfThatIsFew() {
        FileStatistics statistics = new FileStatistics(
                "c",
                new ContentHash(5, 6, 7),
                List.of(),
                Map.of(
                        "signal", ColumnStatistics.UNKNOWN.withPageShare(0.013),
                        "value", ColumnStatistics.UNKNOWN.withPageShare(0.9),
                        "ok", ColumnStatistics.UNKNOWN));
        byte[] encoded = CODEC.encode("c.parquet", 1000, 1, OptionalInt.of(1), statistics);
        FileStatistics read = CODEC.file("/d", "c.parquet", 1, encoded).statistics();
        assertThat(read.column("signal").pageShare()).isCloseTo(0.013, within(0.013 * 0.03));
        assertThat(read.column("value").pageShare()).isEqualTo(-1);
        assertThat(read.column("ok").pageShare()).isEqualTo(-1);
    }

    private static HashKind kind(Random random) {
        return HashKind.values()[random.nextInt(HashKind.values().length)];
    }

    /** Whatever bytes an attribute holds, they are refused in one way or give some statistics. */
    @Test
    void refusesBytesThatAreNoStatistics() {
        FileStatistics statistics =
                new FileStatistics("c", new ContentHash(5, 6, 7), List.of(8L), columns(new Random(1)));
        byte[] good = CODEC.encode("c.parquet", 10, 20, statistics);
        int[] refused = {0};
        Seeds.forAll(5000, random -> {
            byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
            for (int i = random.nextInt(4); i > 0 && bad.length > 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                CODEC.file("/d", "c.parquet", 1, bad);
            } catch (IllegalArgumentException e) {
                refused[0]++;
            }
        });
        assertThat(Long.getLong("mpsr.seed") != null || refused[0] > 2000)
                .as("refused: %d", refused[0])
                .isTrue();
    }

    @Test
    void isNotTakenForAnotherFiles() {
        byte[] encoded =
                CODEC.encode("c-1.parquet", 10, 20, new FileStatistics("c", ContentHash.EMPTY, List.of(), Map.of()));
        assertThatThrownBy(() -> StatisticsCodec.header("c-2.parquet", encoded))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the statistics belong to a file that is not named 'c-2.parquet'");
    }

    @Test
    void columnsAddedLaterDoNotMoveTheOthers() {
        FileStatistics statistics = new FileStatistics("c", ContentHash.EMPTY, List.of(), columns(new Random(3)));
        byte[] encoded = CODEC.encode("c.parquet", 10, 20, statistics);
        StatisticsCodec later = new StatisticsCodec(Schema.parse(SCHEMA.ddl() + ", unit string"));
        assertThat(later.file("/d", "c.parquet", 1, encoded).statistics()).isEqualTo(statistics);
    }

    /** Attributes that were written when nothing was said of that. */
    @Test
    void boundsAreNotTakenForValuesWhereTheBytesDoNotSayIt() {
        FileStatistics exact = new FileStatistics(
                "c", ContentHash.EMPTY, List.of(1L), Map.of("value", new ColumnStatistics(1.5, 2.5, 0, -1, true)));
        byte[] encoded = CODEC.encode("c.parquet", 10, 20, exact);
        FileStatistics before = CODEC.file("/d", "c.parquet", 1, Arrays.copyOf(encoded, encoded.length - 1))
                .statistics();
        assertThat(before.column("value")).isEqualTo(new ColumnStatistics(1.5, 2.5, 0));
        assertThat(before.partition()).isEqualTo(exact.partition());
    }

    /** The bytes of an attribute that was written before columns had shares. */
    @Test
    void theFormWithoutSharesIsReadAsItWas() {
        byte[] before = HexFormat.of()
                .parseHex(
                        "011f779a60c0843d80e8aed7ae2bd08603fffffffffffffffffffffffffffffffe0b0402af0750542d31303030050239"
                                + "396403b7044352594f0101ac34b20cf500240a4cb7fed0860305cd02bff80340711403a01f01000102870e0101");
        long day = 17_287L * 86_400_000_000_000L;
        FileStatistics statistics = new FileStatistics(
                "meas-0-1-2",
                new ContentHash(50_000, -1, -2),
                List.of(17_287L),
                Map.of(
                        "timestamp_ns", new ColumnStatistics(day, day + 86_399_999_000_000L, 0, 50_000, true),
                        "signal", new ColumnStatistics("PT-1000", "PT-1099", 0, 100, true),
                        "system", new ColumnStatistics("CRYO", "CRYO", 0, 1),
                        "value", new ColumnStatistics(-1.5, 273.25, 3, 4_000, true)));
        String name = "meas-0-1-2-00001.parquet";
        assertThat(CODEC.file("/d", name, 7, before))
                .isEqualTo(new DataFile("/d/" + name, 7, 1_000_000, 1_490_000_000_000L, statistics));
        assertThat(CODEC.encode(name, 1_000_000, 1_490_000_000_000L, statistics))
                .isEqualTo(before);
    }

    @Test
    void sharesOfColumnsAreKeptToTwoPercent() {
        Seeds.forAll(1000, random -> {
            long length = 1 + random.nextLong(1L << random.nextInt(1, 40));
            Map<String, ColumnStatistics> columns = new HashMap<>();
            columns(random)
                    .forEach((name, column) -> columns.put(
                            name, column.withBytes(bytes(length, random)).withPageShare(-1)));
            FileStatistics statistics = new FileStatistics("c", ContentHash.EMPTY, List.of(), columns);
            byte[] encoded = CODEC.encode("c.parquet", length, 20, statistics);
            FileStatistics read = CODEC.file("/d", "c.parquet", 1, encoded).statistics();
            columns.forEach((name, column) -> {
                ColumnStatistics its = read.column(name);
                // to the least share that can be said
                assertThat((double) its.bytes())
                        .isCloseTo(column.bytes(), within(0.025 * column.bytes() + length / 50_000.0 + 1));
                assertThat(its.bytes() < 0).isEqualTo(column.bytes() < 0);
                assertThat(its.withBytes(-1)).isEqualTo(column.withBytes(-1));
            });
            boolean known = columns.values().stream().anyMatch(c -> c.bytes() >= 0);
            byte[] without = CODEC.encode("c.parquet", length, 20, withoutBytes(statistics));
            boolean filtered = columns.values().stream().anyMatch(c -> c.values() != null);
            // those with filters have a byte for each column's share in any case
            assertThat(encoded).hasSize(without.length + (known && !filtered ? columns.size() : 0));
        });
    }

    private static long bytes(long length, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> -1;
            case 1 -> 0;
            default -> (long) (length * Math.pow(random.nextDouble(), 4));
        };
    }

    private static FileStatistics withoutBytes(FileStatistics statistics) {
        Map<String, ColumnStatistics> columns = new HashMap<>(statistics.columns());
        columns.replaceAll((name, column) -> column.withBytes(-1));
        return new FileStatistics(statistics.commitId(), statistics.content(), statistics.partition(), columns);
    }

    /** A signal's day takes no more than the NameNode's goal for memory leaves: 200 bytes with Java's objects. */
    @Test
    void isSmall() {
        long day = 17_287L * 86_400_000_000_000L;
        Map<String, ColumnStatistics> columns = Map.of(
                "timestamp_ns", new ColumnStatistics(day, day + 86_399_999_000_000L, 0, 50_000, true, 200_000),
                "signal", new ColumnStatistics("PT-1000", "PT-1099", 0, 100, true, 200_000),
                "system", new ColumnStatistics("CRYO", "CRYO", 0, 1, true, 200_000),
                "device", new ColumnStatistics("DEV-100", "DEV-109", 0, 10, true, 200_000),
                "value", new ColumnStatistics(-1.234567, 273.157891, 3, 4_000, true, 200_000));
        FileStatistics statistics =
                new FileStatistics("meas-0-100000-200000", new ContentHash(50_000, -1, -2), List.of(17_287L), columns);
        String name = "meas-0-100000-200000-00001.parquet";
        assertThat(CODEC.encode(name, 1_000_000, 1_490_000_000_000L, statistics))
                .hasSizeLessThanOrEqualTo(124);
    }

    private static Map<String, ColumnStatistics> columns(Random random) {
        Map<String, ColumnStatistics> columns = new HashMap<>();
        for (String name : List.of("timestamp_ns", "signal", "system", "device", "value", "ok", "day")) {
            if (random.nextInt(5) > 0) {
                columns.put(name, column(random));
            }
        }
        return columns;
    }

    private static ColumnStatistics column(Random random) {
        int kind = random.nextInt(4);
        List<@Nullable Object> bounds = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            bounds.add(random.nextInt(6) == 0 ? null : value(random, kind));
        }
        Object a = bounds.get(0);
        Object b = bounds.get(1);
        boolean swap = a != null && b != null && Values.compare(a, b) > 0;
        ColumnStatistics column = new ColumnStatistics(
                swap ? b : a,
                swap ? a : b,
                random.nextInt(4) - 1L,
                random.nextBoolean() ? -1 : random.nextInt(100_000),
                random.nextBoolean());
        if (random.nextInt(8) == 0) {
            column = column.withPageShare(ColumnShares.share(8 + random.nextInt(ColumnShares.UNKNOWN - 8)));
        }
        byte[] bits = new byte[random.nextInt(ValueFilter.MAX_VALUES + 1)];
        random.nextBytes(bits);
        return bits.length < 2 ? column : column.withValues(ValueFilter.fromBytes(bits));
    }

    private static @Nullable Object value(Random random) {
        return random.nextInt(5) == 0 ? null : value(random, random.nextInt(4));
    }

    private static Object value(Random random, int kind) {
        return switch (kind) {
            case 0 -> random.nextBoolean() ? random.nextLong() : LONGS[random.nextInt(LONGS.length)];
            case 1 -> random.nextBoolean() ? random.nextGaussian() : DOUBLES[random.nextInt(DOUBLES.length)];
            case 2 -> random.nextBoolean();
            default -> STRINGS.get(random.nextInt(STRINGS.size()));
        };
    }
}
