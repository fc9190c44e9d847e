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
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.compress.ChosenPages;
import org.hadoopmpsr.columnar.compress.PageCompressors;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.PageBounds;

/** Writes the chunks of one column of a file: dictionary, then pages with levels, statistics and compression. */
final class ColumnChunkWriter implements ColumnarParquetFile.Chunks {
    private final ParquetFileWriter file;
    private final ColumnDescriptor descriptor;
    private final PageRows page;
    private final ColumnEncoder encoder;
    private final BytesInputCompressor ofColumn;

    /** That of the chunk. */
    private BytesInputCompressor compressor;

    private final boolean bloom;
    private final PageBounds<Object> pages;
    private long nulls;
    private long bytes;

    ColumnChunkWriter(ParquetFileWriter file, ColumnDescriptor descriptor, FileColumn column, Trials trials) {
        this(file, descriptor, column.vector(), ColumnEncoder.of(column, trials), trials.compressor(), column.bloom());
    }

    /** @param encoder of the vector, in the type of the descriptor */
    ColumnChunkWriter(
            ParquetFileWriter file,
            ColumnDescriptor descriptor,
            ColumnVector vector,
            ColumnEncoder encoder,
            BytesInputCompressor ofColumn,
            boolean bloom) {
        this.file = file;
        this.descriptor = descriptor;
        page = new PageRows(vector);
        pages = new PageBounds<>(descriptor.getPrimitiveType().comparator());
        this.bloom = bloom;
        this.encoder = encoder;
        this.ofColumn = ofColumn;
        compressor = ofColumn;
    }

    /**
     * Writes a chunk of the rows.
     *
     * @param pageEnds where pages end, exclusive; those with too many bytes are divided
     */
    @Override
    public void write(SortedRows rows, int[] pageEnds) throws IOException {
        int[] order = rows.order();
        int from = rows.from();
        int to = rows.to();
        ChosenPages.beginChunk(ofColumn);
        DictionaryPage dictionary = encoder.beginChunk(order, from, to);
        compressor = encoder.compresses() ? ofColumn : PageCompressors.none();
        ChosenPages.beginPages(compressor);
        long before = file.getPos();
        file.startColumn(descriptor, to - from, compressor.getCodecName());
        if (dictionary != null) {
            file.writeDictionaryPage(new DictionaryPage(
                    compressor.compress(dictionary.getBytes()),
                    dictionary.getUncompressedSize(),
                    dictionary.getDictionarySize(),
                    dictionary.getEncoding()));
        }
        int most = Math.max(1, ColumnEncoder.PAGE_BYTES / encoder.bytesPerRow());
        int start = from;
        for (int end : pageEnds) {
            for (; end - start > most; start += most) {
                writePage(order, start, start + most);
            }
            writePage(order, start, end);
            start = end;
        }
        file.endColumn();
        bytes += file.getPos() - before;
        BloomFilter filter = bloom ? encoder.bloomFilter(order, from, to) : null;
        if (filter != null) {
            file.addBloomFilter(descriptor.getPath()[0], filter);
        }
    }

    private void writePage(int[] order, int from, int to) throws IOException {
        page.select(order, from, to);
        Statistics<?> statistics = Statistics.createStats(descriptor.getPrimitiveType());
        BytesInput raw = encoder.encode(page.rows(), page.from(), page.to(), statistics);
        if (descriptor.getMaxDefinitionLevel() > 0) {
            statistics.incrementNumNulls(page.nulls());
            nulls += page.nulls();
            raw = BytesInput.concat(page.levels(), raw);
        }
        add(statistics);
        int rawBytes = Math.toIntExact(raw.size());
        int rows = to - from;
        file.writeDataPage(
                rows,
                rawBytes,
                compressor.compress(raw),
                statistics,
                rows,
                Encoding.RLE,
                Encoding.RLE,
                encoder.encoding(),
                null,
                null,
                (SizeStatistics) null);
    }

    private void add(Statistics<?> statistics) {
        if (page.from() == page.to()) {
            pages.addNulls();
        } else if (statistics.hasNonNullValue() && isNumber(statistics.genericGetMax())) {
            pages.add(kept(statistics.genericGetMin()), kept(statistics.genericGetMax()));
        } else {
            pages.addUnknown();
        }
    }

    /** With a NaN, both bounds are. */
    private static boolean isNumber(Object bound) {
        return !(bound instanceof Double || bound instanceof Float) || !Double.isNaN(((Number) bound).doubleValue());
    }

    private static Object kept(Object bound) {
        return bound instanceof Binary bytes ? bytes.copy() : bound;
    }

    /** What is known of all rows written. */
    @Override
    public ColumnStatistics statistics() {
        return encoder.statistics(nulls).withBytes(bytes).withPageShare(pages.share());
    }

    /** The bytes of all chunks written. */
    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        encoder.close();
    }
}
