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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;

/** Steps of jobs that rebuild segments in one group, alone, against each other, and while something happens. */
final class ChaosRebuilds {
    private final Chaos chaos;

    ChaosRebuilds(Chaos chaos) {
        this.chaos = chaos;
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("rebuild", 3, () -> rebuild(1, () -> {})),
                new ChaosStep("rebuild and failover", 2, () -> rebuild(ChaosWriter.TRIES, chaos.cluster()::failOver)),
                new ChaosStep("rebuild and a NameNode's crash", 2, this::crash),
                new ChaosStep("two rebuilds", 2, this::race));
    }

    private interface Fault {
        void happen() throws Exception;
    }

    private Optional<ChaosDataset> any() {
        return chaos.anyDataset(
                d -> !d.soundSegments().isEmpty() && chaos.dataNodes().down().isEmpty());
    }

    /** A rebuild of some of the segments in a group. */
    private TestRebuild some(ChaosDataset dataset, String group, List<String> from) throws IOException {
        List<String> left = new ArrayList<>(from);
        List<StagedFile> files = new ArrayList<>();
        List<Long> replaces = new ArrayList<>();
        for (int i = chaos.random(2); i >= 0 && !left.isEmpty(); i--) {
            String segment = left.remove(chaos.random(left.size()));
            for (StagedFile file : dataset.segments().get(segment)) {
                if (file.group().equals(group)) {
                    files.add(file);
                    replaces.add(chaos.fs()
                            .getClient()
                            .getFileInfo(dataset.root(group) + "/" + file.relativePath())
                            .getFileId());
                }
            }
        }
        return new TestRebuild(dataset.dataset(), chaos.newName("b"), files, replaces);
    }

    private boolean rebuild(int tries, Fault fault) throws Exception {
        Optional<ChaosDataset> some = any();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        String group = chaos.any(List.copyOf(dataset.groupNames()));
        TestRebuild rebuild = some(dataset, group, dataset.soundSegments());
        int reached = chaos.random(2);
        chaos.log(
                "%s of %s of %s in %s, something after %d calls",
                rebuild.id(), rebuild.rebuild().segments(), group, dataset.path(), reached);
        AtomicInteger calls = new AtomicInteger();
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> running =
                    job.submit(() -> write(dataset, rebuild, tries, calls).outcome());
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> calls.get() >= reached || running.isDone());
            fault.happen();
            assertThat(running.get()).isIn(Outcome.COMMITTED, Outcome.ALREADY_COMMITTED);
        } finally {
            job.shutdownNow();
        }
        dataset.rebuilt(rebuild);
        return true;
    }

    /** Stages and publishes until it is known what became of it, and leaves nothing behind. */
    private PublishResult write(ChaosDataset dataset, TestRebuild rebuild, int tries, AtomicInteger calls)
            throws IOException {
        for (int i = 1; ; i++) {
            try {
                rebuild.stage(chaos.client(), dataset.path(), chaos.fs());
                calls.incrementAndGet();
                PublishResult result = rebuild.publish(chaos.client(), dataset.path());
                calls.incrementAndGet();
                if (result.outcome() != Outcome.COMMITTED) {
                    chaos.client().abortCommit(dataset.path(), dataset.id(), rebuild.id());
                }
                return result;
            } catch (IOException e) {
                if (i == tries) {
                    throw e;
                }
            }
        }
    }

    private boolean crash() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int[] ended = {-1};
        boolean done = rebuild(ChaosWriter.TRIES, () -> {
            chaos.log("NameNode %d crashes", chaos.cluster().active());
            ended[0] = chaos.cluster().crashActive();
        });
        if (ended[0] >= 0) {
            chaos.restart(ended[0]);
        }
        return done;
    }

    /** Two jobs want the files of one segment: one gets them. */
    private boolean race() throws Exception {
        Optional<ChaosDataset> found = any();
        if (found.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = found.get();
        String group = chaos.any(List.copyOf(dataset.groupNames()));
        List<String> both = List.of(chaos.any(dataset.soundSegments()));
        TestRebuild one = some(dataset, group, both);
        TestRebuild other = some(dataset, group, both);
        chaos.log("%s and %s of %s of %s in %s", one.id(), other.id(), both, group, dataset.path());
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<PublishResult> running = job.submit(() -> write(dataset, one, 1, new AtomicInteger()));
            PublishResult second = write(dataset, other, 1, new AtomicInteger());
            PublishResult first = running.get();
            assertThat(List.of(first.outcome(), second.outcome()))
                    .containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.FENCED);
            dataset.rebuilt(first.outcome() == Outcome.COMMITTED ? one : other);
        } finally {
            job.shutdownNow();
        }
        return true;
    }
}
