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
package org.hadoopmpsr.columnar.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.stats.ColumnStatistics;

/** Writes Parquet files from columns in memory, with statistics and indexes for each page. */
public final class ColumnarParquetFile {
    private static final long ROW_GROUP_BYTES = 128L << 20;

    private ColumnarParquetFile() {}

    /**
     * A file that is written.
     *
     * @param columns statistics of each column, in the order in which they were given
     * @param bytes the file's length
     */
    public record Written(List<ColumnStatistics> columns, long bytes) {}

    /**
     * Writes a file of the rows and closes it.
     *
     * @param sortedBy the names of the columns that the rows are sorted by, nulls first; kept in the footer
     * @param metadata kept in the footer
     * @return what was written
     */
    public static Written write(
            OutputFile out,
            List<FileColumn> columns,
            SortedRows rows,
            List<String> sortedBy,
            Codec codec,
            Map<String, String> metadata)
            throws IOException {
        return write(SortedFile.of(out, columns, sortedBy), columns, rows, codec, metadata, rowsPerRowGroup(columns));
    }

    static Written write(
            SortedFile out,
            List<FileColumn> columns,
            SortedRows rows,
            Codec codec,
            Map<String, String> metadata,
            int rowsPerRowGroup)
            throws IOException {
        MessageType schema = new MessageType(
                "record", columns.stream().map(c -> (Type) c.parquetType()).toList());
        BytesInputCompressor compressor = compressor(codec);
        List<ColumnChunkWriter> writers = new ArrayList<>();
        try (ParquetFileWriter file = new ParquetFileWriter(
                out,
                schema,
                ParquetFileWriter.Mode.CREATE,
                ROW_GROUP_BYTES,
                0,
                null,
                ParquetProperties.builder().build())) {
            for (int i = 0; i < columns.size(); i++) {
                writers.add(new ColumnChunkWriter(file, schema.getColumns().get(i), columns.get(i), compressor));
            }
            file.start();
            int start = rows.from();
            for (int end : RunEnds.ofRowGroups(rows, rowsPerRowGroup)) {
                writeRowGroup(file, writers, rows.slice(start, end));
                start = end;
            }
            out.beginFooter();
            file.end(metadata);
            return new Written(
                    writers.stream().map(ColumnChunkWriter::statistics).toList(), file.getPos());
        } finally {
            writers.forEach(ColumnChunkWriter::close);
            compressor.release();
        }
    }

    private static void writeRowGroup(ParquetFileWriter file, List<ColumnChunkWriter> writers, SortedRows rows)
            throws IOException {
        int[] pageEnds = RunEnds.ofPages(rows);
        file.startBlock(rows.to() - rows.from());
        for (ColumnChunkWriter writer : writers) {
            writer.write(rows, pageEnds);
        }
        file.endBlock();
    }

    private static int rowsPerRowGroup(List<FileColumn> columns) {
        long rowBytes = 0;
        for (FileColumn column : columns) {
            rowBytes += column.vector().bytesPerRow();
            if (column.vector() instanceof StringVector strings) {
                ByteDictionary dictionary = strings.dictionary();
                rowBytes += dictionary.sizeBytes() / Math.max(1, dictionary.size());
            }
        }
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, ROW_GROUP_BYTES / rowBytes));
    }

    private static BytesInputCompressor compressor(Codec codec) {
        if (codec.kind() == Codec.Kind.ZSTD) {
            return new ZstdPages(codec.level());
        }
        Configuration conf = new Configuration(false);
        conf.setClassLoader(ColumnarParquetFile.class.getClassLoader());
        return new CodecFactory(conf, ColumnEncoder.SLAB_BYTES).getCompressor(name(codec));
    }

    private static CompressionCodecName name(Codec codec) {
        return switch (codec.kind()) {
            case ZSTD -> CompressionCodecName.ZSTD;
            case SNAPPY -> CompressionCodecName.SNAPPY;
            case LZ4_RAW -> CompressionCodecName.LZ4_RAW;
            case GZIP -> CompressionCodecName.GZIP;
            case NONE -> CompressionCodecName.UNCOMPRESSED;
        };
    }
}
