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
package org.hadoopmpsr.benchmarks.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetSinkTaskTest {
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final TopicPartition PARTITION = new TopicPartition("t", 3);

    @TempDir
    private Path dir;

    private final MeasurementConverter converter = new MeasurementConverter();
    private final ParquetSinkTask task = new ParquetSinkTask();

    @BeforeEach
    void start() throws IOException {
        Path conf = Files.createDirectory(dir.resolve("conf"));
        for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
            Files.writeString(conf.resolve(name), "<configuration/>");
        }
        task.start(Map.of(
                "parquet.directory",
                dir.resolve("out").toUri().toString(),
                "parquet.hadoop.conf.dir",
                conf.toString(),
                "parquet.partition.field",
                "day",
                "parquet.flush.records",
                "3",
                "parquet.flush.interval.ms",
                "3600000"));
    }

    @AfterEach
    void stop() {
        task.stop();
    }

    private SinkRecord sinkRecord(long offset, long timestampNs, boolean hasValue) {
        var message = MeasurementConverterTest.measurement(timestampNs);
        SchemaAndValue value = converter.toConnectData(
                "t", (hasValue ? message.setValue(offset) : message).build().toByteArray());
        return new SinkRecord("t", 3, null, null, value.schema(), value.value(), offset);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> found = Files.walk(dir.resolve("out"))) {
            return found.filter(file -> file.toString().endsWith(".parquet"))
                    .map(file -> dir.resolve("out").relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void closesTheFilesOfAllDaysAndThenCommits() throws IOException {
        task.put(List.of(sinkRecord(10, 5, true), sinkRecord(11, DAY_NS, false)));
        assertThat(files()).isEmpty();
        assertThat(task.preCommit(Map.of(PARTITION, new OffsetAndMetadata(12)))).isEmpty();

        task.put(List.of(sinkRecord(12, 7, true)));
        assertThat(files()).containsExactly("day=1970-01-01/t+3+10+2.parquet", "day=1970-01-02/t+3+10+1.parquet");
        assertThat(task.preCommit(Map.of())).containsExactly(Map.entry(PARTITION, new OffsetAndMetadata(13)));
        assertThat(rows("day=1970-01-01/t+3+10+2.parquet"))
                .containsExactly("S:µ D CRYO 5 10.0 null null 1970-01-01", "S:µ D CRYO 7 12.0 null null 1970-01-01");
        assertThat(rows("day=1970-01-02/t+3+10+1.parquet"))
                .containsExactly("S:µ D CRYO 86400000000000 null null null 1970-01-02");
    }

    @Test
    void readsAgainWhatIsNotClosedWhenAPartitionComesBack() throws IOException {
        task.put(List.of(sinkRecord(0, 5, true)));
        task.close(Set.of(PARTITION));
        assertThat(task.preCommit(Map.of())).isEmpty();
        task.put(List.of(sinkRecord(0, 5, true), sinkRecord(1, 6, true), sinkRecord(2, 7, true)));
        assertThat(files()).containsExactly("day=1970-01-01/t+3+0+3.parquet");
    }

    private List<String> rows(String file) throws IOException {
        List<String> rows = new ArrayList<>();
        try (ParquetReader<GenericRecord> reader = AvroParquetReader.<GenericRecord>builder(
                        new LocalInputFile(dir.resolve("out").resolve(file)))
                .build()) {
            for (GenericRecord row = reader.read(); row != null; row = reader.read()) {
                List<String> values = new ArrayList<>();
                for (var field : row.getSchema().getFields()) {
                    values.add(String.valueOf(row.get(field.pos())));
                }
                rows.add(String.join(" ", values));
            }
        }
        return rows;
    }
}
