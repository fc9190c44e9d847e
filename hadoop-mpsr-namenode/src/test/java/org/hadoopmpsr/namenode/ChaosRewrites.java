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
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    private final ChaosJobs jobs;
    private final ChaosWriter writer;

    ChaosRewrites(Chaos chaos) {
        this.chaos = chaos;
        this.jobs = new ChaosJobs(chaos);
        this.writer = new ChaosWriter(chaos);
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("rewrite", 4, () -> rewrite(1, () -> {})),
                new ChaosStep("rewrite and failover", 2, () -> rewrite(ChaosWriter.TRIES, chaos.cluster()::failOver)),
                new ChaosStep("rewrite and a NameNode's crash", 2, () -> jobs.crash(this::rewrite)),
                new ChaosStep("rewrite and commit", 3, this::beside),
                new ChaosStep("two rewrites", 3, this::race),
                new ChaosStep("rewrite of what was changed", 3, this::changed));
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

    private boolean rewrite(int tries, ChaosJobs.Fault fault) throws Exception {
        Optional<ChaosDataset> some = jobs.any();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestRewrite rewrite = some(dataset, dataset.soundSegments());
        int reached = chaos.random(2);
        chaos.log(
                "rewrite %s of %s in %s, something after %d calls",
                rewrite.removes(), rewrite.id(), dataset.path(), reached);
        jobs.run(dataset, rewrite, tries, reached, fault);
        dataset.rewritten(rewrite);
        return true;
    }

    /** A job and a writer do not disturb each other. */
    private boolean beside() throws Exception {
        Optional<ChaosDataset> some = jobs.any();
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        TestRewrite rewrite = some(dataset, dataset.soundSegments());
        TestCommit commit = writer.next(dataset, chaos.newName("w"));
        chaos.log("rewrite %s of %s in %s beside %s", rewrite.removes(), rewrite.id(), dataset.path(), commit.id());
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> running =
                    job.submit(() -> jobs.write(dataset, rewrite).outcome());
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
        Optional<ChaosDataset> found = jobs.any();
        if (found.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = found.get();
        String both = chaos.any(dataset.soundSegments());
        TestRewrite one = some(dataset, List.of(both));
        TestRewrite other = some(dataset, List.of(both));
        chaos.log("rewrites %s and %s of %s in %s", one.id(), other.id(), both, dataset.path());
        dataset.rewritten(jobs.race(dataset, one, other));
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
        PublishResult result = jobs.write(dataset, rewrite);
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
