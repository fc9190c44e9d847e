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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.Refusal;

/** Steps of jobs that rewrite segments, alone, against each other, and while something happens. */
final class ChaosRewrites {
    private static final Pattern COMMITS = Pattern.compile("-commits(\\d+)");

    private final Chaos chaos;
    private final ChaosWriter writer;

    ChaosRewrites(Chaos chaos) {
        this.chaos = chaos;
        this.writer = new ChaosWriter(chaos);
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("rewrite", 4, () -> rewrite(1, () -> {})),
                new ChaosStep("rewrite and failover", 2, () -> rewrite(ChaosWriter.TRIES, chaos.cluster()::failOver)),
                new ChaosStep("rewrite and a NameNode's crash", 2, this::crash),
                new ChaosStep("rewrite and commit", 3, this::beside),
                new ChaosStep("two rewrites", 3, this::race),
                new ChaosStep("rewrite of what was changed", 3, this::changed));
    }

    private interface Fault {
        void happen() throws Exception;
    }

    /** A rewrite of some of these segments. Its id tells how many commits there are in it. */
    private TestRewrite some(ChaosDataset dataset, List<String> from) {
        List<String> left = new ArrayList<>(from);
        Map<String, Collection<StagedFile>> removed = new LinkedHashMap<>();
        int commits = 0;
        for (int i = chaos.random(3); i >= 0 && !left.isEmpty(); i--) {
            String segment = left.remove(chaos.random(left.size()));
            removed.put(segment, dataset.segments().get(segment));
            Matcher merged = COMMITS.matcher(segment);
            commits += merged.find() ? Integer.parseInt(merged.group(1)) : 1;
        }
        return new TestRewrite(dataset.dataset(), chaos.newName("m") + "-commits" + commits, removed);
    }

    private Optional<ChaosDataset> any() {
        return chaos.anyDataset(
                d -> !d.soundSegments().isEmpty() && chaos.dataNodes().down().isEmpty());
    }

    private boolean rewrite(int tries, Fault fault) throws Exception {
        Optional<ChaosDataset> some = any();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestRewrite rewrite = some(dataset, dataset.soundSegments());
        int reached = chaos.random(2);
        chaos.log(
                "rewrite %s of %s in %s, something after %d calls",
                rewrite.removes(), rewrite.id(), dataset.path(), reached);
        AtomicInteger calls = new AtomicInteger();
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> running =
                    job.submit(() -> write(dataset, rewrite, tries, calls).outcome());
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> calls.get() >= reached || running.isDone());
            fault.happen();
            assertThat(running.get()).isIn(Outcome.COMMITTED, Outcome.ALREADY_COMMITTED);
        } finally {
            job.shutdownNow();
        }
        dataset.rewritten(rewrite);
        return true;
    }

    /** Stages and publishes until it is known what became of it, and leaves nothing behind. */
    private PublishResult write(ChaosDataset dataset, TestRewrite rewrite, int tries, AtomicInteger calls)
            throws IOException {
        for (int i = 1; ; i++) {
            try {
                rewrite.stage(chaos.client(), dataset.path(), chaos.fs());
                calls.incrementAndGet();
                PublishResult result = rewrite.publish(chaos.client(), dataset.path());
                calls.incrementAndGet();
                if (result.outcome() != Outcome.COMMITTED) {
                    chaos.client().abortCommit(dataset.path(), dataset.id(), rewrite.id());
                }
                return result;
            } catch (IOException e) {
                if (i == tries) {
                    throw e;
                }
            }
        }
    }

    private PublishResult write(ChaosDataset dataset, TestRewrite rewrite) throws IOException {
        return write(dataset, rewrite, 1, new AtomicInteger());
    }

    private boolean crash() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int[] ended = {-1};
        boolean done = rewrite(ChaosWriter.TRIES, () -> {
            chaos.log("NameNode %d crashes", chaos.cluster().active());
            ended[0] = chaos.cluster().crashActive();
        });
        if (ended[0] >= 0) {
            chaos.restart(ended[0]);
        }
        return done;
    }

    /** A job and a writer do not disturb each other. */
    private boolean beside() throws Exception {
        Optional<ChaosDataset> some = any();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestRewrite rewrite = some(dataset, dataset.soundSegments());
        TestCommit commit = writer.next(dataset, chaos.newName("w"));
        chaos.log("rewrite %s of %s in %s beside %s", rewrite.removes(), rewrite.id(), dataset.path(), commit.id());
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> running = job.submit(() -> write(dataset, rewrite).outcome());
            assertThat(writer.write(dataset, commit)).isEqualTo(Outcome.COMMITTED);
            assertThat(running.get()).isEqualTo(Outcome.COMMITTED);
        } finally {
            job.shutdownNow();
        }
        dataset.published(commit);
        dataset.rewritten(rewrite);
        return true;
    }

    /** Two jobs want one segment: one gets it. */
    private boolean race() throws Exception {
        Optional<ChaosDataset> found = any();
        if (found.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = found.get();
        String both = chaos.any(dataset.soundSegments());
        TestRewrite one = some(dataset, List.of(both));
        TestRewrite other = some(dataset, List.of(both));
        chaos.log("rewrites %s and %s of %s in %s", one.id(), other.id(), both, dataset.path());
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<PublishResult> running = job.submit(() -> write(dataset, one));
            PublishResult second = write(dataset, other);
            PublishResult first = running.get();
            assertThat(List.of(first.outcome(), second.outcome()))
                    .containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.FENCED);
            dataset.rewritten(first.outcome() == Outcome.COMMITTED ? one : other);
        } finally {
            job.shutdownNow();
        }
        return true;
    }

    private boolean changed() throws IOException {
        Optional<ChaosDataset> some =
                chaos.anyDataset(d -> d.soundSegments().size() < d.segments().size());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        List<String> unsound = new ArrayList<>(dataset.segments().keySet());
        unsound.removeAll(dataset.soundSegments());
        TestRewrite rewrite = some(dataset, List.of(chaos.any(unsound)));
        chaos.log("rewrite %s of %s in %s, which was changed", rewrite.removes(), rewrite.id(), dataset.path());
        PublishResult result = write(dataset, rewrite);
        boolean gone = dataset.segments().get(rewrite.removes().get(0)).stream()
                .allMatch(f -> dataset.vanished(f.group()).containsKey(f.relativePath()));
        if (gone) {
            assertThat(result.outcome()).isEqualTo(Outcome.FENCED);
        } else {
            assertThat(result.outcome()).as(result.reason()).isEqualTo(Outcome.REFUSED);
            assertThat(result.refusal().kind()).isEqualTo(Refusal.Kind.NOT_REPLACEABLE);
        }
        return true;
    }
}
