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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.compact.CompactionOptions;
import org.hadoopmpsr.client.run.ChangeLimits;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.CompactionPlanner;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.MergeRules;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;

/** Merges small segments with the Spark job of {@code hdfs mpsr compact}, if the planner finds any. Thread-safe. */
public final class CompactionTask implements MaintenanceTask {
    /** The name of the task. */
    public static final String NAME = "compact";

    private final SegmentSource segments;
    private final FileSystem fs;
    private final int maxFiles;
    private final CompactionOptions options;
    private final DatasetJob job;
    /** By dataset id the merges, as ids of segments, that a run has found to be of no use. */
    private final Map<String, Set<List<String>>> useless = new ConcurrentHashMap<>();

    /** Where the segments of a dataset come from. */
    public interface SegmentSource {
        /** The current segments of the dataset at a path. */
        List<HeldSegment> of(String path) throws IOException;
    }

    public CompactionTask(
            SegmentSource segments,
            FileSystem fs,
            Configuration conf,
            CompactionOptions options,
            DatasetJob.Command command)
            throws IOException {
        this.segments = segments;
        this.fs = fs;
        this.maxFiles = ChangeLimits.maxFiles(conf);
        this.options = options;
        this.job = new DatasetJob(JobKind.COMPACT, fs, conf, options.runDir(), options.toArguments(), command);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isUnderway(Dataset dataset) throws IOException {
        return job.isUnderway(dataset);
    }

    @Override
    public Optional<Work> due(Dataset dataset) throws IOException {
        MergeRules rules = options.rules(fs.getDefaultBlockSize(new Path(dataset.path())), maxFiles);
        List<CompactionPlan> rounds = CompactionPlanner.rounds(segments.of(dataset.path()), rules);
        Set<List<String>> next = merges(rounds);
        return useless.getOrDefault(dataset.id(), Set.of()).containsAll(next)
                ? Optional.empty()
                : Optional.of(new Merges(dataset, rounds, next, job.next(dataset)));
    }

    /** The merges that are done first, as ids of segments. */
    private static Set<List<String>> merges(List<CompactionPlan> rounds) {
        Set<List<String>> merges = new HashSet<>();
        rounds.stream()
                .limit(1)
                .flatMap(round -> round.merges().stream())
                .forEach(merge -> merges.add(
                        merge.segments().stream().map(HeldSegment::id).toList()));
        return merges;
    }

    private final class Merges implements Work {
        private final Dataset dataset;
        private final List<CompactionPlan> rounds;
        private final Set<List<String>> next;
        private final JobRun job;

        Merges(Dataset dataset, List<CompactionPlan> rounds, Set<List<String>> next, JobRun job) {
            this.dataset = dataset;
            this.rounds = rounds;
            this.next = next;
            this.job = job;
        }

        @Override
        public String text() {
            return rounds.stream().mapToLong(round -> round.merges().size()).sum() + " merges of "
                    + rounds.stream().mapToLong(CompactionPlan::segments).sum() + " segments, "
                    + rounds.stream().mapToLong(CompactionPlan::bytesRead).sum() + " bytes";
        }

        @Override
        public Result run(Consumer<String> progress) throws IOException, InterruptedException {
            Result result = job.run(progress);
            if (result.outcome() == Outcome.DONE && result.segments() == 0) {
                useless.put(dataset.id(), next);
            }
            return result;
        }
    }
}
