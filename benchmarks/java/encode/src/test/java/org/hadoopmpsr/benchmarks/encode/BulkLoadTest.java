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
package org.hadoopmpsr.benchmarks.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.hadoopmpsr.benchmarks.generator.CalsCatalog;
import org.hadoopmpsr.benchmarks.generator.CalsParquet;
import org.hadoopmpsr.benchmarks.generator.CalsStream;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Reading;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Shape;
import org.hadoopmpsr.benchmarks.generator.ReadingsFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BulkLoadTest {
    private static final String COLUMNS = "signal string not null, device string not null, system string not null,"
            + " timestamp_ns timestamp_ns not null, value double, fill bigint not null, mode string not null";
    private static final Shape SHAPE = new Shape(1_493_596_800_000_000_000L, 1_000_000, 0.1, 0.05, 0.2);

    @TempDir
    private Path dir;

    private Path file(int records) throws IOException {
        Path file = dir.resolve("records.parquet");
        CalsCatalog catalog = new CalsCatalog(100, 10, 5, 7);
        CalsStream stream = new CalsStream(catalog, SHAPE, 7);
        try (ParquetWriter<Reading> writer = CalsParquet.open(file, catalog)) {
            for (int i = 0; i < records; i++) {
                writer.write(stream.next());
            }
        }
        return file;
    }

    private static RecordBuffer read(Path file, Schema schema) throws IOException {
        RecordBuffer buffer = new RecordBuffer(schema);
        BufferReadSupport support = new BufferReadSupport(schema, new RecordAppender(buffer));
        try (ParquetReader<Boolean> reader = ReadingsFile.reader(file, support, FilterCompat.NOOP)) {
            int rows = 0;
            while (reader.read() != null) {
                assertThat(buffer.rows()).isEqualTo(++rows);
            }
        }
        return buffer;
    }

    @Test
    void readsEveryRecordIntoTheSinksBuffer() throws Exception {
        Schema schema = Schema.parse(COLUMNS);
        RecordBuffer read = read(file(5000), schema);

        RecordBuffer expected = new RecordBuffer(schema);
        RecordAppender appender = new RecordAppender(expected);
        CalsCatalog catalog = new CalsCatalog(100, 10, 5, 7);
        CalsStream stream = new CalsStream(catalog, SHAPE, 7);
        for (int i = 0; i < 5000; i++) {
            Reading reading = stream.next();
            appender.begin();
            byte[][] texts = {
                catalog.signal(reading.signal()), catalog.device(reading.signal()), catalog.system(reading.signal())
            };
            for (int column = 0; column < texts.length; column++) {
                appender.putUtf8(column, texts[column], 0, texts[column].length);
            }
            appender.putLong(3, reading.timestampNs());
            if (reading.hasValue()) {
                appender.putDouble(4, reading.value());
            }
            appender.putLong(5, reading.fill());
            byte[] mode = CalsStream.mode(reading.mode());
            appender.putUtf8(6, mode, 0, mode.length);
            appender.end(0);
        }
        assertThat(read.content()).isEqualTo(expected.content());
    }

    @Test
    void saysWhichColumnTheFileLacks() throws Exception {
        Path file = file(1);
        assertThatThrownBy(() -> read(file, Schema.parse("signal string not null, current double")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no column 'current'")
                .hasMessageContaining("signal string not null");
    }

    @Test
    void saysWhichValueDoesNotFit() throws Exception {
        Path file = file(1);
        assertThatThrownBy(() -> read(file, Schema.parse("signal double")))
                .hasStackTraceContaining("a record of the Parquet file does not fit: column 'signal'");
    }

    @Test
    void asksForTheFileAndTheDataset() {
        assertThat(new CommandLine(new BulkLoad()).execute("--file", "f")).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
