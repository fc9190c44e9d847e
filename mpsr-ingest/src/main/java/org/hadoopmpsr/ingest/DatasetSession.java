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
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.ingest.buffer.BufferMemory;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.commit.HdfsCommitTarget;
import org.hadoopmpsr.ingest.commit.IngestSession;
import org.hadoopmpsr.ingest.commit.IngestSession.FlushLimits;
import org.hadoopmpsr.ingest.commit.OffsetGaps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dataset that a task writes to: the session, and what it holds open. Used by one thread, Connect's.
 *
 * @param decoders of the topics that go to the dataset
 */
record DatasetSession(IngestSession session, CommitTarget target, KafkaEarliestOffsets earliest, Decoders decoders)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetSession.class);

    /** @throws ConnectException when the dataset is not there */
    static DatasetSession open(MpsrSinkConfig config, String path, SinkTaskContext context) {
        CommitTarget target = null;
        try {
            target = HdfsCommitTarget.open(hadoopConf(config), URI.create(config.fsUri()), path);
            Dataset dataset = target.dataset();
            return assemble(config, context, target, dataset);
        } catch (FileNotFoundException e) {
            closeQuietly(target);
            throw new ConnectException(
                    "there is no dataset at " + path + " in " + config.fsUri()
                            + "; create it with 'hdfs mpsr dataset create'",
                    e);
        } catch (IOException e) {
            closeQuietly(target);
            throw new ConnectException(
                    "cannot open the dataset " + path + " in " + config.fsUri() + ": " + e.getMessage(), e);
        }
    }

    static DatasetSession assemble(
            MpsrSinkConfig config, SinkTaskContext context, CommitTarget target, Dataset dataset) {
        Decoders decoders = new Decoders(config, dataset);
        RecordBuffer buffer = new RecordBuffer(dataset.schema());
        KafkaEarliestOffsets earliest = new KafkaEarliestOffsets(config.kafkaClient());
        FlushLimits limits = new FlushLimits(
                config.flushRecords(),
                config.flushBytes(),
                config.workerBufferBytes(),
                config.flushIntervalMs(),
                config.retryBackoffMs());
        IngestSession session = new IngestSession(
                target,
                new CommitStager(target, dataset.groups(), config.writerThreads()),
                decoders::of,
                buffer,
                BufferMemory.ofWorker(),
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
        return new DatasetSession(session, target, earliest, decoders);
    }

    private static Configuration hadoopConf(MpsrSinkConfig config) {
        Configuration conf = new HdfsConfiguration();
        conf.setClassLoader(DatasetSession.class.getClassLoader());
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
