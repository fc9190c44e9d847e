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

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one topic-partition that are being written, one for each day. They are written under a hidden name and get
 * the name TOPIC+PARTITION+FIRST OFFSET+RECORDS.parquet when they are closed, so that a listing tells how many records can
 * be read. For one thread.
 */
final class OpenFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);
    private static final long DAY_MS = 86_400_000L;

    private final TopicPartition partition;
    private final ParquetSinkConfig config;
    private final Configuration hadoop;
    private final Map<Long, DayFile> days = new HashMap<>();
    private @Nullable AvroRows rows;
    private long firstOffset;
    private long nextOffset;
    private long openedNs;
    private int records;

    private static final class DayFile {
        private final Path hidden;
        private final ParquetWriter<GenericRecord> writer;
        private int records;

        DayFile(Path hidden, ParquetWriter<GenericRecord> writer) {
            this.hidden = hidden;
            this.writer = writer;
        }
    }

    OpenFiles(TopicPartition partition, ParquetSinkConfig config, Configuration hadoop) {
        this.partition = partition;
        this.config = config;
        this.hadoop = hadoop;
    }

    /** Adds a record, whose value must be a Struct. */
    void write(SinkRecord each) throws IOException {
        Struct struct = (Struct) each.value();
        if (rows == null || !rows.isOf(struct.schema())) {
            rows = new AvroRows(struct.schema());
        }
        if (records == 0) {
            firstOffset = each.kafkaOffset();
            openedNs = System.nanoTime();
        }
        long day = Math.floorDiv(((Date) struct.get(config.partitionField())).getTime(), DAY_MS);
        DayFile file = days.get(day);
        if (file == null) {
            file = open(day, rows);
            days.put(day, file);
        }
        file.writer.write(rows.row(struct));
        file.records++;
        records++;
        nextOffset = each.kafkaOffset() + 1;
    }

    private DayFile open(long day, AvroRows rows) throws IOException {
        String name = "." + partition + "-" + firstOffset + ".part";
        Path hidden = new Path(
                config.directory() + "/" + config.partitionField() + "=" + LocalDate.ofEpochDay(day) + "/" + name);
        ParquetWriter<GenericRecord> writer = AvroParquetWriter.<GenericRecord>builder(
                        HadoopOutputFile.fromPath(hidden, hadoop))
                .withSchema(rows.schema())
                .withConf(hadoop)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .build();
        return new DayFile(hidden, writer);
    }

    /** Whether there are records that are enough or old enough. */
    boolean isDue(long nowNs) {
        return records > 0
                && (records >= config.flushRecords() || nowNs - openedNs >= config.flushIntervalMs() * 1_000_000);
    }

    /** The offset after the last record. */
    long nextOffset() {
        return nextOffset;
    }

    /** Closes all files and lets readers see them. */
    void close(FileSystem fileSystem) throws IOException {
        for (DayFile file : days.values()) {
            file.writer.close();
        }
        for (DayFile file : days.values()) {
            String name = partition.topic() + "+" + partition.partition() + "+" + firstOffset + "+" + file.records;
            Path visible = new Path(Objects.requireNonNull(file.hidden.getParent()), name + ".parquet");
            if (!fileSystem.rename(file.hidden, visible)) {
                throw new IOException(file.hidden + " cannot be renamed to " + visible + ": does that exist already?");
            }
        }
        days.clear();
        records = 0;
    }

    /** Gives up what is not closed: it is read again. */
    void discard() {
        List<DayFile> files = new ArrayList<>(days.values());
        days.clear();
        records = 0;
        for (DayFile file : files) {
            try {
                file.writer.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed; it is overwritten or left over", file.hidden, e);
            }
        }
    }
}
