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

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetReader;
import org.hadoopmpsr.benchmarks.generator.ReadingsFile;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.commit.HdfsCommitTarget;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Fills a dataset from a Parquet file through the sink's own buffer, stager and publish, without Kafka: the same files
 * and commits as those of a sink with one task that has a backlog. The file's rows stand for the offsets of a topic of
 * one partition, so that the NameNode fences a second load of the same rows.
 */
@Command(
        name = "bulk-load",
        mixinStandardHelpOptions = true,
        description = "Fills a dataset from a Parquet file as the sink would from a backlog; prints JSON with records,"
                + " commits, files, seconds and CPU seconds.")
public final class BulkLoad implements Callable<Integer> {
    /** The sink looks at its buffer's size after each poll, which brings so many records by Kafka's default. */
    private static final int POLLED_RECORDS = 500;

    @Option(names = "--file", required = true, description = "The Parquet file, with the dataset's columns.")
    private Path file;

    @Option(names = "--fs", required = true, description = "URI of the file system.")
    private URI fs;

    @Option(names = "--dataset", required = true, description = "Path of the dataset.")
    private String dataset;

    @Option(
            names = "--commit-records",
            defaultValue = "10000000",
            description = "The most of a commit (${DEFAULT-VALUE}, as the sink's mpsr.flush.records).")
    private int commitRecords;

    @Option(
            names = "--commit-bytes",
            defaultValue = "536870912",
            description =
                    "In memory, at which records are committed (${DEFAULT-VALUE}, as the sink's mpsr.flush.bytes).")
    private long commitBytes;

    @Option(names = "--threads", defaultValue = "2", description = "That write files (${DEFAULT-VALUE}).")
    private int threads;

    private long records;
    private long files;
    private int commits;

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new BulkLoad()).execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Configuration conf = new HdfsConfiguration();
        try (CommitTarget target = HdfsCommitTarget.open(conf, fs, dataset)) {
            Dataset described = target.dataset();
            RecordBuffer buffer = new RecordBuffer(described.schema());
            RecordAppender appender = new RecordAppender(buffer, described.groups());
            try (CommitStager stager = new CommitStager(target, described.groups(), threads);
                    ParquetReader<Boolean> reader = ReadingsFile.reader(
                            file, new BufferReadSupport(described.schema(), appender), FilterCompat.NOOP)) {
                while (reader.read() != null) {
                    if (isFull(buffer)) {
                        commit(target, stager, buffer);
                    }
                }
                if (buffer.rows() > 0) {
                    commit(target, stager, buffer);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "{\"records\": %d, \"commits\": %d, \"files\": %d, \"seconds\": %.3f, \"cpuSeconds\": %.3f}%n",
                records,
                commits,
                files,
                (System.nanoTime() - start) / 1e9,
                cpuSeconds());
        return 0;
    }

    private boolean isFull(RecordBuffer buffer) {
        int rows = buffer.rows();
        return rows == commitRecords || rows % POLLED_RECORDS == 0 && buffer.sizeBytes() >= commitBytes;
    }

    private void commit(CommitTarget target, CommitStager stager, RecordBuffer buffer)
            throws IOException, InterruptedException {
        CommitSource source = new CommitSource("bulk", 0, records, records + buffer.rows());
        String id = source.text();
        List<StagedFile> staged =
                stager.stage(buffer, id, target.begin(id).require()).files();
        PublishResult result = target.publish(id, List.of(source), staged);
        if (result.outcome() != PublishResult.Outcome.COMMITTED) {
            target.abort(id);
            throw new IOException("commit " + id + " was not published: " + result.outcome() + " " + result.reason()
                    + ". The dataset holds such rows already; load into a new one");
        }
        records += buffer.rows();
        files += staged.size();
        commits++;
        buffer.clear();
        System.out.println("progress " + records);
    }

    /** Of the whole process, with garbage collection and compilation. */
    private static double cpuSeconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
    }
}
