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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.adopt.AdoptOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is due, with a shell instead of Spark. */
class AdoptTaskTest {
    private static final Dataset MEAS = new Dataset(
            "/cals/meas",
            "meas-1",
            Schema.parse("x bigint"),
            new ReplicaGroups(List.of(), "time"),
            List.of(),
            List.of());

    private final List<UntrackedFile> files = new ArrayList<>();
    private RunRecords records;
    private AdoptTask task;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Configuration conf = new Configuration();
        FileSystem fs = FileSystem.getLocal(conf);
        String runDir = "file://" + directory;
        records = new RunRecords(JobKind.ADOPT, fs, conf, runDir);
        AdoptOptions options = new AdoptOptions(false, 7, 3, runDir);
        task = new AdoptTask(path -> files, fs, conf, options, (of, dataset) -> {
            assertThat(dataset).endsWith(":/cals/meas");
            assertThat(AdoptOptions.parse(of, new ArrayList<>())).isEqualTo(options);
            records.write(MEAS.id(), record(State.DONE, System.currentTimeMillis()));
            return List.of("sh", "-c", "exit 0");
        });
    }

    private static Dataset paused() {
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
                MEAS.maintenance(),
                MEAS.keys(),
                MEAS.alterations(),
                MEAS.mixedFiles(),
                MEAS.shown(),
                true);
    }

    private static UntrackedFile file(long id, long ageMs, String unfit) {
        return new UntrackedFile("/cals/meas/day=1/" + id, id, 10, 1_000, ageMs, 5, 7, unfit);
    }

    private static RunRecord record(State state, long updatedMs) {
        Progress done = new Progress(1, 1, 2, 20, 2, 0);
        return new RunRecord("/cals/meas", "app-1", "hdfs", state, 1_000, updatedMs, null, done, done, null);
    }

    @Test
    void filesThatHaveWaitedAndThatFitAreDue() throws Exception {
        assertThat(task.due(MEAS)).isEmpty();
        files.add(file(1, 100_000, "it is no Parquet file"));
        files.add(file(2, 10, null));
        assertThat(task.due(MEAS)).isEmpty();
        files.add(file(3, 100_000, null));
        assertThat(task.due(paused())).isEmpty();
        MaintenanceTask.Work work = task.due(MEAS).orElseThrow();
        assertThat(work.text()).isEqualTo("adoption of 2 files of ordinary writers, 20 bytes");
        assertThat(work.run(line -> {})).isEqualTo(new MaintenanceTask.Result(Outcome.DONE, 1, 20, null));
    }

    @Test
    void anAdoptionOfAnotherProcessIsUnderwayUntilItEndsOrIsLost() throws Exception {
        assertThat(task.isUnderway(MEAS)).isFalse();
        records.write(MEAS.id(), record(State.RUNNING, System.currentTimeMillis()));
        assertThat(task.isUnderway(MEAS)).isTrue();
        records.write(MEAS.id(), record(State.RUNNING, 2_000));
        assertThat(task.isUnderway(MEAS)).as("it is lost").isFalse();
    }
}
