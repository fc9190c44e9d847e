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
package org.hadoopmpsr.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.Fence.Verdict;

/** Steps of writers: commits that are published, repeated, fenced, given up, and cut off by failures. */
final class ChaosCommits {
    private static final int TRIES = 20;

    private final Chaos chaos;

    ChaosCommits(Chaos chaos) {
        this.chaos = chaos;
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("create", 3, this::create),
                new ChaosStep("commits", 6, () -> commits(1, () -> {})),
                new ChaosStep("commits and failover", 3, () -> commits(TRIES, chaos.cluster()::failOver)),
                new ChaosStep("commits and a NameNode's end", 1, this::killDuringCommits),
                new ChaosStep("race", 3, this::race),
                new ChaosStep("the same commit by two", 2, this::same),
                new ChaosStep("repeat", 2, this::repeat),
                new ChaosStep("fence", 2, this::fence),
                new ChaosStep("give up", 2, this::giveUp),
                new ChaosStep("go on", 2, this::goOn),
                new ChaosStep("abort", 1, this::abort));
    }

    boolean create() throws IOException {
        if (chaos.datasets().size() >= 3) {
            return false;
        }
        String path = chaos.home() + "/" + chaos.newName("d");
        chaos.log("create %s", path);
        ChaosDataset dataset = new ChaosDataset(chaos.client().createDataset(path, TestCluster.SCHEMA));
        chaos.datasets().add(dataset);
        if (chaos.allocation().isEmpty()) {
            chaos.learnAllocation();
        }
        return true;
    }

    private TestCommit next(ChaosDataset dataset, String writer) {
        return dataset.next(writer, 1 + chaos.random(3), chaos.random(3));
    }

    private interface Fault {
        void happen() throws Exception;
    }

    private boolean killDuringCommits() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int[] killed = {-1};
        boolean done = commits(TRIES, () -> killed[0] = chaos.cluster().killActive());
        if (killed[0] >= 0) {
            chaos.cluster().restart(killed[0]);
            chaos.awaitDataNodes();
        }
        return done;
    }

    /** A writer for each dataset makes some commits, while something happens. */
    private boolean commits(int tries, Fault fault) throws Exception {
        if (chaos.datasets().isEmpty()) {
            return false;
        }
        int each = 1 + chaos.random(3);
        Map<ChaosDataset, List<TestCommit>> all = new LinkedHashMap<>();
        for (ChaosDataset dataset : chaos.datasets()) {
            List<TestCommit> commits = new ArrayList<>();
            String writer = chaos.newName("w");
            for (int i = 0; i < each; i++) {
                commits.add(dataset.commit(writer, dataset.end() + 10L * i, 1 + chaos.random(3), chaos.random(3)));
            }
            all.put(dataset, commits);
        }
        int reached = chaos.random(2 * each * all.size());
        chaos.log(
                "%d commits to each of %s, something after %d calls",
                each, all.keySet().stream().map(ChaosDataset::path).toList(), reached);
        AtomicInteger calls = new AtomicInteger();
        ExecutorService writers = Executors.newFixedThreadPool(all.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            all.forEach((dataset, commits) -> running.add(writers.submit(() -> {
                for (TestCommit commit : commits) {
                    assertThat(write(dataset, commit, tries, calls))
                            .as(commit.id())
                            .isNotEqualTo(Verdict.FENCED);
                }
                return null;
            })));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> calls.get() >= reached || running.stream().anyMatch(Future::isDone));
            fault.happen();
            for (Future<?> writer : running) {
                writer.get();
            }
        } finally {
            writers.shutdownNow();
        }
        all.forEach((dataset, commits) -> commits.forEach(dataset::published));
        return true;
    }

    /** Stages and publishes until it is known what became of it, and leaves nothing behind. */
    private Verdict write(ChaosDataset dataset, TestCommit commit, int tries, AtomicInteger calls) throws IOException {
        for (int i = 1; ; i++) {
            try {
                commit.stage(chaos.client(), dataset.path(), chaos.fs());
                calls.incrementAndGet();
                Verdict verdict = publish(dataset, commit).verdict();
                calls.incrementAndGet();
                if (verdict != Verdict.OPEN) {
                    chaos.client().abortCommit(dataset.path(), commit.id());
                }
                return verdict;
            } catch (IOException e) {
                if (i == tries) {
                    throw e;
                }
            }
        }
    }

    private PublishResult publish(ChaosDataset dataset, TestCommit commit) throws IOException {
        return commit.publish(chaos.client(), dataset.path());
    }

    private List<Verdict> atOnce(ChaosDataset dataset, TestCommit... commits) throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(commits.length);
        try {
            List<Future<Verdict>> running = new ArrayList<>();
            for (TestCommit commit : commits) {
                running.add(writers.submit(() -> write(dataset, commit, 1, new AtomicInteger())));
            }
            List<Verdict> verdicts = new ArrayList<>();
            for (Future<Verdict> writer : running) {
                verdicts.add(writer.get());
            }
            return verdicts;
        } finally {
            writers.shutdownNow();
        }
    }

    /** Two writers want the same offsets: one gets them. */
    private boolean race() throws Exception {
        if (chaos.datasets().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(chaos.datasets());
        TestCommit one = next(dataset, chaos.newName("w"));
        TestCommit other = next(dataset, chaos.newName("w"));
        chaos.log("race of %s and %s for %s", one.id(), other.id(), dataset.path());
        List<Verdict> verdicts = atOnce(dataset, one, other);
        assertThat(verdicts).containsExactlyInAnyOrder(Verdict.OPEN, Verdict.FENCED);
        dataset.published(verdicts.get(0) == Verdict.OPEN ? one : other);
        return true;
    }

    /** A writer that was replaced and does not know it tries once more what its successor does. */
    private boolean same() throws Exception {
        if (chaos.datasets().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(chaos.datasets());
        TestCommit commit = next(dataset, chaos.newName("w"));
        chaos.log("twice at the same time %s to %s", commit.id(), dataset.path());
        ExecutorService replaced = Executors.newSingleThreadExecutor();
        try {
            Future<Verdict> once = replaced.submit(() -> write(dataset, commit, 1, new AtomicInteger()));
            assertThat(write(dataset, commit, TRIES, new AtomicInteger())).isNotEqualTo(Verdict.FENCED);
            try {
                assertThat(once.get()).isNotEqualTo(Verdict.FENCED);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(IOException.class);
            }
        } finally {
            replaced.shutdownNow();
        }
        chaos.client().abortCommit(dataset.path(), commit.id());
        dataset.published(commit);
        return true;
    }

    private boolean repeat() throws Exception {
        List<ChaosDataset> some = chaos.datasets().stream()
                .filter(d -> !d.publishedCommits().isEmpty())
                .toList();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(some);
        List<TestCommit> commits = dataset.publishedCommits();
        TestCommit commit = chaos.any(commits);
        chaos.log("repeat %s to %s", commit.id(), dataset.path());
        boolean last = commit == commits.get(commits.size() - 1);
        Verdict verdict = chaos.random(2) == 0
                ? publish(dataset, commit).verdict()
                : write(dataset, commit, 1, new AtomicInteger());
        assertThat(verdict).isEqualTo(last ? Verdict.ALREADY_COMMITTED : Verdict.FENCED);
        return true;
    }

    private boolean fence() throws Exception {
        List<ChaosDataset> some =
                chaos.datasets().stream().filter(d -> d.end() > 0).toList();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(some);
        long start = chaos.random(2) == 0 ? dataset.end() + 10 : dataset.end() - 10;
        TestCommit commit = dataset.commit(chaos.newName("w"), start, 1, 0);
        chaos.log("fence %s from %s", commit.id(), dataset.path());
        assertThat(write(dataset, commit, 1, new AtomicInteger())).isEqualTo(Verdict.FENCED);
        return true;
    }

    /** A client dies between staging and publishing. */
    private boolean giveUp() throws Exception {
        if (chaos.datasets().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(chaos.datasets());
        TestCommit commit = next(dataset, chaos.newName("w"));
        chaos.log("stage %s of %s and no more", commit.id(), dataset.path());
        commit.stage(chaos.client(), dataset.path(), chaos.fs());
        dataset.staged().put(commit.id(), commit);
        return true;
    }

    /** What was staged and not published is published after all: it is fenced if others were faster. */
    private boolean goOn() throws Exception {
        List<ChaosDataset> some =
                chaos.datasets().stream().filter(d -> !d.staged().isEmpty()).toList();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(some);
        TestCommit commit = chaos.any(dataset.staged().values());
        chaos.log("publish %s of %s, staged before", commit.id(), dataset.path());
        boolean open = dataset.end() == 0 || commit.sources().get(0).start() == dataset.end();
        assertThat(publish(dataset, commit).verdict()).isEqualTo(open ? Verdict.OPEN : Verdict.FENCED);
        if (open) {
            dataset.published(commit);
        }
        return true;
    }

    private boolean abort() throws Exception {
        List<ChaosDataset> some =
                chaos.datasets().stream().filter(d -> !d.staged().isEmpty()).toList();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(some);
        String id = chaos.any(dataset.staged().keySet());
        chaos.log("abort %s of %s", id, dataset.path());
        chaos.client().abortCommit(dataset.path(), id);
        dataset.staged().remove(id);
        assertThat(chaos.fs().exists(new Path(dataset.storeDir() + "/staging/" + id)))
                .isFalse();
        return true;
    }
}
