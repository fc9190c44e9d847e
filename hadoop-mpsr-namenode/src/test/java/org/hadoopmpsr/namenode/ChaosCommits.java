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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopmpsr.client.PublishResult.Outcome;

/** Steps of writers, one for each dataset: commits that are published while something happens to the NameNodes. */
final class ChaosCommits {
    private final Chaos chaos;
    private final ChaosWriter writer;

    ChaosCommits(Chaos chaos) {
        this.chaos = chaos;
        this.writer = new ChaosWriter(chaos);
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("create", 3, this::create),
                new ChaosStep("commits", 6, () -> commits(1, () -> {})),
                new ChaosStep("commits and failover", 3, () -> commits(ChaosWriter.TRIES, chaos.cluster()::failOver)),
                new ChaosStep("commits and a NameNode's end", 1, () -> endDuringCommits(false)),
                new ChaosStep("commits and a NameNode's crash", 3, () -> endDuringCommits(true)));
    }

    boolean create() throws IOException {
        if (chaos.datasets().size() >= 3) {
            return false;
        }
        String path = chaos.home() + "/" + chaos.newName("d");
        chaos.log("create %s", path);
        ChaosDataset dataset = new ChaosDataset(chaos.client().createDataset(path, TestCluster.SCHEMA));
        chaos.datasets().add(dataset);
        return true;
    }

    private interface Fault {
        void happen() throws Exception;
    }

    private boolean endDuringCommits(boolean crash) throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int[] ended = {-1};
        boolean done = commits(ChaosWriter.TRIES, () -> {
            chaos.log("NameNode %d %s", chaos.cluster().active(), crash ? "crashes" : "is stopped");
            ended[0] = crash ? chaos.cluster().crashActive() : chaos.cluster().killActive();
        });
        if (ended[0] >= 0) {
            chaos.restart(ended[0]);
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
            String name = chaos.newName("w");
            for (int i = 0; i < each; i++) {
                commits.add(dataset.commit(name, dataset.end() + 10L * i, 1 + chaos.random(3), chaos.random(3)));
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
                    assertThat(writer.write(dataset, commit, tries, calls))
                            .as(commit.id())
                            .isNotEqualTo(Outcome.FENCED);
                }
                return null;
            })));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> calls.get() >= reached || running.stream().anyMatch(Future::isDone));
            fault.happen();
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            writers.shutdownNow();
        }
        all.forEach((dataset, commits) -> commits.forEach(dataset::published));
        return true;
    }
}
