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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.compress.PageCodecs;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.columnar.pack.KeyNumbers;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.RowGroup;
import org.hadoopmpsr.core.transform.TransformedColumn;

/**
 * A Parquet file that is written from columns in memory, row group by row group, with statistics and indexes for each
 * page. Between row groups the vectors may be filled anew, as long as strings keep their numbers. For one thread.
 */
public final class ColumnarParquetFile implements AutoCloseable {
    /** About the most bytes that the values of a page take in memory. */
    public static final int PAGE_VALUES_BYTES = FileStatistics.PAGE_ROWS * Long.BYTES;

    private static final long ROW_GROUP_BYTES = 128L << 20;

    private final SortedFile out;
    private final List<FileColumn> columns;
    private final Map<String, String> metadata;
    private final PageCodecs pageCodecs;
    private final Map<Codec, BytesInputCompressor> compressors = new HashMap<>();

    /** Of columns of which each has its own. */
    private final List<BytesInputCompressor> own = new ArrayList<>();

    private final KeyNumbers keys = new KeyNumbers();
    private final List<Chunks> writers = new ArrayList<>();
    private final ParquetFileWriter file;

    private ColumnarParquetFile(
            SortedFile out,
            List<FileColumn> columns,
            Codecs codecs,
            PageCodecs pageCodecs,
            Map<String, String> metadata)
            throws IOException {
        this.out = out;
        this.columns = columns;
        this.metadata = metadata;
        this.pageCodecs = pageCodecs;
        MessageType schema = new MessageType(
                "record",
                columns.stream()
                        .flatMap(column -> column.physical().stream())
                        .map(ParquetTypes::of)
                        .toList());
        file = new ParquetFileWriter(
                out,
                schema,
                ParquetFileWriter.Mode.CREATE,
                ROW_GROUP_BYTES,
                0,
                null,
                ParquetProperties.builder().build());
        columns.forEach(column -> writers.add(chunks(schema, column, codecs)));
    }

    private Chunks chunks(MessageType schema, FileColumn column, Codecs codecs) {
        String name = column.column().name();
        if (ColumnPath.isPath(name)) {
            return new StatisticsOnly(column);
        }
        Codec codec = codecs.of(name);
        TransformedColumn transform = column.transform();
        if (transform != null) {
            return new TransformedChunkWriter(
                    file, schema, column, transform, part -> compressor(codec, part), keys, new StatisticsOnly(column));
        }
        BytesInputCompressor compressor = compressor(codec, name);
        return column.vector() instanceof NestedVector
                ? new NestedChunkWriter(file, column, compressor)
                : new ColumnChunkWriter(
                        file, schema.getColumnDescription(new String[] {name}), column, new Trials(compressor, keys));
    }

    private BytesInputCompressor compressor(Codec codec, String column) {
        if (!codec.isAuto()) {
            return compressors.computeIfAbsent(codec, its -> pageCodecs.of(its, column));
        }
        BytesInputCompressor chosen = pageCodecs.of(codec, column);
        own.add(chosen);
        return chosen;
    }

    /** Writes the chunks of one column of the dataset. */
    interface Chunks extends AutoCloseable {
        /**
         * Writes those of a row group.
         *
         * @param pageEnds where pages should end, exclusive
         */
        void write(SortedRows rows, int[] pageEnds) throws IOException;

        /** What is known of all rows written. */
        ColumnStatistics statistics();

        @Override
        void close();
    }

    /** Writes nothing, as the values are written in another form: only their statistics are found. */
    private static final class StatisticsOnly implements Chunks {
        private final ColumnEncoder encoder;
        private final PageRows page;
        private final PrimitiveType type;
        private long nulls;

        StatisticsOnly(FileColumn column) {
            encoder = ColumnEncoder.of(column, null);
            page = new PageRows(column.vector());
            type = ParquetTypes.of(column.column()).asPrimitiveType();
        }

        @Override
        public void write(SortedRows rows, int[] pageEnds) throws IOException {
            encoder.beginChunk(rows.order(), rows.from(), rows.to());
            int start = rows.from();
            for (int end : pageEnds) {
                page.select(rows.order(), start, end);
                encoder.encode(page.rows(), page.from(), page.to(), Statistics.createStats(type));
                nulls += page.nulls();
                start = end;
            }
        }

        @Override
        public ColumnStatistics statistics() {
            return encoder.statistics(nulls).withBytes(0);
        }

        @Override
        public void close() {
            encoder.close();
        }
    }

    /**
     * A file that is written.
     *
     * @param columns statistics of each column, in the order in which they were given
     * @param rowGroups in the order of the file; empty if their values of the first sort column are not apart
     * @param bytes the file's length
     */
    public record Written(List<ColumnStatistics> columns, List<RowGroup> rowGroups, long bytes) {}

    /**
     * Begins a file. It must be closed; without {@link #finish} it is no Parquet file then.
     *
     * @param sortedBy what the rows are sorted by, nulls first; kept in the footer as far as it is of columns
     * @param metadata kept in the footer
     */
    public static ColumnarParquetFile begin(
            OutputFile out,
            List<FileColumn> columns,
            List<SortKey> sortedBy,
            Codecs codecs,
            Map<String, String> metadata)
            throws IOException {
        return begin(out, columns, sortedBy, codecs, PageCodecs.STANDARD, metadata);
    }

    /**
     * As without {@code pageCodecs}.
     *
     * @param pageCodecs makes what compresses the pages of each column
     */
    public static ColumnarParquetFile begin(
            OutputFile out,
            List<FileColumn> columns,
            List<SortKey> sortedBy,
            Codecs codecs,
            PageCodecs pageCodecs,
            Map<String, String> metadata)
            throws IOException {
        ColumnarParquetFile begun =
                new ColumnarParquetFile(SortedFile.of(out, columns, sortedBy), columns, codecs, pageCodecs, metadata);
        begun.file.start();
        return begun;
    }

    /**
     * The places in the order where row groups should end, exclusive, the last one at the end of the rows.
     *
     * @param mostRows how many rows a row group may have; it has fewer where they take too much memory
     * @param fileRows about how many rows the whole file has
     */
    public int[] rowGroupEnds(SortedRows rows, int mostRows, long fileRows) {
        return PieceEnds.ofRowGroups(rows, Math.min(mostRows, rowsPerRowGroup(columns)), fileRows);
    }

    /**
     * Writes all rows of a file, in as many row groups as it should have.
     *
     * @param mostRows as in {@link #rowGroupEnds}
     */
    public void writeAll(SortedRows rows, int mostRows) throws IOException {
        int start = rows.from();
        for (int end : rowGroupEnds(rows, mostRows, rows.to() - rows.from())) {
            writeRowGroup(rows.slice(start, end));
            start = end;
        }
    }

    /** Writes a row group of the rows. */
    public void writeRowGroup(SortedRows rows) throws IOException {
        int[] pageEnds = PieceEnds.ofPages(rows);
        file.startBlock(rows.to() - rows.from());
        for (Chunks writer : writers) {
            writer.write(rows, pageEnds);
        }
        file.endBlock();
    }

    /** Writes the footer: the file is whole then. */
    public Written finish() throws IOException {
        out.beginFooter();
        file.end(metadata);
        return new Written(
                writers.stream().map(Chunks::statistics).toList(),
                RowGroupPlaces.of(file.getFooter().getBlocks(), out.leadColumn()),
                file.getPos());
    }

    @Override
    public void close() throws IOException {
        try (file) {
            writers.forEach(Chunks::close);
            compressors.values().forEach(BytesInputCompressor::release);
            own.forEach(BytesInputCompressor::release);
        }
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
}
