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
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a process does with the lease, on a NameNode that only keeps the lease and the runs. */
class MaintainerTest {
    private static final long LEASE_MS = MaintenanceLease.MIN_MS;

    private final NameNode nameNode = new NameNode();
    private final Task task = new Task("compact");
    private final List<String> said = new CopyOnWriteArrayList<>();

    private static final class NameNode implements Maintainer.Cluster {
        private final Map<String, List<MaintenanceRun>> runs = new TreeMap<>(Map.of("a", List.of(), "b", List.of()));
        private MaintenanceLease lease = MaintenanceLease.NONE;
        private long ahead;
        private @Nullable IOException refusal;

        @Override
        public synchronized LeaseAnswer ask(LeaseRequest request) throws IOException {
            if (refusal != null) {
                throw refusal;
            }
            MaintenanceLease.Decision decision = lease.ask(request, System.currentTimeMillis() + ahead);
            lease = decision.lease();
            if (decision.granted()) {
                request.runs()
                        .forEach(run -> runs.merge(
                                run.datasetId(),
                                List.of(run.run()),
                                (old, one) -> one.get(0).keptIn(old)));
            }
            return new LeaseAnswer(
                    true,
                    decision.granted(),
                    lease.holder(),
                    decision.remainingMs(),
                    decision.granted() ? null : lease.holder() + " maintains the cluster");
        }

        @Override
        public synchronized List<Dataset> datasets() {
            List<Dataset> datasets = new ArrayList<>();
            runs.forEach((id, of) -> datasets.add(new Dataset(
                    "/" + id,
                    id,
                    Schema.parse("x bigint"),
                    new ReplicaGroups(List.of(), "time"),
                    List.of(),
                    List.of(),
                    List.of(),
                    new Dataset.StoreUse(0, 0),
                    null,
                    new Dataset.Changes(0, 0, 0, 0),
                    of,
                    List.of(),
                    List.of(),
                    false)));
            return datasets;
        }

        synchronized void passes(long ms) {
            ahead += ms;
        }

        synchronized void refuses(IOException with) {
            refusal = with;
        }

        synchronized List<MaintenanceRun> of(String id) {
            return runs.getOrDefault(id, List.of());
        }

        synchronized MaintenanceLease lease() {
            return lease;
        }
    }

    private static final class Task implements MaintenanceTask {
        private final String name;
        private final Map<String, Integer> left = new ConcurrentHashMap<>(Map.of("a", 1, "b", 1));
        private final Map<String, Integer> runs = new ConcurrentHashMap<>();
        private volatile boolean fails;
        private volatile String underway = "";
        private volatile boolean pressing;
        private volatile @Nullable CountDownLatch until;

        Task(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean isPressing() {
            return pressing;
        }

        @Override
        public boolean isUnderway(Dataset dataset) {
            return dataset.id().equals(underway);
        }

        @Override
        public Optional<Work> due(Dataset dataset) {
            int due = left.getOrDefault(dataset.id(), 0);
            return due == 0
                    ? Optional.empty()
                    : Optional.of(new Work() {
                        @Override
                        public String text() {
                            return due + " to do";
                        }

                        @Override
                        public Result run(Consumer<String> progress) throws IOException, InterruptedException {
                            runs.merge(dataset.id(), 1, Integer::sum);
                            progress.accept("half");
                            CountDownLatch end = until;
                            if (end != null) {
                                end.await();
                            }
                            if (fails) {
                                throw new IOException("no");
                            }
                            left.put(dataset.id(), 0);
                            return new Result(Outcome.DONE, due, 10, null);
                        }
                    });
        }
    }

    private Maintainer maintainer(String holder, boolean once, MaintenanceTask... tasks) {
        return new Maintainer(
                nameNode,
                List.of(tasks),
                new Maintainer.Options(holder, once, 600_000, 20, LEASE_MS, 1),
                (event, dataset, of, text) -> said.add(holder + " " + event + " " + dataset + " " + text));
    }

    private static FutureTask<Boolean> started(Maintainer maintainer) {
        FutureTask<Boolean> run = new FutureTask<>(maintainer::run);
        new Thread(run).start();
        return run;
    }

    private MaintenanceRun last(String id) {
        return nameNode.of(id).get(0);
    }

    @Test
    void onceDoesAllThatIsDueAndLeaves() throws Exception {
        assertThat(maintainer("p", true, task).run()).isTrue();
        assertThat(task.runs).containsOnly(Map.entry("a", 1), Map.entry("b", 1));
        assertThat(last("a").outcome()).isEqualTo(Outcome.DONE);
        assertThat(last("a").bytes()).isEqualTo(10);
        assertThat(nameNode.lease().holder()).isEmpty();
        assertThat(nameNode.lease().checkedMs()).isPositive();
        assertThat(said)
                .contains("p STARTED /a 1 to do", "p PROGRESS /a half", "p LOOKED null looked at 2 datasets; due: 2");
    }

    @Test
    void onceFailsIfSomethingFails() throws Exception {
        task.fails = true;
        assertThat(maintainer("p", true, task).run()).isFalse();
        assertThat(last("a").problem()).isEqualTo("no");
        assertThat(maintainer("p", true, task).run()).as("again at once").isFalse();
        assertThat(last("a").failures()).isEqualTo(2);
        assertThat(nameNode.lease().checkedMs()).isZero();
    }

    @Test
    void onceLeavesTheWorkToAnotherProcess() throws Exception {
        nameNode.ask(new LeaseRequest("other", LEASE_MS, false, false, List.of()));
        assertThat(maintainer("p", true, task).run()).isTrue();
        assertThat(task.runs).isEmpty();
        assertThat(said).contains("p WAITING null other maintains the cluster");
        assertThat(nameNode.lease().holder()).isEqualTo("other");
    }

    /** Nobody knows what a run of another process leaves, or whether its driver is lost. */
    @Test
    void whileAnotherProcessRunsSomethingNobodySaysThatNothingIsLeft() throws Exception {
        task.underway = "a";
        assertThat(maintainer("p", true, task).run()).isTrue();
        assertThat(task.runs).containsOnlyKeys("b");
        assertThat(nameNode.of("a")).isEmpty();
        assertThat(nameNode.lease().checkedMs()).isZero();
        assertThat(said).contains("p LOOKED null looked at 2 datasets; due: 1; other processes run: 1");
        task.underway = "";
        assertThat(maintainer("p", true, task).run()).isTrue();
        assertThat(task.runs).containsOnlyKeys("a", "b");
        assertThat(nameNode.lease().checkedMs()).isPositive();
    }

    @Test
    void whoMayNotEndsWithTheReason() {
        nameNode.refuses(new AccessControlException("superusers only"));
        for (boolean once : new boolean[] {false, true}) {
            assertThatThrownBy(() -> maintainer("p", once, task).run()).hasMessage("superusers only");
        }
    }

    @Test
    void aTaskThatCannotLookIsAFailedRunAndStopsNoOther() throws Exception {
        MaintenanceTask blind = new MaintenanceTask() {
            @Override
            public String name() {
                return "blind";
            }

            @Override
            public Optional<Work> due(Dataset dataset) throws IOException {
                throw new IOException("dark");
            }
        };
        assertThat(maintainer("p", true, blind, task).run()).isFalse();
        assertThat(nameNode.of("a").stream().map(MaintenanceRun::outcome))
                .containsExactly(Outcome.FAILED, Outcome.DONE);
        assertThat(nameNode.of("a").get(0).problem()).isEqualTo("what is due cannot be found out: dark");
    }

    @Test
    void whoStopsEndsItsRunAndLeaves() throws Exception {
        task.until = new CountDownLatch(1);
        Maintainer maintainer = maintainer("p", false, task);
        FutureTask<Boolean> run = started(maintainer);
        await().until(() -> task.runs.size() == 1);
        maintainer.stop();
        run.get();
        assertThat(task.runs).as("one at a time").hasSize(1);
        assertThat(last("a").outcome()).isEqualTo(Outcome.ENDED);
        assertThat(nameNode.lease().holder()).isEmpty();
        assertThat(said.get(said.size() - 1)).isEqualTo("p LEASE null this process no longer maintains the cluster");
    }

    @Test
    void whatPressesIsLookedForBetweenTwoLooks() throws Exception {
        Task pressing = new Task("adopt");
        pressing.pressing = true;
        Maintainer maintainer = maintainer("p", false, task, pressing);
        FutureTask<Boolean> run = started(maintainer);
        await().until(() -> pressing.runs.size() == 2
                && task.runs.size() == 2
                && nameNode.of("b").stream()
                                .filter(r -> r.outcome() == Outcome.DONE)
                                .count()
                        == 2);
        task.left.put("a", 1);
        pressing.left.put("a", 1);
        await().until(() -> pressing.runs.get("a") == 2);
        assertThat(task.runs.get("a")).as("is due in ten minutes").isEqualTo(1);
        assertThat(said.stream().filter(line -> line.contains("LOOKED"))).hasSize(1);
        maintainer.stop();
        run.get();
    }

    /** The first process hangs, and another one takes over; what the first one runs ends, and is kept as a failure. */
    @Test
    void whoLosesTheLeaseEndsItsRuns() throws Exception {
        task.until = new CountDownLatch(1);
        Maintainer first = maintainer("p", false, task);
        FutureTask<Boolean> firstRun = started(first);
        await().until(() -> !nameNode.of("a").isEmpty());
        nameNode.passes(2 * LEASE_MS);
        Task other = new Task("compact");
        Maintainer second = maintainer("q", false, other);
        FutureTask<Boolean> secondRun = started(second);
        await().until(() -> other.runs.containsKey("b"));
        await().until(() -> said.stream().anyMatch(line -> line.startsWith("p ENDED /a")));
        assertThat(said).contains("p WAITING null q maintains the cluster");
        await().until(() -> nameNode.of("b").stream().anyMatch(r -> r.outcome() == Outcome.DONE));
        assertThat(last("a").problem()).isEqualTo("the process that ran it has ended without a word");
        assertThat(last("a").failures()).isEqualTo(1);
        assertThat(other.runs).as("after a failure it waits").doesNotContainKey("a");

        second.stop();
        secondRun.get();
        await().until(() -> said.contains("p LEASE null this process maintains the cluster")
                && nameNode.lease().holder().equals("p"));
        first.stop();
        firstRun.get();
    }
}
