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
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.impl.ColumnWriteStoreV1;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.compress.ChosenPages;
import org.hadoopmpsr.columnar.nested.NestedConsumer;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.core.stats.ColumnStatistics;

/**
 * Writes the chunks of one nested column of a file, one for each value within. Parquet's own writer makes the pages, as Spark
 * writes them: they end between rows.
 */
final class NestedChunkWriter implements ColumnarParquetFile.Chunks {
    private final ParquetFileWriter file;
    private final FileColumn column;
    private final NestedVector vector;
    private final BytesInputCompressor compressor;
    private final MessageType schema;
    private final ParquetProperties properties = ParquetProperties.builder()
            .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_1_0)
            .build();
    private long nulls;
    private long bytes;

    NestedChunkWriter(ParquetFileWriter file, FileColumn column, BytesInputCompressor compressor) {
        this.file = file;
        this.column = column;
        this.compressor = compressor;
        vector = (NestedVector) column.vector();
        schema = new MessageType("record", ParquetTypes.of(column.column()));
    }

    /** The pages that the other columns have do not matter: each column has its own. */
    @Override
    public void write(SortedRows rows, int[] pageEnds) throws IOException {
        ChosenPages.beginChunk(compressor);
        ChosenPages.beginPages(compressor);
        long before = file.getPos();
        try (ColumnChunkPageWriteStore pages = new ColumnChunkPageWriteStore(
                        compressor,
                        schema,
                        new HeapByteBufferAllocator(),
                        properties.getColumnIndexTruncateLength(),
                        properties.getPageWriteChecksumEnabled());
                ColumnWriteStoreV1 store = new ColumnWriteStoreV1(schema, pages, properties)) {
            RecordConsumer consumer = new ColumnIOFactory().getColumnIO(schema).getRecordWriter(store);
            NestedConsumer values = new NestedConsumer(consumer);
            for (int i = rows.from(); i < rows.to(); i++) {
                put(rows.order()[i], consumer, values);
            }
            consumer.flush();
            store.flush();
            pages.flushToFileWriter(file);
        }
        bytes += file.getPos() - before;
    }

    private void put(int row, RecordConsumer consumer, NestedConsumer values) {
        consumer.startMessage();
        if (vector.isNull(row)) {
            nulls++;
        } else {
            String name = column.column().name();
            consumer.startField(name, 0);
            values.put(column.column().type(), vector.dictionary(), vector.ids()[row]);
            consumer.endField(name, 0);
        }
        consumer.endMessage();
    }

    @Override
    public ColumnStatistics statistics() {
        return ColumnStatistics.of(null, null, nulls).withBytes(bytes);
    }

    @Override
    public void close() {}
}
