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
package org.hadoopmpsr.columnar.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of files that are sorted by leading bits of a value, a threshold of the value leaves few pages. */
class ValueThresholdTest {
    private static final Schema SCHEMA =
            Schema.parse("signal int not null, timestamp timestamp not null, value double not null");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(
                    group("signal", "signal, timestamp"),
                    group("bits", "bits(16, value), signal, timestamp"),
                    group("value", "value, signal, timestamp")),
            "signal");
    private static final int SIGNALS = 100;

    /** {@code -Dmpsr.test.rows} makes more; then what was found is printed. */
    private static final int ROWS = Integer.getInteger("mpsr.test.rows", 400_000);

    @TempDir
    private Path dir;

    private static ReplicaGroup group(String name, String sort) {
        return new ReplicaGroup(
                name,
                List.of(Predicate.parse("truncate(1000, signal)")),
                SortKey.parseList(sort),
                1,
                Codec.parse("zstd:3"));
    }

    /**
     * What a reader of the columns {@code timestamp} and {@code value} reads.
     *
     * @param pages whose bounds allow for the filter, of the column {@code value}
     * @param ofPages all pages of that column
     * @param bytes of the pages of both columns with records of these
     */
    private record Read(int pages, int ofPages, long bytes, long fileBytes) {}

    @Test
    void aThresholdLeavesFewPages() throws Exception {
        long seed = Long.getLong("mpsr.seed", 1);
        Random random = new Random(seed);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, GROUPS);
        double[] walks = random.doubles(SIGNALS, -50, 50).toArray();
        double[] values = new double[ROWS];
        for (int row = 0; row < ROWS; row++) {
            int signal = row % SIGNALS;
            walks[signal] = walks[signal] * 0.999 + random.nextGaussian();
            values[row] = walks[signal];
            appender.begin();
            appender.putLong(0, signal);
            appender.putLong(1, row / SIGNALS * 1_000_000L);
            appender.putDouble(2, values[row]);
            appender.end(0);
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double threshold = sorted[ROWS - ROWS / 1000];
        Batch batch = new Batch(buffer, GROUPS);
        Read bySignal = read(batch, "signal", threshold);
        Read byBits = read(batch, "bits", threshold);
        Read byValue = read(batch, "value", threshold);
        if (Integer.getInteger("mpsr.test.rows") != null) {
            System.out.println(bySignal + "\n" + byBits + "\n" + byValue);
        }
        assertThat(byBits.pages()).as("seed %d", seed).isBetween(1, 2).isLessThan(bySignal.pages());
        assertThat(byBits.bytes()).isLessThan(bySignal.bytes());
        assertThat(byBits.fileBytes()).as("the times of a bin and signal grow").isLessThan(byValue.fileBytes());
    }

    private Read read(Batch batch, String group, double threshold) throws Exception {
        ReplicaGroup its = GROUPS.find(group).orElseThrow();
        GroupLayout layout = batch.layout(its);
        GroupFileWriter writer = new GroupFileWriter(GROUPS, its, SCHEMA);
        GroupLayout.FileSlice slice = layout.files().get(0);
        assertThat(layout.files()).hasSize(1);
        Path path = dir.resolve(group + ".parquet");
        writer.write(
                new LocalOutputFile(path),
                writer.columns(batch),
                writer.rows(batch, layout.order(), slice.from(), slice.to()),
                slice.partition(),
                slice.content(),
                "c");
        int pages = 0;
        int all = 0;
        long bytes = 0;
        try (ParquetFileReader reader = ParquetRows.open(path)) {
            for (BlockMetaData block : reader.getFooter().getBlocks()) {
                ColumnChunkMetaData value = column(block, "value");
                ColumnChunkMetaData time = column(block, "timestamp");
                OffsetIndex values = reader.readOffsetIndex(value);
                OffsetIndex times = reader.readOffsetIndex(time);
                List<java.nio.ByteBuffer> most = reader.readColumnIndex(value).getMaxValues();
                boolean[] isRead = new boolean[times.getPageCount()];
                all += values.getPageCount();
                for (int page = 0; page < values.getPageCount(); page++) {
                    double max = most.get(page)
                            .duplicate()
                            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                            .getDouble();
                    if (max >= threshold) {
                        pages++;
                        bytes += values.getCompressedPageSize(page);
                        long last = values.getLastRowIndex(page, block.getRowCount());
                        for (int other = 0; other < isRead.length; other++) {
                            isRead[other] |= times.getFirstRowIndex(other) <= last
                                    && times.getLastRowIndex(other, block.getRowCount())
                                            >= values.getFirstRowIndex(page);
                        }
                    }
                }
                for (int page = 0; page < isRead.length; page++) {
                    bytes += isRead[page] ? times.getCompressedPageSize(page) : 0;
                }
            }
        }
        return new Read(pages, all, bytes, Files.size(path));
    }

    private static ColumnChunkMetaData column(BlockMetaData block, String name) {
        return block.getColumns().stream()
                .filter(column -> column.getPath().toDotString().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
