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
package org.hadoopmpsr.client.maintain;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.rebuild.RebuildOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.rebuild.Damage;

/** Rebuilds what is damaged, with the Spark job of {@code hdfs mpsr rebuild}. Thread-safe. */
public final class RebuildTask implements MaintenanceTask {
    /** The name of the task. */
    public static final String NAME = "rebuild";

    private final DamageSource damages;
    private final FileSystem fs;
    private final RebuildOptions options;
    private final RunRecords records;
    private final Job job;

    /** Where the damage of a dataset comes from. */
    public interface DamageSource {
        /** What is damaged in the dataset at a path, at least the most endangered of it. */
        List<Damage> of(String path) throws IOException;
    }

    /** The command line of the Spark job. */
    public interface Job {
        /**
         * Makes it.
         *
         * @param dataset the dataset directory, with the scheme
         * @throws IOException if Spark or the jar is missing
         */
        List<String> command(RebuildOptions options, String dataset) throws IOException;
    }

    public RebuildTask(DamageSource damages, FileSystem fs, Configuration conf, RebuildOptions options, Job job)
            throws IOException {
        this.damages = damages;
        this.fs = fs;
        this.options = options;
        this.records = new RunRecords(JobKind.REBUILD, fs, conf, options.runDir());
        this.job = job;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** True for any rebuild of this user, and for some minutes after the loss of its driver. */
    @Override
    public boolean isUnderway(Dataset dataset) throws IOException {
        return records.read(dataset.id())
                .filter(run -> run.isAlive(System.currentTimeMillis()))
                .isPresent();
    }

    /** What has no live copy is not due: nothing can be done for it. */
    @Override
    public Optional<Work> due(Dataset dataset) throws IOException {
        RunRecord last = records.read(dataset.id()).orElse(null);
        List<Damage> due = damages.of(dataset.path()).stream()
                .filter(damage -> options.wants(damage) && damage.liveCopies() > 0)
                .toList();
        return due.isEmpty()
                ? Optional.empty()
                : Optional.of(new Rebuilds(dataset, due, last == null ? "" : last.application()));
    }

    /** @param before the application of the run before, or an empty string */
    private final class Rebuilds implements Work {
        private final Dataset dataset;
        private final List<Damage> due;
        private final String before;

        Rebuilds(Dataset dataset, List<Damage> due, String before) {
            this.dataset = dataset;
            this.due = due;
            this.before = before;
        }

        @Override
        public String text() {
            return "rebuild of " + due.size() + " segments of groups, "
                    + due.stream().mapToLong(damage -> damage.files().size()).sum() + " damaged files";
        }

        @Override
        public Result run(Consumer<String> progress) throws IOException, InterruptedException {
            String uri = fs.makeQualified(new Path(dataset.path())).toString();
            return new JobRun(records, dataset.id(), before).run(job.command(options, uri), progress);
        }
    }
}
