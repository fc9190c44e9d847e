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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class MaintenanceLeaseTest {
    private static final long LEASE_MS = 60_000;

    private static LeaseRequest asks(String holder) {
        return new LeaseRequest(holder, LEASE_MS, false, false, List.of());
    }

    private static LeaseRequest leaves(String holder) {
        return new LeaseRequest(holder, LEASE_MS, true, false, List.of());
    }

    /** What a process knows. */
    private static final class Process {
        private final String name;
        private HeldLease held = HeldLease.NONE;

        Process(String name) {
            this.name = name;
        }

        /** Asks; the answer takes some time on the way back, and may be lost. */
        MaintenanceLease ask(MaintenanceLease kept, long nowMs, boolean lost) {
            MaintenanceLease.Decision decision = kept.ask(asks(name), nowMs);
            LeaseAnswer answer =
                    new LeaseAnswer(true, decision.granted(), decision.lease().holder(), decision.remainingMs(), null);
            held = lost ? held : held.after(answer, nowMs);
            return decision.lease();
        }
    }

    /** Whatever comes late, is lost or ends without a word. */
    @Test
    void noTwoProcessesBelieveThatTheyHoldIt() {
        Seeds.forAll(200, random -> {
            List<Process> processes = new ArrayList<>(List.of(new Process("a"), new Process("b"), new Process("c")));
            MaintenanceLease kept = MaintenanceLease.NONE;
            long now = 1_000_000;
            Map<String, Integer> grants = new TreeMap<>();
            for (int i = 0; i < 300; i++) {
                now += random.nextInt((int) LEASE_MS);
                Process process = processes.get(random.nextInt(processes.size()));
                if (random.nextInt(20) == 0) {
                    process.held = HeldLease.NONE; // it ends its work before it says that it leaves
                    kept = kept.ask(leaves(process.name), now).lease();
                } else {
                    kept = process.ask(kept, now, random.nextInt(10) == 0);
                }
                long at = now;
                List<Process> holders =
                        processes.stream().filter(p -> p.held.untilMs() > at).toList();
                assertThat(holders).as("at step " + i).hasSizeLessThanOrEqualTo(1);
                holders.forEach(p -> grants.merge(p.name, 1, Integer::sum));
            }
            assertThat(grants).hasSize(3);
        });
    }

    @Test
    void aLeaseFromAClockThatWasAheadHoldsNobodyUp() {
        MaintenanceLease ahead = new MaintenanceLease("a", 5_000_000_000L, 5_000_120_000L, 0);
        assertThat(ahead.ask(asks("b"), 1_000_000).granted()).isTrue();
    }

    @Test
    void whoLeavesKeepsWhenItWasAllDone() {
        LeaseRequest checked = new LeaseRequest("a", LEASE_MS, false, true, List.of());
        MaintenanceLease kept = MaintenanceLease.NONE.ask(checked, 1_000_000).lease();
        assertThat(kept.checkedMs()).isEqualTo(1_000_000);
        assertThat(kept.ask(checked, 1_030_000).lease().checkedMs())
                .as("soon after")
                .isEqualTo(1_000_000);
        assertThat(kept.ask(leaves("b"), 1_030_000).lease()).isEqualTo(kept);
        MaintenanceLease left = kept.ask(leaves("a"), 1_030_000).lease();
        assertThat(left).isEqualTo(new MaintenanceLease("", 1_030_000, 1_030_000, 1_000_000));
        assertThat(left.isFree(1_030_000)).isTrue();
        assertThat(left.ask(leaves("a"), 1_040_000).lease()).as("again").isEqualTo(left);
    }

    @Test
    void jobsHaveTimeToEndBeforeAnotherProcessHoldsIt() {
        HeldLease held = HeldLease.NONE.after(new LeaseAnswer(true, true, "a", 120_000, null), 1_000);
        assertThat(held.isHeld(90_999, LEASE_MS)).isTrue();
        assertThat(held.isHeld(91_000, LEASE_MS)).isFalse();
        assertThat(HeldLease.NONE.isHeld(Long.MIN_VALUE + 1, LEASE_MS)).isFalse();
        assertThat(held.after(new LeaseAnswer(true, false, "b", 5, "b maintains the cluster"), 2_000))
                .isEqualTo(HeldLease.NONE);
    }

    @Test
    void requestsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new LeaseRequest("a", 1, false, false, List.of()))
                .hasMessage("a lease of 1 ms; give one of 10000 to 600000");
        assertThatThrownBy(() -> new LeaseRequest(" ", LEASE_MS, false, false, List.of()))
                .hasMessage("a process that maintains the cluster has a name of 1 characters; give one of 1 to 200");
    }
}
