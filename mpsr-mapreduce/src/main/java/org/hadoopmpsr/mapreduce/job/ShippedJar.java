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

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobSubmissionFiles;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ClassUtil;
import org.hadoopmpsr.mapreduce.task.PlannedInputFormat;
import org.jspecify.annotations.Nullable;

/** The jar of MPSR, which tasks of a job need as one of the files that Hadoop brings to them. */
final class ShippedJar {
    /** Another name than users give it when they ship it themselves: two files of one name end a job. */
    static final String NAME = "mpsr-mapreduce-tasks.jar";

    private final Configuration conf;
    private final @Nullable String jar;

    /** @param conf the job's */
    ShippedJar(Configuration conf) {
        this(conf, ClassUtil.findContainingJar(PlannedInputFormat.class));
    }

    /** @param jar the local path of the jar; null if there is none */
    ShippedJar(Configuration conf, @Nullable String jar) {
        this.conf = conf;
        this.jar = jar;
    }

    private boolean isLocal() {
        return MRConfig.LOCAL_FRAMEWORK_NAME.equals(framework());
    }

    private String framework() {
        return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    }

    /** Why tasks cannot have MPSR's classes, if so. */
    Optional<String> problem() {
        if (isLocal()) {
            return Optional.empty();
        }
        if (!MRConfig.YARN_FRAMEWORK_NAME.equals(framework())) {
            return Optional.of(MRConfig.FRAMEWORK_NAME + " is " + framework());
        }
        if (conf.getBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false)) {
            return Optional.of(MRJobConfig.JOB_UBERTASK_ENABLE + " is true");
        }
        return jar == null ? Optional.of("the classes of MPSR are not in a jar") : Optional.empty();
    }

    /**
     * Writes the jar to the staging directory and adds it to the files that Hadoop brings to tasks. The local runner needs no
     * jar: tasks run in the client.
     *
     * @param fs the file system of the staging directory
     */
    void ship(FileSystem fs, Path staging) throws IOException {
        if (isLocal() || jar == null) {
            return;
        }
        Path shipped = new Path(staging, NAME);
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(java.nio.file.Path.of(jar)));
                ZipOutputStream out = new ZipOutputStream(fs.create(shipped))) {
            copy(in, out);
        }
        fs.setPermission(shipped, new FsPermission(JobSubmissionFiles.JOB_FILE_PERMISSION));
        fs.setReplication(shipped, (short) conf.getInt(Job.SUBMIT_REPLICATION, Job.DEFAULT_SUBMIT_REPLICATION));
        FileStatus status = fs.getFileStatus(shipped);
        Job.addFileToClassPath(shipped, conf, fs);
        // what Hadoop's client found out of the job's other files before
        append(MRJobConfig.CACHE_FILE_TIMESTAMPS, String.valueOf(status.getModificationTime()));
        append(MRJobConfig.CACHE_FILES_SIZES, String.valueOf(status.getLen()));
        append(MRJobConfig.CACHE_FILE_VISIBILITIES, "false");
    }

    /** Without the services: a task that submits jobs does so as without MPSR. */
    private static void copy(ZipInputStream in, ZipOutputStream out) throws IOException {
        out.setLevel(Deflater.BEST_SPEED);
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            if (!entry.getName().startsWith("META-INF/services/")) {
                out.putNextEntry(new ZipEntry(entry.getName()));
                in.transferTo(out);
                out.closeEntry();
            }
        }
    }

    private void append(String key, String value) {
        String before = conf.get(key, "");
        conf.set(key, before.isEmpty() ? value : before + "," + value);
    }
}
