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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.rebuild.RebuildOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is due, with a shell instead of Spark. */
class RebuildTaskTest {
    private static final Dataset MEAS = new Dataset(
            "/cals/meas",
            "meas-1",
            Schema.parse("x bigint"),
            new ReplicaGroups(List.of(), "time"),
            List.of(),
            List.of());

    private final List<Damage> damages = new ArrayList<>();
    private RunRecords records;
    private RebuildTask task;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Configuration conf = new Configuration();
        FileSystem fs = FileSystem.getLocal(conf);
        String runDir = "file://" + directory;
        records = new RunRecords(JobKind.REBUILD, fs, conf, runDir);
        RebuildOptions options = new RebuildOptions(List.of(), true, 7, 0, runDir);
        task = new RebuildTask(path -> damages, fs, conf, options, (of, dataset) -> {
            assertThat(dataset).endsWith(":/cals/meas");
            assertThat(RebuildOptions.parse(of, new ArrayList<>())).isEqualTo(options);
            records.write(MEAS.id(), record(State.DONE, System.currentTimeMillis()));
            return List.of("sh", "-c", "exit 0");
        });
    }

    private void add(boolean due, Map<String, Segment.Group> sources) {
        damages.add(new Damage(
                "s", "g", false, sources, 0, due, ContentHash.EMPTY, new ContentHash(7, 8, 9), true, List.of()));
    }

    private static RunRecord record(State state, long updatedMs) {
        Progress done = new Progress(1, 2, 8, 250, 2, 0);
        return new RunRecord("/cals/meas", "app-1", "hdfs", state, 1_000, updatedMs, null, done, done, null);
    }

    @Test
    void whatIsDamagedForLongAndCanBeRebuiltIsDue() throws Exception {
        assertThat(task.due(MEAS)).isEmpty();
        add(false, Map.of("time", Segment.Group.EMPTY));
        add(true, Map.of());
        assertThat(task.due(MEAS)).isEmpty();
        add(true, Map.of("time", Segment.Group.EMPTY));
        MaintenanceTask.Work work = task.due(MEAS).orElseThrow();
        assertThat(work.text()).isEqualTo("rebuild of 1 segments of groups, 0 damaged files");
        assertThat(work.run(line -> {})).isEqualTo(new MaintenanceTask.Result(Outcome.DONE, 2, 250, null));
    }

    @Test
    void aRebuildOfAnotherProcessIsUnderwayUntilItEndsOrIsLost() throws Exception {
        assertThat(task.isUnderway(MEAS)).isFalse();
        records.write(MEAS.id(), record(State.RUNNING, System.currentTimeMillis()));
        assertThat(task.isUnderway(MEAS)).isTrue();
        records.write(MEAS.id(), record(State.RUNNING, 2_000));
        assertThat(task.isUnderway(MEAS)).as("it is lost").isFalse();
    }
}
