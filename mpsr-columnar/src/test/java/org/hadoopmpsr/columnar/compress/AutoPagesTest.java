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
package org.hadoopmpsr.columnar.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.CodecProfile;
import org.hadoopmpsr.core.codec.SamplingBudget;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutoPagesTest {
    private static final Column COLUMN =
            Schema.parse("value double not null").columns().get(0);
    private static final int ROWS = 40_000;

    @TempDir
    private Path dir;

    private final DoubleVector values = new DoubleVector();
    private final int[] order = IntStream.range(0, ROWS).toArray();

    AutoPagesTest() {
        Random random = new Random(7);
        values.reserve(ROWS);
        double walk = 0;
        for (int row = 0; row < ROWS; row++) {
            walk += random.nextGaussian();
            values.set(row, walk);
        }
    }

    private ColumnarParquetFile begin(String codecs, PageCodecs pages) throws IOException {
        FileColumn column = new FileColumn(COLUMN, values, () -> new int[0], false);
        return ColumnarParquetFile.begin(
                new LocalOutputFile(dir.resolve("f.parquet")),
                List.of(column),
                List.of(),
                Codecs.parse(codecs),
                pages,
                Map.of());
    }

    /** The codecs of the chunks of all row groups, after the values were found to be those that were written. */
    private List<String> codecsOfChunks() throws IOException {
        List<Object> read = new ArrayList<>();
        ParquetRows.read(dir.resolve("f.parquet")).forEach(row -> read.add(row.get("value")));
        assertThat(read)
                .isEqualTo(IntStream.of(order)
                        .mapToObj(row -> (Object) values.values()[row])
                        .toList());
        try (ParquetFileReader file = ParquetRows.open(dir.resolve("f.parquet"))) {
            List<String> codecs = new ArrayList<>();
            for (BlockMetaData group : file.getRowGroups()) {
                group.getColumns().forEach(chunk -> codecs.add(chunk.getCodec().name()));
            }
            return codecs;
        }
    }

    private static AutoCodecs codecs(AutoCodecs.Purpose purpose, double share) {
        return new AutoCodecs(purpose, new SamplingBudget(share), text -> {});
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "zstd:1", "zstd:3", "zstd:9", "zstd:15", "zstd:19", "zstd:22", "gzip", "gzip:1", "gzip:9", "snappy",
                "lz4_raw", "none", "auto"
            })
    void everyCodecIsWrittenAndRead(String codec) throws Exception {
        try (ColumnarParquetFile file = begin(codec, PageCodecs.STANDARD)) {
            file.writeRowGroup(new SortedRows(order, 0, ROWS, null));
            file.finish();
        }
        String name = codec.equals("none") ? "UNCOMPRESSED" : codec.equals("auto") ? "ZSTD" : codec.split(":")[0];
        assertThat(codecsOfChunks()).containsExactly(name.toUpperCase(java.util.Locale.ROOT));
    }

    @Test
    void aChunkHasTheCodecThatIsChosenAsItBegins() throws Exception {
        AutoCodecs codecs = codecs(AutoCodecs.Purpose.MERGE, Double.MIN_NORMAL);
        CodecProfile standard = new CodecProfile(Codec.STANDARD, 5, 0.9, 2);
        try (AutoPages pages = new AutoPages(codecs);
                ColumnarParquetFile file = begin("auto", pages)) {
            file.writeRowGroup(new SortedRows(order, 0, 10_000, null));
            codecs.profiles().measured("value", List.of(standard, new CodecProfile(Codec.parse("none"), 0, 0.8, 0)));
            file.writeRowGroup(new SortedRows(order, 10_000, 25_000, null));
            for (int i = 0; i < 20; i++) {
                codecs.profiles().measured("value", List.of(standard, new CodecProfile(Codec.parse("none"), 0, 1, 0)));
            }
            file.writeRowGroup(new SortedRows(order, 25_000, ROWS, null));
            file.finish();
        }
        assertThat(codecsOfChunks()).containsExactly("ZSTD", "UNCOMPRESSED", "ZSTD");
        assertThat(codecs.changes()).isEqualTo(2);
    }

    @Test
    void pagesAreSampledWithAllCodecs() throws Exception {
        AutoCodecs codecs = codecs(AutoCodecs.Purpose.FLUSH, 1e9);
        try (AutoPages pages = new AutoPages(codecs);
                ColumnarParquetFile file = begin("auto", pages)) {
            file.writeRowGroup(new SortedRows(order, 0, ROWS, null));
            file.finish();
        }
        assertThat(codecsOfChunks()).containsExactly("ZSTD");
        List<CodecProfile> found = codecs.profiles().profiles("value");
        assertThat(found.stream().map(CodecProfile::codec)).containsExactlyElementsOf(AutoCodecs.Purpose.FLUSH.tried());
        assertThat(found).allSatisfy(profile -> assertThat(profile.ratio()).isBetween(0.8, 1.02));
        assertThat(found.get(0).ratio()).as("none").isEqualTo(1);
        assertThat(found.get(4).ratio())
                .as("full mantissas, whose exponents repeat")
                .isLessThan(0.98);
    }

    /** The clock goes on by a millisecond with each call. What a sample takes is known after the first one. */
    @Test
    void samplesKeepToTheirShare() throws Exception {
        AutoCodecs codecs = codecs(AutoCodecs.Purpose.FLUSH, 0.02);
        long[] clock = {0};
        Set<Integer> samples = new TreeSet<>();
        try (AutoPages pages = new AutoPages(codecs, () -> clock[0] += 1_000_000);
                ColumnarParquetFile file = begin("auto", pages)) {
            for (int i = 0; i < 600; i++) {
                file.writeRowGroup(new SortedRows(order, 0, 1_000, null));
                samples.add((int) Math.round(codecs.budget().share() * 1000));
            }
        }
        assertThat(samples).as("there were samples").hasSizeGreaterThan(1);
        assertThat(codecs.budget().share()).isBetween(0.005, 0.03);
    }

    @Test
    void aClosedOneSamplesNoMore() throws Exception {
        AutoCodecs codecs = codecs(AutoCodecs.Purpose.FLUSH, 1e9);
        AutoPages pages = new AutoPages(codecs);
        pages.close();
        try (ColumnarParquetFile file = begin("auto", pages)) {
            file.writeRowGroup(new SortedRows(order, 0, ROWS, null));
            file.finish();
        }
        assertThat(codecs.profiles().profiles("value")).isEmpty();
        assertThat(codecsOfChunks()).containsExactly("ZSTD");
    }
}
