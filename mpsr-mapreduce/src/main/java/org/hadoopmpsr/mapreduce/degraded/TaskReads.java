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
package org.hadoopmpsr.mapreduce.degraded;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.hadoopmpsr.client.degraded.Attempt;
import org.hadoopmpsr.client.degraded.OtherGroup;
import org.hadoopmpsr.client.degraded.PartReader;
import org.hadoopmpsr.client.degraded.PartReads;
import org.hadoopmpsr.client.degraded.PartRecords;
import org.hadoopmpsr.client.degraded.PlannedFileSystem;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.mapreduce.JobClassLoader;

/**
 * The ways in which a map reads its part of a planned file, each with the job's own input format. For one thread.
 *
 * @param <R> the record reader of the API
 */
abstract class TaskReads<R> implements PartReads<R> {
    /** The counter of parts that come from another group, and its group. */
    static final String COUNTERS = "MPSR";

    static final String DEGRADED_READS = "DEGRADED_READS";

    private static final String LOCAL = MRConfig.LOCAL_FRAMEWORK_NAME;
    private static final int DEFAULT_ATTEMPTS = 4;

    private final Configuration conf;
    private final PlannedPart part;

    TaskReads(Configuration conf, PlannedPart part) {
        this.conf = conf;
        this.part = part;
    }

    /** Opens a part of a file with the job's input format. */
    abstract PartRecords<R> open(Path file, long start, long length) throws Exception;

    /** Counts a part that comes from another group. */
    abstract void count();

    /** A reader of the part, which is not begun. */
    PartReader<R> reader() {
        TaskAttemptID id = TaskAttemptID.forName(conf.get(MRJobConfig.TASK_ATTEMPT_ID));
        int attempt = id == null ? 0 : id.getId();
        boolean isLocal = conf.get(MRConfig.FRAMEWORK_NAME, LOCAL).equals(LOCAL);
        int attempts = isLocal ? 1 : conf.getInt(MRJobConfig.MAP_MAX_ATTEMPTS, DEFAULT_ATTEMPTS);
        return new PartReader<>(
                this,
                part.path().toUri().getPath(),
                part.file().dataset(),
                new Attempt(attempt == 0, attempt + 1 < attempts, () -> false),
                ConfigKeys.degradedTimeoutMs(conf::get));
    }

    @Override
    public PartRecords<R> failingSoon() throws Exception {
        return open(PlannedFileSystem.path(part.path()), part.start(), part.length());
    }

    @Override
    public List<Set<String>> nodes() {
        return PlannedFileSystem.nodes(PlannedFileSystem.path(part.path()), part.start(), part.length());
    }

    @Override
    public PartRecords<R> patient() throws Exception {
        return open(part.path(), part.start(), part.length());
    }

    /** Whatever is asked for, another group's records are all read before the first one is given. */
    @Override
    public OtherGroup<R> fromOtherGroup(boolean careful) throws Exception {
        OtherGroup<R> other;
        try {
            other = new JobClassLoader(conf.getClassLoader())
                    .create("LostRecords", LostParts.class)
                    .records(conf, part, file -> open(new Path(file.toURI()), 0, file.length()));
        } catch (LinkageError e) {
            throw new IOException("the job's version of Parquet lacks what reading from another group needs: " + e, e);
        }
        count();
        return other;
    }

    /** A failure as Hadoop's record readers throw it. */
    static IOException thrown(Exception failure) {
        return failure instanceof IOException known ? known : new IOException(failure);
    }
}
