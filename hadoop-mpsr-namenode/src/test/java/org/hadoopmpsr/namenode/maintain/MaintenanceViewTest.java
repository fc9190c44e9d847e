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
package org.hadoopmpsr.namenode.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.maintain.MaintenanceView.Run;
import org.junit.jupiter.api.Test;

class MaintenanceViewTest {
    private static final MaintenanceRun FAILED = run("failed", Outcome.FAILED, 2);
    private static final MaintenanceRun AGAIN = run("again", Outcome.RUNNING, 1);
    private static final MaintenanceRun DONE = run("done", Outcome.DONE, 0);
    private static final MaintenanceRun FIRST = run("first", Outcome.RUNNING, 0);

    private static MaintenanceRun run(String task, Outcome outcome, int failures) {
        long ended = outcome == Outcome.RUNNING ? 0 : 20;
        return new MaintenanceRun(task, 10, ended, outcome, failures, 0, 0, 0, null);
    }

    private static MaintenanceView view(boolean enabled, MaintenanceRun... runs) {
        DatasetRecord dataset = new DatasetRecord(
                "/d",
                1,
                DatasetProto.getDefaultInstance(),
                Schema.parse("x bigint"),
                new ReplicaGroups(List.of(), "time"));
        List<Run> all = List.of(runs).stream().map(run -> new Run(dataset, run)).toList();
        return new MaintenanceView(enabled, MaintenanceLease.NONE, all, List.of());
    }

    @Test
    void aTaskFailsUntilARunIsDone() {
        MaintenanceView view = view(true, FAILED, AGAIN, DONE, FIRST);
        assertThat(view.failed()).extracting(Run::run).containsExactly(FAILED, AGAIN);
        assertThat(view.running()).isEqualTo(2);
    }

    @Test
    void whereMaintenanceIsSwitchedOffNothingFails() {
        MaintenanceView view = view(false, FAILED, AGAIN, DONE);
        assertThat(view.failed()).isEmpty();
        assertThat(view.shown()).hasSize(3);
        assertThat(view.withoutRuns().shown()).isEmpty();
    }
}
