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
package org.hadoopmpsr.core.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.junit.jupiter.api.Test;

class MaintenanceRunTest {

    private static MaintenanceRun ended(long startedMs, Outcome outcome) {
        return MaintenanceRun.started("compact", startedMs).ended(outcome, startedMs + 5, 1, 2, "why");
    }

    private static MaintenanceRun kept(MaintenanceRun... runs) {
        List<MaintenanceRun> all = List.of();
        for (MaintenanceRun run : runs) {
            all = run.keptIn(all);
            assertThat(run.keptIn(all)).as("told again").isEqualTo(all);
        }
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void failuresAreCountedUntilARunIsDone() {
        MaintenanceRun failed = kept(
                MaintenanceRun.started("compact", 10),
                ended(10, Outcome.FAILED),
                MaintenanceRun.started("compact", 20),
                ended(20, Outcome.FAILED),
                ended(30, Outcome.ENDED));
        assertThat(failed.failures()).isEqualTo(2);
        assertThat(failed.problem()).isNull();
        MaintenanceRun done = kept(ended(10, Outcome.FAILED), ended(20, Outcome.DONE), ended(30, Outcome.FAILED));
        assertThat(done).isEqualTo(new MaintenanceRun("compact", 30, 35, Outcome.FAILED, 1, 25, 1, 2, "why"));
    }

    @Test
    void theLastRunsOfSomeTasksAreKept() {
        List<MaintenanceRun> all = List.of();
        for (int i = 1; i <= 20; i++) {
            all = MaintenanceRun.started("t" + i, 100 + i).keptIn(all);
        }
        assertThat(all).hasSize(MaintenanceRun.MAX_TASKS);
        assertThat(MaintenanceRun.of("t4", all)).isNull();
        assertThat(MaintenanceRun.of("t5", all)).isNotNull();
        assertThat(all).isSortedAccordingTo((a, b) -> a.task().compareTo(b.task()));
    }

    @Test
    void aProblemIsShortened() {
        String long1 = "x".repeat(238) + "\ud83d\ude00" + "y".repeat(10);
        MaintenanceRun run = MaintenanceRun.started("compact", 1).ended(Outcome.FAILED, 2, 0, 0, long1);
        assertThat(run.problem()).isEqualTo("x".repeat(238) + "…");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> MaintenanceRun.started("Compact all", 1)).hasMessageContaining("is no name of a");
        assertThatThrownBy(() -> MaintenanceRun.started("compact", 0)).hasMessageContaining("did not start");
        assertThatThrownBy(() -> new MaintenanceRun("compact", 5, 4, Outcome.DONE, 0, 0, 0, 0, null))
                .hasMessageContaining("is DONE, started at 5 and ended at 4");
        assertThat(MaintenanceRun.started("compact", 5)
                        .ended(Outcome.DONE, 1, 0, 0, null)
                        .endedMs())
                .as("the clock was put back")
                .isEqualTo(5);
    }
}
