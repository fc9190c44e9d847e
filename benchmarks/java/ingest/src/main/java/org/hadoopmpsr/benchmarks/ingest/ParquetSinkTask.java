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
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as Avro into Parquet files, the usual way: one file for each topic-partition and day, closed after so
 * many records or milliseconds; offsets are committed after that. At least once: a crash between two files doubles
 * records. It exists to be measured, not to be used.
 */
public final class ParquetSinkTask extends SinkTask {
    private final Map<TopicPartition, OpenFiles> open = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> written = new HashMap<>();
    private @Nullable ParquetSinkConfig config;
    private @Nullable Configuration hadoop;
    private @Nullable FileSystem fileSystem;

    @Override
    public String version() {
        return "benchmark";
    }

    @Override
    public void start(Map<String, String> props) {
        config = new ParquetSinkConfig(props);
        hadoop = config.hadoop();
        try {
            fileSystem = new Path(config.directory()).getFileSystem(hadoop);
        } catch (IOException e) {
            throw new ConnectException("the file system of " + config.directory() + " cannot be reached", e);
        }
    }

    @Override
    public void put(Collection<SinkRecord> records) {
        try {
            for (SinkRecord each : records) {
                files(new TopicPartition(each.topic(), each.kafkaPartition())).write(each);
            }
            closeDue();
        } catch (IOException e) {
            throw new ConnectException(
                    "the records cannot be written below " + started().directory(), e);
        }
    }

    private OpenFiles files(TopicPartition partition) {
        return open.computeIfAbsent(partition, p -> new OpenFiles(p, started(), Objects.requireNonNull(hadoop)));
    }

    private void closeDue() throws IOException {
        long now = System.nanoTime();
        for (Map.Entry<TopicPartition, OpenFiles> each : open.entrySet()) {
            OpenFiles files = each.getValue();
            if (files.isDue(now)) {
                files.close(Objects.requireNonNull(fileSystem));
                written.put(each.getKey(), new OffsetAndMetadata(files.nextOffset()));
            }
        }
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> current) {
        Map<TopicPartition, OffsetAndMetadata> found = Map.copyOf(written);
        written.clear();
        return found;
    }

    @Override
    public void close(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            OpenFiles files = open.remove(partition);
            if (files != null) {
                files.discard();
            }
            written.remove(partition);
        }
    }

    @Override
    public void stop() {
        open.values().forEach(OpenFiles::discard);
        open.clear();
    }

    private ParquetSinkConfig started() {
        return Objects.requireNonNull(config, "start comes first");
    }
}
