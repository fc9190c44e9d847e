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
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.rebuild.RebuildOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.core.rebuild.Damage;

/** Rebuilds what is damaged, with the Spark job of {@code hdfs mpsr rebuild}. Thread-safe. */
public final class RebuildTask implements MaintenanceTask {
    /** The name of the task. */
    public static final String NAME = "rebuild";

    private final DamageSource damages;
    private final RebuildOptions options;
    private final DatasetJob job;

    /** Where the damage of a dataset comes from. */
    public interface DamageSource {
        /** What is damaged in the dataset at a path, at least the most endangered of it. */
        List<Damage> of(String path) throws IOException;
    }

    public RebuildTask(
            DamageSource damages, FileSystem fs, Configuration conf, RebuildOptions options, DatasetJob.Command command)
            throws IOException {
        this.damages = damages;
        this.options = options;
        this.job = new DatasetJob(JobKind.REBUILD, fs, conf, options.runDir(), options.toArguments(), command);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isUnderway(Dataset dataset) throws IOException {
        return job.isUnderway(dataset);
    }

    /** What has no live copy is not due: nothing can be done for it. */
    @Override
    public Optional<Work> due(Dataset dataset) throws IOException {
        List<Damage> due = damages.of(dataset.path()).stream()
                .filter(damage -> options.wants(damage) && damage.liveCopies() > 0)
                .toList();
        return due.isEmpty() ? Optional.empty() : Optional.of(new Rebuilds(due, job.next(dataset)));
    }

    private record Rebuilds(List<Damage> due, JobRun job) implements Work {
        @Override
        public String text() {
            return "rebuild of " + due.size() + " segments of groups, "
                    + due.stream().mapToLong(damage -> damage.files().size()).sum() + " damaged files";
        }

        @Override
        public Result run(Consumer<String> progress) throws IOException, InterruptedException {
            return job.run(progress);
        }
    }
}
