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
package org.hadoopmpsr.core.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.junit.jupiter.api.Test;

/** The bytes of {@code trusted.mpsr.file} are those of docs/format.md: a change of the writer or the reader shows here. */
class FileStatisticsFormatTest {
    private static final long DAY_NS = 17_287L * 86_400_000_000_000L;
    private static final String NAME = "meas-0-1-2-00001.parquet";
    private static final StatisticsCodec CODEC = new StatisticsCodec(Schema.parse(
            "timestamp_ns timestamp_ns, signal string, system string, device string, value double, ok boolean"));
    /** Where the sections begin that bytes may end before. */
    private static final int INEXACT = 121;

    private static final int SHARES = INEXACT + 2;
    private static final int FILTERS = SHARES + 7;

    private static FileStatistics all() {
        ValueFilter devices = ValueFilter.of(List.of(utf8("DEV-100"), utf8("DEV-105"), utf8("DEV-109")))
                .orElseThrow();
        return new FileStatistics(
                "meas-0-1-2",
                new ContentHash(50_000, 0x0123456789ABCDEFL, -2),
                Arrays.asList(17_287L, null, "CRYO"),
                Map.of(
                        "timestamp_ns", new ColumnStatistics(DAY_NS, DAY_NS + 86_399_999_000_000L, 0, 50_000, true),
                        "signal", new ColumnStatistics("PT-1000", "PT-1099", 0, 100, true),
                        "system", new ColumnStatistics("CRYO", "CRYO", 0, 1),
                        "device", new ColumnStatistics("DEV-100", "DEV-109", 0, 3, true, -1, devices),
                        "value", new ColumnStatistics(-1.5, 273.25, 3, 4_000, true),
                        "ok", new ColumnStatistics(false, true, -1, -1, true),
                        "day", new ColumnStatistics(17_287L, 17_287L, 0, -1, true, 0)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static DataFile file(FileStatistics statistics) {
        return new DataFile("/d/" + NAME, 7, 1_000_000, 1_490_000_000_000L, statistics);
    }

    private static FileStatistics mapped(java.util.function.UnaryOperator<ColumnStatistics> change) {
        Map<String, ColumnStatistics> columns = new TreeMap<>(all().columns());
        columns.replaceAll((name, column) -> change.apply(column));
        return new FileStatistics(all().commitId(), all().content(), all().partition(), columns);
    }

    @Test
    void version1IsWrittenAndRead() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        assertThat(CODEC.encode(NAME, 1_000_000, 1_490_000_000_000L, all())).isEqualTo(golden);
        assertThat(CODEC.file("/d", NAME, 7, golden)).isEqualTo(file(all()));
        assertThat(StatisticsCodec.header(NAME, golden))
                .isEqualTo(new StatisticsCodec.Header(
                        1_000_000, 1_490_000_000_000L, all().content(), "meas-0-1-2", OptionalInt.empty()));
    }

    @Test
    void theHashOfTheBlocksStandsBehind() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        byte[] whole = Arrays.copyOf(golden, golden.length + 4);
        ByteBuffer.wrap(whole).putInt(golden.length, 0x89ABCDEF);
        assertThat(CODEC.encode(NAME, 1_000_000, 1_490_000_000_000L, OptionalInt.of(0x89ABCDEF), all()))
                .isEqualTo(whole);
        assertThat(StatisticsCodec.header(NAME, whole).blocks()).hasValue(0x89ABCDEF);
        assertThat(CODEC.file("/d", NAME, 7, whole)).isEqualTo(file(all()));
        for (int end : new int[] {golden.length, FILTERS, SHARES, INEXACT}) {
            assertThat(StatisticsCodec.header(NAME, Arrays.copyOf(golden, end)).blocks())
                    .isEmpty();
        }
        byte[] other = CODEC.encode(
                "other.parquet",
                0,
                0,
                OptionalInt.of(7),
                new FileStatistics("c", ContentHash.EMPTY, List.of(), Map.of()));
        assertThat(StatisticsCodec.header("other.parquet", other).blocks())
                .as("no column")
                .hasValue(7);
    }

    @Test
    void sectionsThatCameLaterMayBeMissing() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        assertThat(CODEC.file("/d", NAME, 7, Arrays.copyOf(golden, FILTERS)))
                .isEqualTo(file(mapped(c -> c.withValues(null))));
        assertThat(CODEC.file("/d", NAME, 7, Arrays.copyOf(golden, SHARES)))
                .isEqualTo(file(mapped(c -> c.withValues(null).withBytes(-1))));
        assertThat(CODEC.file("/d", NAME, 7, Arrays.copyOf(golden, INEXACT)))
                .isEqualTo(
                        file(mapped(c -> new ColumnStatistics(c.min(), c.max(), c.nullCount(), c.distinct(), false))));
    }

    private static FileStatistics hashedAs(HashKind kind) {
        ContentHash hash = all().content();
        return new FileStatistics(
                all().commitId(),
                new ContentHash(kind, hash.count(), hash.high(), hash.low()),
                all().partition(),
                all().columns());
    }

    @Test
    void theKindOfTheContentHashStandsAtTheEnd() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        byte[] whole = Arrays.copyOf(golden, golden.length + 5);
        ByteBuffer.wrap(whole).putInt(golden.length, 0x89ABCDEF).put(golden.length + 4, (byte) 1);
        FileStatistics fast = hashedAs(HashKind.XXH_128);
        assertThat(CODEC.encode(NAME, 1_000_000, 1_490_000_000_000L, OptionalInt.of(0x89ABCDEF), fast))
                .isEqualTo(whole);
        assertThat(CODEC.file("/d", NAME, 7, whole)).isEqualTo(file(fast));
        assertThat(StatisticsCodec.header(NAME, whole))
                .isEqualTo(new StatisticsCodec.Header(
                        1_000_000, 1_490_000_000_000L, fast.content(), "meas-0-1-2", OptionalInt.of(0x89ABCDEF)));
    }

    @Test
    void aKindThatIsNotKnownIsRefused() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        byte[] kind2 = Arrays.copyOf(golden, golden.length + 5);
        kind2[golden.length + 4] = 2;
        for (Runnable reader :
                List.<Runnable>of(() -> StatisticsCodec.header(NAME, kind2), () -> CODEC.file("/d", NAME, 7, kind2))) {
            assertThatThrownBy(reader::run)
                    .isInstanceOf(UnknownVersionException.class)
                    .hasMessage("cannot read the file statistics of '" + NAME
                            + "': their content hash has kind 2, which this MPSR does not know; a newer MPSR wrote it: run"
                            + " that version, or a later one, on every NameNode");
        }
    }

    @Test
    void sectionsThatComeLaterAreLeftUnread() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        // blocks, kind 0, no row group, nothing of the pages of seven columns, and three bytes more
        byte[] longer = Arrays.copyOf(golden, golden.length + 16);
        assertThat(CODEC.file("/d", NAME, 7, longer)).isEqualTo(file(all()));
    }

    @Test
    void whichShareOfThePagesMayHoldAValueStandsBehindTheRowGroups() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1");
        byte[] whole = Arrays.copyOf(golden, golden.length + 13);
        ByteBuffer.wrap(whole).putInt(golden.length, 0x89ABCDEF);
        Arrays.fill(whole, golden.length + 6, whole.length, (byte) 255);
        whole[whole.length - 1] = 49; // of the value, the last one by name
        FileStatistics shared = mapped(c -> Double.valueOf(-1.5).equals(c.min()) ? c.withPageShare(0.125) : c);
        assertThat(CODEC.encode(NAME, 1_000_000, 1_490_000_000_000L, OptionalInt.of(0x89ABCDEF), shared))
                .isEqualTo(whole);
        assertThat(CODEC.file("/d", NAME, 7, whole)).isEqualTo(file(shared));
    }

    @Test
    void aNameWithoutTheCommitsIdIsWrittenAndRead() throws Exception {
        byte[] golden = GoldenBytes.of("file-statistics-1-other-name");
        FileStatistics statistics = new FileStatistics("c", ContentHash.EMPTY, List.of(), Map.of());
        assertThat(CODEC.encode("other.parquet", 0, 0, statistics)).isEqualTo(golden);
        assertThat(CODEC.file("/d", "other.parquet", 7, golden))
                .isEqualTo(new DataFile("/d/other.parquet", 7, 0, 0, statistics));
    }

    @Test
    void otherVersionsAreRefused() throws Exception {
        for (int version : new int[] {0, 2, 255}) {
            byte[] other = GoldenBytes.of("file-statistics-1");
            other[0] = (byte) version;
            List<Runnable> readers = new ArrayList<>();
            readers.add(() -> StatisticsCodec.header(NAME, other));
            readers.add(() -> CODEC.file("/d", NAME, 7, other));
            for (Runnable reader : readers) {
                assertThatThrownBy(reader::run)
                        .isInstanceOf(UnknownVersionException.class)
                        .hasMessage("cannot read the file statistics of '" + NAME + "': it has format version "
                                + version + ", and this MPSR reads version 1; a newer MPSR wrote it: run that version,"
                                + " or a later one, on every NameNode");
            }
        }
    }
}
