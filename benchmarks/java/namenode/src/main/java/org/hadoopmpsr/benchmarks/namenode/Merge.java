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
package org.hadoopmpsr.benchmarks.namenode;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.FileStatistics;

/** A rewrite of commits: in each directory of each group, one file takes the place of theirs. */
final class Merge extends Change {
    private final List<Commit> commits;
    private final Map<String, RemovedContent> removed = new HashMap<>();
    private final List<StagedFile> files;

    /** @param commits of one dataset, at least one */
    Merge(String id, List<Commit> commits) {
        super(commits.get(0).dataset(), id);
        this.commits = List.copyOf(commits);
        Map<String, StagedFile> byDirectory = new LinkedHashMap<>();
        for (Commit commit : commits) {
            for (StagedFile file : commit.files()) {
                ContentHash content = file.statistics().content();
                removed.merge(
                        file.group(),
                        new RemovedContent(ContentHashes.of(content), Map.of()),
                        (a, b) -> RemovedContent.sum(List.of(a, b)));
                String directory = PathNames.parent(file.relativePath());
                byDirectory.merge(file.group() + "/" + directory, named(file, directory), Merge::union);
            }
        }
        files = List.copyOf(byDirectory.values());
    }

    private StagedFile named(StagedFile file, String directory) {
        FileStatistics read = file.statistics();
        return new StagedFile(
                file.group(),
                directory + "/" + id() + "-0.parquet",
                new FileStatistics(id(), read.content(), read.partition(), read.columns()));
    }

    private static StagedFile union(StagedFile a, StagedFile b) {
        FileStatistics one = a.statistics();
        FileStatistics other = b.statistics();
        FileStatistics both = new FileStatistics(
                one.commitId(),
                one.content().plus(other.content()),
                one.partition(),
                one.union(other).columns());
        return new StagedFile(a.group(), a.relativePath(), both);
    }

    @Override
    List<StagedFile> files() {
        return files;
    }

    @Override
    PublishResult ask(MpsrClient client) throws IOException {
        return client.rewrite(
                dataset().path(),
                dataset().id(),
                id(),
                commits.stream().map(Commit::id).toList(),
                removed,
                List.of(),
                files);
    }
}
