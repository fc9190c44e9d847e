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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.compact.CompactionOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.compact.GroupShare;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is due, and what a run says, with a shell instead of Spark. */
class CompactionTaskTest {
    private static final long MB = 1 << 20;
    private static final Dataset MEAS = new Dataset(
            "/cals/meas",
            "meas-1",
            Schema.parse("x bigint"),
            new ReplicaGroups(List.of(), "time"),
            List.of(),
            List.of());

    private final Configuration conf = new Configuration();
    private RunRecords records;
    private CompactionTask task;
    private int segments = 4;
    private String script = "exit 0";
    private @Nullable RunRecord told;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        FileSystem fs = FileSystem.getLocal(conf);
        String runDir = "file://" + directory;
        records = new RunRecords(JobKind.COMPACT, fs, conf, runDir);
        CompactionOptions options = new CompactionOptions(0, Long.MAX_VALUE, false, 7, 0, runDir);
        task = new CompactionTask(path -> held(), fs, conf, options, (of, dataset) -> {
            assertThat(dataset).endsWith(":/cals/meas");
            assertThat(CompactionOptions.parse(of, new ArrayList<>()).bandwidth())
                    .isEqualTo(7);
            if (told != null) {
                records.write(MEAS.id(), told);
            }
            return List.of("sh", "-c", script);
        });
    }

    private List<HeldSegment> held() {
        return IntStream.rangeClosed(1, segments)
                .mapToObj(i ->
                        new HeldSegment("s" + i, i, i, i, 1_000, Map.of("time", new GroupShare(2, 10 * MB)), "", null))
                .toList();
    }

    private static RunRecord record(String application, State state, long updatedMs, @Nullable String problem) {
        return new RunRecord(
                "/cals/meas",
                application,
                "hdfs",
                state,
                1_000,
                updatedMs,
                null,
                new Progress(1, state == State.DONE ? 4 : 2, 8, 250, 2, 0),
                new Progress(1, 4, 8, 250, 2, 0),
                problem);
    }

    private MaintenanceTask.Work due() throws IOException {
        return task.due(MEAS).orElseThrow();
    }

    private MaintenanceTask.Result run() throws Exception {
        return due().run(line -> {});
    }

    @Test
    void whatThePlannerFindsIsDue() throws Exception {
        assertThat(due().text()).isEqualTo("1 merges of 4 segments, 41943040 bytes");
        segments = 3;
        assertThat(task.due(MEAS)).isEmpty();
    }

    @Test
    void theRecordOfTheRunSaysWhatIsDone() throws Exception {
        told = record("app-1", State.DONE, 2_000, null);
        assertThat(run()).isEqualTo(new MaintenanceTask.Result(Outcome.DONE, 4, 250, null));
    }

    @Test
    void aFailureSaysWhy() throws Exception {
        script = "echo out; echo 'no memory' >&2; echo; exit 3";
        records.write(MEAS.id(), record("app-1", State.FAILED, 2_000, "of the run before"));
        assertThat(run())
                .isEqualTo(
                        new MaintenanceTask.Result(Outcome.FAILED, 0, 0, "the job ended with exit code 3: no memory"));
        told = record("app-2", State.FAILED, 3_000, "the disk is full");
        assertThat(run()).isEqualTo(new MaintenanceTask.Result(Outcome.FAILED, 2, 250, "the disk is full"));
        told = record("app-3", State.CANCELLED, 4_000, "the compaction was cancelled");
        assertThat(run().outcome()).isEqualTo(Outcome.ENDED);
    }

    @Test
    void mergesThatComeToNothingAreNotTriedAgain() throws Exception {
        assertThat(run()).isEqualTo(new MaintenanceTask.Result(Outcome.DONE, 0, 0, null));
        assertThat(task.due(MEAS)).isEmpty();
        segments = 5;
        assertThat(task.due(MEAS)).isPresent();
    }

    @Test
    void aCompactionOfAnotherProcessIsUnderwayUntilItEndsOrIsLost() throws Exception {
        assertThat(task.isUnderway(MEAS)).isFalse();
        records.write(MEAS.id(), record("app-1", State.RUNNING, System.currentTimeMillis(), null));
        assertThat(task.isUnderway(MEAS)).isTrue();
        records.write(MEAS.id(), record("app-1", State.DONE, System.currentTimeMillis(), null));
        assertThat(task.isUnderway(MEAS)).isFalse();
        records.write(MEAS.id(), record("app-1", State.RUNNING, 2_000, null));
        assertThat(task.isUnderway(MEAS)).as("it is lost").isFalse();
        assertThat(task.due(MEAS)).isPresent();
    }
}
