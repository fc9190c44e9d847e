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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.client.scrub.ScrubOptions;
import org.hadoopmpsr.client.scrub.ScrubRecords;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.scrub.ScrubSchedule.Candidate;
import org.hadoopmpsr.core.scrub.ScrubState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is due, with a shell instead of Spark. */
class ScrubTaskTest {
    private static final Dataset MEAS = new Dataset(
            "/cals/meas",
            "meas-1",
            Schema.parse("x bigint"),
            new ReplicaGroups(List.of(), "time"),
            List.of(),
            List.of());
    private static final long DAY = 86_400_000;

    private final Configuration conf = new Configuration();
    private final List<Candidate> segments = new ArrayList<>();
    private final long now = System.currentTimeMillis();
    private FileSystem fs;
    private String runDir;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        fs = FileSystem.getLocal(conf);
        runDir = "file://" + directory;
    }

    private ScrubTask task() throws IOException {
        ScrubOptions options = ScrubTask.options(conf, 0, 0, runDir);
        return new ScrubTask(path -> segments, fs, conf, options, (of, dataset) -> {
            assertThat(ScrubOptions.parse(of, new ArrayList<>())).isEqualTo(options);
            ScrubState state = new ScrubState();
            state.checked("old", 1, now);
            state.found(2);
            state.healed(1);
            state.failed(new ScrubState.Problem("old", "time", "nobody can tell"));
            new ScrubRecords(fs, conf, runDir).write(MEAS.id(), state);
            Progress done = new Progress(1, 1, 2, 500, 2, 0);
            RunRecord run = new RunRecord("/cals/meas", "app-1", "hdfs", State.DONE, 1, now, null, done, done, null);
            new RunRecords(JobKind.SCRUB, fs, conf, runDir).write(MEAS.id(), run);
            return List.of("sh", "-c", "exit 0");
        });
    }

    @Test
    void whatWasNotReadForThePeriodIsDue() throws Exception {
        segments.add(new Candidate("new", now - DAY, 1, 10));
        assertThat(task().due(MEAS)).isEmpty();
        segments.add(new Candidate("old", now - 31 * DAY, 1, 20));
        MaintenanceTask.Work work = task().due(MEAS).orElseThrow();
        assertThat(work.text()).isEqualTo("scrub of 1 segments, 20 bytes");
        assertThat(work.run(line -> {}))
                .isEqualTo(new MaintenanceTask.Result(
                        Outcome.DONE, 1, 500, null, new ScrubSummary(2, 2, now - DAY, 2, 1, 1)));
        assertThat(task().due(MEAS)).as("it was read").isEmpty();
    }

    private static Dataset told(ScrubSummary summary) {
        MaintenanceRun run = MaintenanceRun.started(ScrubTask.NAME, 1).with(summary);
        return new Dataset(
                MEAS.path(),
                MEAS.id(),
                MEAS.schema(),
                MEAS.groups(),
                MEAS.representations(),
                MEAS.offsets(),
                MEAS.jumps(),
                MEAS.store(),
                MEAS.untold(),
                MEAS.changes(),
                List.of(run),
                MEAS.keys(),
                List.of(),
                false);
    }

    /** It reads nothing, also where scrubbing is switched off. */
    @Test
    void theNameNodeIsToldWhenWhatWasWrongIsReplacedOrHealed() throws Exception {
        conf.set(ConfigKeys.SCRUB_RATE.name(), "0");
        segments.add(new Candidate("other", now - DAY, 1, 10));
        Dataset wrong = told(new ScrubSummary(1, 1, now, 2, 1, 1));
        ScrubState state = new ScrubState();
        assertThat(task().due(wrong)).as("nothing is known of it").isEmpty();
        state.found(2);
        state.failed(new ScrubState.Problem("other", "time", "nobody can tell"));
        ScrubRecords records = new ScrubRecords(fs, conf, runDir);
        records.write(MEAS.id(), state);
        assertThat(task().due(wrong)).as("it is wrong still").isEmpty();
        segments.set(0, new Candidate("new", now - DAY, 1, 10));
        MaintenanceTask.Work work = task().due(wrong).orElseThrow();
        ScrubSummary replaced = new ScrubSummary(1, 1, now - DAY, 2, 0, 0);
        assertThat(work.run(line -> {})).isEqualTo(new MaintenanceTask.Result(Outcome.DONE, 0, 0, null, replaced));
        assertThat(task().due(told(replaced))).as("the NameNode knows").isEmpty();
        segments.set(0, new Candidate("other", now - DAY, 1, 10));
        state.checked("other", 1, now); // as verify --heal does
        records.write(MEAS.id(), state);
        assertThat(task().due(wrong)).isPresent();
    }

    @Test
    void theConfigurationLimitsRuns() throws Exception {
        conf.set(ConfigKeys.SCRUB_RATE.name(), "3");
        conf.set(ConfigKeys.SCRUB_PERIOD_DAYS.name(), "7");
        ScrubOptions options = ScrubTask.options(conf, 0, 4, null);
        assertThat(options).isEqualTo(new ScrubOptions(false, List.of(), 7, 1_800_000_000L, 3_000_000, 4, null));
        assertThat(ScrubTask.options(conf, 1000, 0, null).bandwidth()).isEqualTo(1000);
        conf.set(ConfigKeys.SCRUB_RATE.name(), "0");
        segments.add(new Candidate("old", now - 31 * DAY, 1, 20));
        assertThat(task().due(MEAS)).as("it is switched off").isEmpty();
        conf.set(ConfigKeys.SCRUB_PERIOD_DAYS.name(), "0");
        assertThatThrownBy(this::task)
                .hasMessageStartingWith(
                        "dfs.mpsr.scrub.period.days has the value '0', which is no whole number from 1");
    }
}
