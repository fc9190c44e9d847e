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
package org.hadoopmpsr.mapreduce.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobSubmissionFiles;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.apache.parquet.hadoop.ParquetInputSplit;
import org.hadoopmpsr.mapreduce.Redirect.InconsistentJobException;
import org.hadoopmpsr.mapreduce.task.OldPlannedSplit;
import org.hadoopmpsr.mapreduce.task.PlannedFile;
import org.hadoopmpsr.mapreduce.task.PlannedSplit;
import org.jspecify.annotations.Nullable;

/** The configuration and the splits of a job, which Hadoop's client wrote to the job's staging directory. */
final class StagedJob {
    private final Path staging;
    private final FileSystem fs;
    private final JobConf conf;

    private StagedJob(Path staging, FileSystem fs, JobConf conf) {
        this.staging = staging;
        this.fs = fs;
        this.conf = conf;
    }

    /** @param client the configuration that resolves a path without scheme and has the job's class loader */
    static StagedJob open(Path staging, Configuration client) throws IOException {
        FileSystem fs = staging.getFileSystem(client);
        JobConf conf = new JobConf(false);
        conf.setClassLoader(client.getClassLoader());
        conf.addResource(new ByteArrayInputStream(bytes(fs, JobSubmissionFiles.getJobConfPath(staging))));
        conf.size(); // reads it
        return new StagedJob(staging, fs, conf);
    }

    /** The job's configuration. {@link #replace} writes changes to the staging directory. */
    JobConf conf() {
        return conf;
    }

    /** The job's name. */
    String name() {
        return staging.getName();
    }

    /** Adds a jar to the files that Hadoop brings to the job's tasks. */
    void ship(ShippedJar jar) throws IOException {
        jar.ship(fs, staging);
    }

    /** The parts that the maps read; empty where a split is not a part of a file as Parquet's own formats make it. */
    Optional<FileParts> parts() throws IOException {
        Path splits = JobSubmissionFiles.getJobSplitFile(staging);
        List<FilePart> parts = new ArrayList<>();
        try (FSDataInputStream in = fs.open(splits)) {
            for (TaskSplitMetaInfo split : SplitMetaInfoReader.readSplitMetaInfo(new JobID(), fs, conf, staging)) {
                in.seek(split.getStartOffset());
                Optional<FilePart> part = part(Text.readString(in), in, List.of(split.getLocations()));
                if (part.isEmpty()) {
                    return Optional.empty();
                }
                parts.add(part.get());
            }
        }
        return Optional.of(new FileParts(parts));
    }

    private Optional<FilePart> part(String type, FSDataInputStream in, List<String> hosts) throws IOException {
        if (conf.getUseNewMapper() && type.equals(ParquetInputSplit.class.getName())) {
            ParquetInputSplit split = new ParquetInputSplit();
            split.readFields(in);
            return split.getRowGroupOffsets() == null
                    ? Optional.of(new FilePart(split.getPath(), split.getStart(), split.getLength(), hosts))
                    : Optional.empty();
        }
        if (!conf.getUseNewMapper() && type.equals(FileSplit.class.getName())) {
            FileSplit split = new FileSplit(new Path("/"), 0, 0, new String[0]);
            split.readFields(in);
            return Optional.of(new FilePart(split.getPath(), split.getStart(), split.getLength(), hosts));
        }
        return Optional.empty();
    }

    /**
     * Replaces the parts that the maps read, and writes the configuration.
     *
     * @param planned the files whose splits tell the plan
     * @throws InconsistentJobException if this failed and the earlier files could not be written back
     */
    void replace(FileParts parts, Map<Path, PlannedFile> planned) throws IOException, InterruptedException {
        conf.setInt(MRJobConfig.NUM_MAPS, parts.list().size());
        Map<Path, byte[]> before = Map.of(
                JobSubmissionFiles.getJobSplitFile(staging), bytes(fs, JobSubmissionFiles.getJobSplitFile(staging)),
                JobSubmissionFiles.getJobSplitMetaFile(staging),
                        bytes(fs, JobSubmissionFiles.getJobSplitMetaFile(staging)),
                JobSubmissionFiles.getJobConfPath(staging), bytes(fs, JobSubmissionFiles.getJobConfPath(staging)));
        try {
            writeSplits(parts, planned);
            ByteArrayOutputStream xml = new ByteArrayOutputStream();
            conf.writeXml(xml);
            write(JobSubmissionFiles.getJobConfPath(staging), xml.toByteArray());
        } catch (IOException | InterruptedException | RuntimeException e) {
            restore(before, e);
            throw e;
        }
    }

    private void restore(Map<Path, byte[]> before, Exception failure) throws InconsistentJobException {
        try {
            for (Map.Entry<Path, byte[]> file : before.entrySet()) {
                write(file.getKey(), file.getValue());
            }
        } catch (IOException | RuntimeException e) {
            e.addSuppressed(failure);
            throw new InconsistentJobException(staging, e);
        }
    }

    /** Writes the longest part first, as Hadoop's client does. */
    private void writeSplits(FileParts parts, Map<Path, PlannedFile> planned) throws IOException, InterruptedException {
        List<FilePart> sorted = parts.list().stream()
                .sorted(Comparator.comparingLong(FilePart::length).reversed())
                .toList();
        if (conf.getUseNewMapper()) {
            JobSplitWriter.createSplitFiles(
                    staging,
                    conf,
                    fs,
                    sorted.stream()
                            .map(part -> newSplit(part, planned.get(part.file())))
                            .toArray(org.apache.hadoop.mapreduce.InputSplit[]::new));
        } else {
            JobSplitWriter.createSplitFiles(
                    staging,
                    conf,
                    fs,
                    sorted.stream()
                            .map(part -> oldSplit(part, planned.get(part.file())))
                            .toArray(InputSplit[]::new));
        }
    }

    private static org.apache.hadoop.mapreduce.InputSplit newSplit(FilePart part, @Nullable PlannedFile planned) {
        String[] hosts = part.hosts().toArray(new String[0]);
        if (planned != null) {
            return new PlannedSplit(part.file(), part.start(), part.length(), hosts, planned);
        }
        long end = part.start() + part.length();
        return new ParquetInputSplit(part.file(), part.start(), end, part.length(), hosts, null);
    }

    private static FileSplit oldSplit(FilePart part, @Nullable PlannedFile planned) {
        String[] hosts = part.hosts().toArray(new String[0]);
        return planned == null
                ? new FileSplit(part.file(), part.start(), part.length(), hosts)
                : new OldPlannedSplit(part.file(), part.start(), part.length(), hosts, planned);
    }

    private static byte[] bytes(FileSystem fs, Path file) throws IOException {
        try (FSDataInputStream in = fs.open(file)) {
            return in.readAllBytes();
        }
    }

    private void write(Path file, byte[] bytes) throws IOException {
        FsPermission permission = new FsPermission(JobSubmissionFiles.JOB_FILE_PERMISSION);
        // not with resources: HDFS fails write and close with one exception, which cannot be added to itself
        OutputStream out = FileSystem.create(fs, file, permission);
        try {
            out.write(bytes);
        } finally {
            out.close();
        }
    }
}
