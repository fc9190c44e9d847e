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
package org.hadoopmpsr.ingest;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.commit.HdfsCommitTarget;
import org.hadoopmpsr.ingest.commit.IngestSession;
import org.hadoopmpsr.ingest.commit.IngestSession.FlushLimits;
import org.hadoopmpsr.ingest.commit.OffsetGaps;
import org.hadoopmpsr.ingest.decode.AvroDecoder;
import org.hadoopmpsr.ingest.decode.ConnectDecoder;
import org.hadoopmpsr.ingest.decode.JsonDecoder;
import org.hadoopmpsr.ingest.decode.ProtobufDecoder;
import org.hadoopmpsr.ingest.decode.ProtobufMessages;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a task, made from its configuration, and what they hold open. */
record SinkParts(IngestSession session, CommitTarget target, KafkaEarliestOffsets earliest) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SinkParts.class);

    /** @throws ConnectException when the dataset is not there, or the messages cannot fill it */
    static SinkParts assemble(MpsrSinkConfig config, SinkTaskContext context) {
        CommitTarget target = null;
        try {
            target = HdfsCommitTarget.open(hadoopConf(config), URI.create(config.fsUri()), config.dataset());
            Dataset dataset = target.dataset();
            return assemble(config, context, target, dataset);
        } catch (FileNotFoundException e) {
            closeQuietly(target);
            throw new ConnectException(
                    "there is no dataset at " + config.dataset() + " in " + config.fsUri()
                            + "; create it with 'hdfs mpsr dataset create'",
                    e);
        } catch (IOException e) {
            closeQuietly(target);
            throw new ConnectException(
                    "cannot open the dataset " + config.dataset() + " in " + config.fsUri() + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            closeQuietly(target);
            throw new ConnectException("the configuration does not fit the dataset: " + e.getMessage(), e);
        }
    }

    private static SinkParts assemble(
            MpsrSinkConfig config, SinkTaskContext context, CommitTarget target, Dataset dataset) {
        RecordDecoder decoder = decoder(config, dataset.schema());
        RecordBuffer buffer = new RecordBuffer(dataset.schema());
        KafkaEarliestOffsets earliest = new KafkaEarliestOffsets(config.kafkaClient());
        FlushLimits limits = new FlushLimits(
                config.flushRecords(), config.flushBytes(), config.flushIntervalMs(), config.retryBackoffMs());
        IngestSession session = new IngestSession(
                target,
                new CommitStager(target, dataset.groups(), config.writerThreads()),
                decoder,
                buffer,
                new RecordAppender(buffer, dataset.groups()),
                new OffsetGaps(config.skipsGaps(), earliest),
                limits,
                context,
                () -> System.nanoTime() / 1_000_000);
        LOG.info(
                "writes to {} ({}) in groups {}",
                dataset.path(),
                dataset.schema().ddl(),
                dataset.groups().names());
        return new SinkParts(session, target, earliest);
    }

    private static RecordDecoder decoder(MpsrSinkConfig config, Schema schema) {
        return switch (config.format()) {
            case JSON -> new JsonDecoder(schema, config.columns());
            case CONNECT -> new ConnectDecoder(schema, config.columns());
            case AVRO ->
                new AvroDecoder(
                        schema, config.columns(), AvroDecoder.load(config.avroSchemas()), config.avroSingleObject());
            case PROTOBUF ->
                new ProtobufDecoder(
                        ProtobufMessages.load(Path.of(config.protobufDescriptor()), config.protobufMessage()),
                        schema,
                        config.columns());
        };
    }

    private static Configuration hadoopConf(MpsrSinkConfig config) {
        Configuration conf = new HdfsConfiguration();
        conf.setClassLoader(SinkParts.class.getClassLoader());
        if (!config.hadoopConfDir().isBlank()) {
            for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
                File file = new File(config.hadoopConfDir(), name);
                if (file.canRead()) {
                    conf.addResource(new org.apache.hadoop.fs.Path(file.toURI()));
                }
            }
        }
        return conf;
    }

    private static void closeQuietly(@org.jspecify.annotations.Nullable CommitTarget target) {
        if (target != null) {
            try {
                target.close();
            } catch (IOException e) {
                LOG.warn("cannot close the connection to HDFS", e);
            }
        }
    }

    @Override
    public void close() {
        session.close();
        earliest.close();
        closeQuietly(target);
    }
}
