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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.PublishResult.Outcome;

/** Steps of writers of which not each may win: commits that are raced for, repeated, fenced, given up and resumed. */
final class ChaosFences {
    private final Chaos chaos;
    private final ChaosWriter writer;

    ChaosFences(Chaos chaos) {
        this.chaos = chaos;
        this.writer = new ChaosWriter(chaos);
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("race", 3, this::race),
                new ChaosStep("the same commit by two", 2, this::same),
                new ChaosStep("repeat", 2, this::repeat),
                new ChaosStep("fence", 2, this::fence),
                new ChaosStep("give up", 2, this::giveUp),
                new ChaosStep("go on", 2, this::goOn),
                new ChaosStep("abort", 1, this::abort));
    }

    private Optional<ChaosDataset> any(Predicate<ChaosDataset> which) {
        return chaos.anyDataset(which);
    }

    /** Two writers want the same offsets: one gets them. */
    private boolean race() throws Exception {
        Optional<ChaosDataset> some = any(d -> true);
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestCommit one = writer.next(dataset, chaos.newName("w"));
        TestCommit other = writer.next(dataset, chaos.newName("w"));
        chaos.log("race of %s and %s for %s", one.id(), other.id(), dataset.path());
        List<Outcome> outcomes = writer.atOnce(dataset, one, other);
        assertThat(outcomes).containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.FENCED);
        dataset.published(outcomes.get(0) == Outcome.COMMITTED ? one : other);
        return true;
    }

    /** A writer that was replaced and does not know it tries once more what its successor does. */
    private boolean same() throws Exception {
        Optional<ChaosDataset> some = any(d -> true);
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestCommit commit = writer.next(dataset, chaos.newName("w"));
        chaos.log("twice at the same time %s to %s", commit.id(), dataset.path());
        ExecutorService replaced = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> once = replaced.submit(() -> writer.write(dataset, commit));
            assertThat(writer.write(dataset, commit, ChaosWriter.TRIES, new AtomicInteger()))
                    .isNotEqualTo(Outcome.FENCED);
            try {
                assertThat(once.get()).isNotEqualTo(Outcome.FENCED);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(IOException.class);
            }
        } finally {
            replaced.shutdownNow();
        }
        chaos.client().abortCommit(dataset.path(), dataset.id(), commit.id());
        dataset.published(commit);
        return true;
    }

    private boolean repeat() throws Exception {
        Optional<ChaosDataset> some = any(d -> !d.publishedCommits().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        List<TestCommit> commits = dataset.publishedCommits();
        TestCommit commit = chaos.any(commits);
        chaos.log("repeat %s to %s", commit.id(), dataset.path());
        boolean last = commit == commits.get(commits.size() - 1);
        Outcome outcome =
                chaos.random(2) == 0 ? writer.publish(dataset, commit).outcome() : writer.write(dataset, commit);
        assertThat(outcome).isEqualTo(last ? Outcome.ALREADY_COMMITTED : Outcome.FENCED);
        return true;
    }

    private boolean fence() throws Exception {
        Optional<ChaosDataset> some = any(d -> d.end() > 0);
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        long start = chaos.random(2) == 0 ? dataset.end() + 10 : dataset.end() - 10;
        TestCommit commit = dataset.commit(chaos.newName("w"), start, 1, 0);
        chaos.log("fence %s from %s", commit.id(), dataset.path());
        assertThat(writer.write(dataset, commit)).isEqualTo(Outcome.FENCED);
        return true;
    }

    /** A client dies between staging and publishing. */
    private boolean giveUp() throws Exception {
        Optional<ChaosDataset> some = any(d -> true);
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestCommit commit = writer.next(dataset, chaos.newName("w"));
        chaos.log("stage %s of %s and no more", commit.id(), dataset.path());
        commit.stage(chaos.client(), dataset.path(), chaos.fs());
        dataset.staged().put(commit.id(), commit);
        return true;
    }

    /** What was staged and not published is published after all: it is fenced if others were faster. */
    private boolean goOn() throws Exception {
        Optional<ChaosDataset> some = any(d -> !d.staged().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestCommit commit = chaos.any(dataset.staged().values());
        chaos.log("publish %s of %s, staged before", commit.id(), dataset.path());
        boolean open = dataset.end() == 0 || commit.sources().get(0).start() == dataset.end();
        assertThat(writer.publish(dataset, commit).outcome()).isEqualTo(open ? Outcome.COMMITTED : Outcome.FENCED);
        if (open) {
            dataset.published(commit);
        }
        return true;
    }

    private boolean abort() throws Exception {
        Optional<ChaosDataset> some = any(d -> !d.staged().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        String id = chaos.any(dataset.staged().keySet());
        chaos.log("abort %s of %s", id, dataset.path());
        chaos.client().abortCommit(dataset.path(), dataset.id(), id);
        dataset.staged().remove(id);
        assertThat(chaos.fs().exists(new Path(dataset.storeDir() + "/staging/" + id)))
                .isFalse();
        return true;
    }
}
