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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.client.StagedFile;

/** Steps of jobs that rebuild segments in one group, alone, against each other, and while something happens. */
final class ChaosRebuilds {
    private final Chaos chaos;
    private final ChaosJobs jobs;

    ChaosRebuilds(Chaos chaos) {
        this.chaos = chaos;
        this.jobs = new ChaosJobs(chaos);
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("rebuild", 3, () -> rebuild(1, () -> {})),
                new ChaosStep("rebuild and failover", 2, () -> rebuild(ChaosWriter.TRIES, chaos.cluster()::failOver)),
                new ChaosStep("rebuild and a NameNode's crash", 2, () -> jobs.crash(this::rebuild)),
                new ChaosStep("two rebuilds", 2, this::race));
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

    private boolean rebuild(int tries, ChaosJobs.Fault fault) throws Exception {
        Optional<ChaosDataset> some = jobs.any();
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
        jobs.run(dataset, rebuild, tries, reached, fault);
        dataset.rebuilt(rebuild);
        return true;
    }

    /** Two jobs want the files of one segment: one gets them. */
    private boolean race() throws Exception {
        Optional<ChaosDataset> found = jobs.any();
        if (found.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = found.get();
        String group = chaos.any(List.copyOf(dataset.groupNames()));
        List<String> both = List.of(chaos.any(dataset.soundSegments()));
        TestRebuild one = some(dataset, group, both);
        TestRebuild other = some(dataset, group, both);
        chaos.log("%s and %s of %s of %s in %s", one.id(), other.id(), both, group, dataset.path());
        dataset.rebuilt(jobs.race(dataset, one, other));
        return true;
    }
}
