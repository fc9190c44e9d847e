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
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.ingest.commit.BufferMemory;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.commit.DatasetWriter;
import org.hadoopmpsr.ingest.commit.FlushLimits;
import org.hadoopmpsr.ingest.commit.HdfsCommitTarget;
import org.hadoopmpsr.ingest.commit.OpenDataset;
import org.hadoopmpsr.ingest.decode.file.ConfiguredFile;
import org.slf4j.Logger;

/** Makes the writers of a task, each for one dataset, of the connector's configuration. */
final class DatasetWriters {
    private static final Logger LOG = PrintableLog.of(DatasetWriters.class);

    private final MpsrSinkConfig config;
    private final SinkTaskContext context;
    private final Targets targets;
    private final DeadLetterFailures deadLetters;

    /** Opens the datasets. */
    @FunctionalInterface
    interface Targets {
        CommitTarget open(String path) throws IOException;
    }

    DatasetWriters(MpsrSinkConfig config, SinkTaskContext context) {
        this(config, context, hdfs(config));
    }

    DatasetWriters(MpsrSinkConfig config, SinkTaskContext context, Targets targets) {
        this.config = config;
        this.context = context;
        this.targets = targets;
        deadLetters = new DeadLetterFailures(config.connectorName(), context);
    }

    /** The datasets in HDFS. */
    static Targets hdfs(MpsrSinkConfig config) {
        return path -> HdfsCommitTarget.open(hadoopConf(config), URI.create(config.fsUri()), path);
    }

    DatasetWriter make(String path) {
        FlushLimits limits = new FlushLimits(
                config.flushRecords(),
                config.flushBytes(),
                config.workerBufferBytes(),
                config.flushIntervalMs(),
                config.retryBackoffMs());
        return new DatasetWriter(
                path,
                () -> open(path),
                config.namesTopicsByPattern(),
                limits,
                context,
                () -> System.nanoTime() / 1_000_000);
    }

    private OpenDataset open(String path) throws IOException {
        CommitTarget target = targets.open(path);
        Dataset dataset = target.dataset();
        LOG.info(
                "writes to {} ({}) in groups {}",
                dataset.path(),
                dataset.schema().ddl(),
                dataset.writtenGroups().names());
        return new OpenDataset(
                target,
                new CommitStager(target, dataset.writtenGroups(), config.writerThreads()),
                new Decoders(config, dataset)::of,
                BufferMemory.ofWorker(),
                new KafkaTopics(config.kafkaClient()),
                config.skipsGaps(),
                deadLetters);
    }

    /** @throws ConnectException naming the file that cannot be used, and nothing of what is in it */
    private static Configuration hadoopConf(MpsrSinkConfig config) {
        Configuration conf = new HdfsConfiguration();
        conf.setClassLoader(DatasetWriters.class.getClassLoader());
        if (!config.hadoopConfDir().isBlank()) {
            for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
                File file = new File(config.hadoopConfDir(), name);
                if (file.canRead()) {
                    addResource(conf, file);
                }
            }
        }
        return conf;
    }

    private static void addResource(Configuration conf, File file) {
        try {
            ConfiguredFile.read("the Hadoop configuration", file.getPath());
        } catch (IllegalArgumentException e) {
            throw new ConnectException(String.valueOf(e.getMessage()));
        }
        conf.addResource(new Path(file.toURI()));
        try {
            conf.size(); // reads it; what it throws tells of what is there instead
        } catch (RuntimeException e) {
            throw new ConnectException("cannot read the Hadoop configuration '" + PrintableText.of(file.getPath())
                    + "': it is not one (" + e.getClass().getSimpleName() + ")");
        }
    }
}
