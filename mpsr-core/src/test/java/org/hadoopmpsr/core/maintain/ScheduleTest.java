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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.Schedule.Due;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final long INTERVAL_MS = TimeUnit.MINUTES.toMillis(10);

    private static MaintenanceRun failed(int failures, long endedMs) {
        return new MaintenanceRun("compact", endedMs - 1, endedMs, Outcome.FAILED, failures, 0, 0, 0, "why");
    }

    @Test
    void failuresAreFollowedByPausesThatDoubleUpToADay() {
        assertThat(Schedule.readyAtMs(null, INTERVAL_MS)).isZero();
        assertThat(Schedule.readyAtMs(failed(1, 1_000), INTERVAL_MS)).isEqualTo(1_000 + INTERVAL_MS);
        assertThat(Schedule.readyAtMs(failed(2, 1_000), INTERVAL_MS)).isEqualTo(1_000 + 2 * INTERVAL_MS);
        assertThat(Schedule.readyAtMs(failed(7, 1_000), INTERVAL_MS)).isEqualTo(1_000 + 64 * INTERVAL_MS);
        assertThat(Schedule.readyAtMs(failed(9, 1_000), INTERVAL_MS)).isEqualTo(1_000 + Schedule.MAX_BACKOFF_MS);
        assertThat(Schedule.readyAtMs(failed(Integer.MAX_VALUE, 1_000), INTERVAL_MS))
                .isEqualTo(1_000 + Schedule.MAX_BACKOFF_MS);
        long week = TimeUnit.DAYS.toMillis(7);
        assertThat(Schedule.readyAtMs(failed(3, 1_000), week)).isEqualTo(1_000 + week);
    }

    @Test
    void whatAnotherProcessLeavesIsLookedForSoon() {
        assertThat(Schedule.untilNextLookMs(false, INTERVAL_MS)).isEqualTo(INTERVAL_MS);
        assertThat(Schedule.untilNextLookMs(true, INTERVAL_MS)).isEqualTo(Schedule.MAX_OTHERS_MS);
        assertThat(Schedule.untilNextLookMs(true, 1_000)).isEqualTo(1_000);
    }

    @Test
    void whatHasWaitedLongestIsFirst() {
        MaintenanceRun old = MaintenanceRun.started("scrub", 10).ended(Outcome.DONE, 20, 0, 0, null);
        List<Due> due = List.of(
                new Due("a", "compact", 0, failed(1, 1_000)),
                new Due("a", "scrub", 1, old),
                new Due("b", "scrub", 1, null),
                new Due("b", "compact", 0, null));
        assertThat(Schedule.next(due, Set.of(), 2_000, INTERVAL_MS)).contains(due.get(3));
        assertThat(Schedule.next(due, Set.of("b"), 2_000, INTERVAL_MS)).contains(due.get(1));
        assertThat(Schedule.next(due, Set.of("a", "b"), 2_000, INTERVAL_MS)).isEmpty();
        assertThat(Schedule.next(due.subList(0, 1), Set.of(), 2_000, INTERVAL_MS))
                .isEmpty();
        assertThat(Schedule.next(due.subList(0, 1), Set.of(), 1_000 + INTERVAL_MS, INTERVAL_MS))
                .contains(due.get(0));
    }

    /** With more to do than there is time for, and tasks that fail always. */
    @Test
    void noDatasetStarvesAndNoneHasTwoRuns() {
        Seeds.forAll(50, random -> {
            List<String> datasets = List.of("a", "b", "c", "d", "broken");
            Map<String, MaintenanceRun> last = new HashMap<>();
            Map<String, Long> running = new TreeMap<>();
            Map<String, Integer> runs = new TreeMap<>();
            long now = 1_000;
            for (int i = 0; i < 400; i++) {
                now += random.nextInt((int) INTERVAL_MS);
                for (Map.Entry<String, Long> run : new ArrayList<>(running.entrySet())) {
                    if (random.nextBoolean()) {
                        running.remove(run.getKey());
                        Outcome outcome = run.getKey().equals("broken") ? Outcome.FAILED : Outcome.DONE;
                        last.put(
                                run.getKey(),
                                MaintenanceRun.started("compact", run.getValue())
                                        .ended(outcome, now, 0, 0, "why")
                                        .after(last.get(run.getKey())));
                    }
                }
                List<Due> due = datasets.stream()
                        .map(d -> new Due(d, "compact", 0, last.get(d)))
                        .toList();
                if (running.size() < 2) {
                    Due next = Schedule.next(due, running.keySet(), now, INTERVAL_MS)
                            .orElse(null);
                    if (next != null) {
                        assertThat(running.put(next.datasetId(), now)).isNull();
                        runs.merge(next.datasetId(), 1, Integer::sum);
                    }
                }
            }
            int broken = runs.getOrDefault("broken", 0);
            assertThat(broken).isBetween(3, 40);
            List<Integer> others =
                    List.of("a", "b", "c", "d").stream().map(runs::get).toList();
            assertThat(others).allSatisfy(n -> assertThat(n).isBetween(others.get(0) - 15, others.get(0) + 15));
            assertThat(others.get(0)).isGreaterThan(broken);
        });
    }
}
