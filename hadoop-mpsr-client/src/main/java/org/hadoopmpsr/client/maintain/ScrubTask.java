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
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.scrub.ScrubOptions;
import org.hadoopmpsr.client.scrub.ScrubRecords;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.hadoopmpsr.core.scrub.ScrubSchedule;
import org.hadoopmpsr.core.scrub.ScrubSchedule.Candidate;
import org.hadoopmpsr.core.scrub.ScrubState;
import org.jspecify.annotations.Nullable;

/** Reads every segment once in a period, and heals what is wrong, with a Spark job. Thread-safe. */
public final class ScrubTask implements MaintenanceTask {
    /** The name of the task. */
    public static final String NAME = "scrub";

    /** A run reads about as much as the limit allows in so many seconds. */
    private static final long RUN_SECONDS = 600;

    private static final long MEGABYTE = 1_000_000;

    private final SegmentSource segments;
    private final ScrubOptions options;
    private final ScrubRecords records;
    private final DatasetJob job;

    /** Where the segments of a dataset come from. */
    public interface SegmentSource {
        /** The current segments of the dataset at a path. */
        List<Candidate> of(String path) throws IOException;
    }

    /**
     * Of options.
     *
     * @param options one with a bandwidth of 0 scrubs nothing
     */
    public ScrubTask(
            SegmentSource segments, FileSystem fs, Configuration conf, ScrubOptions options, DatasetJob.Command command)
            throws IOException {
        this.segments = segments;
        this.options = options;
        this.records = new ScrubRecords(fs, conf, options.runDir());
        this.job = new DatasetJob(JobKind.SCRUB, fs, conf, options.runDir(), options.toArguments(), command);
    }

    /**
     * What the configuration asks for.
     *
     * @param bandwidth the most bytes that any run reads in a second; 0 if only the configuration limits it
     */
    public static ScrubOptions options(Configuration conf, long bandwidth, int parallelism, @Nullable String runDir) {
        long rate = number(conf, ConfigKeys.SCRUB_RATE.name(), ConfigKeys.SCRUB_RATE.defaultValue(), 0) * MEGABYTE;
        long own = bandwidth == 0 ? rate : Math.min(rate, bandwidth);
        String days = ConfigKeys.SCRUB_PERIOD_DAYS.name();
        return new ScrubOptions(
                false,
                List.of(),
                number(conf, days, ConfigKeys.SCRUB_PERIOD_DAYS.defaultValue(), 1),
                Math.max(1, own * RUN_SECONDS),
                own,
                parallelism,
                runDir);
    }

    private static long number(Configuration conf, String key, String usual, long least) {
        String text = conf.get(key, usual).strip();
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) { // said below
        }
        throw new IllegalArgumentException(key + " has the value '" + text + "', which is no whole number from " + least
                + "; change it in" + " hdfs-site.xml of this host");
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
        List<Candidate> all = segments.of(dataset.path());
        ScrubState state = records.read(dataset.id());
        List<Candidate> due =
                options.bandwidth() == 0 ? List.of() : options.schedule().next(all, state, Time.now());
        if (!due.isEmpty()) {
            return Optional.of(new Scrub(dataset, due, job.next(dataset)));
        }
        ScrubSummary now = summary(all, state);
        return isLessWrong(now, dataset) ? Optional.of(new Correction(now)) : Optional.empty();
    }

    /** True if somebody has healed or replaced what the NameNode counts as wrong. Says nothing where the state was lost. */
    private static boolean isLessWrong(ScrubSummary now, Dataset dataset) {
        MaintenanceRun last = MaintenanceRun.of(NAME, dataset.maintenance());
        ScrubSummary told = last == null ? null : last.scrub();
        return told != null && now.found() >= told.found() && now.wrong() < told.wrong();
    }

    private ScrubSummary summary(Dataset dataset) throws IOException {
        return summary(segments.of(dataset.path()), records.read(dataset.id()));
    }

    private ScrubSummary summary(List<Candidate> all, ScrubState state) {
        Set<String> current = all.stream().map(Candidate::id).collect(Collectors.toSet());
        return new ScrubSummary(
                all.size(),
                options.schedule().covered(all, state, Time.now()),
                ScrubSchedule.oldest(all, state),
                state.found(),
                state.healed(),
                state.problems().stream()
                        .filter(problem -> current.contains(problem.segment()))
                        .count());
    }

    /** Tells the NameNode that less is wrong than it was told; reads nothing. */
    private record Correction(ScrubSummary summary) implements Work {
        @Override
        public String text() {
            return "what was wrong is healed or replaced";
        }

        @Override
        public Result run(Consumer<String> progress) {
            return new Result(Outcome.DONE, 0, 0, null, summary);
        }
    }

    private final class Scrub implements Work {
        private final Dataset dataset;
        private final List<Candidate> due;
        private final JobRun run;

        Scrub(Dataset dataset, List<Candidate> due, JobRun run) {
            this.dataset = dataset;
            this.due = due;
            this.run = run;
        }

        @Override
        public String text() {
            return "scrub of " + due.size() + " segments, "
                    + due.stream().mapToLong(Candidate::bytes).sum() + " bytes";
        }

        @Override
        public Result run(Consumer<String> progress) throws IOException, InterruptedException {
            return run.run(progress).with(summary(dataset));
        }
    }
}
