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
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.ReadContent;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A rewrite as a job makes it: in each directory of each group, one file takes the place of the segments' files. Its name tells
 * how many there are in the group.
 */
public final class TestRewrite implements TestChange {
    private final Dataset dataset;
    private final String id;
    private final List<String> removes;
    private final List<StagedFile> files = new ArrayList<>();
    private final Map<String, RemovedContent> removedContent = new HashMap<>();

    /** @param segments the files of each removed segment, by its id */
    public TestRewrite(Dataset dataset, String id, Map<String, Collection<StagedFile>> segments) {
        this.dataset = dataset;
        this.id = id;
        this.removes = List.copyOf(segments.keySet());
        Map<String, FileStatistics> merged = new LinkedHashMap<>();
        Map<String, ContentHash> contents = new HashMap<>();
        Map<String, StagedFile> first = new HashMap<>();
        for (Collection<StagedFile> segment : segments.values()) {
            for (StagedFile file : segment) {
                String place = file.group() + "/" + PathNames.parent(file.relativePath());
                first.putIfAbsent(place, file);
                merged.merge(place, file.statistics(), FileStatistics::union);
                contents.merge(place, rewritten(file.statistics().content()), ContentHash::plus);
                removedContent.merge(file.group(), read(file), (a, b) -> RemovedContent.sum(List.of(a, b)));
            }
        }
        Map<String, Integer> parts = new HashMap<>();
        first.values().forEach(file -> parts.merge(file.group(), 1, Integer::sum));
        merged.forEach((place, statistics) -> {
            StagedFile any = first.get(place);
            String name = id + "-parts" + parts.get(any.group()) + "-" + files.size() + ".parquet";
            files.add(new StagedFile(
                    any.group(),
                    PathNames.parent(any.relativePath()) + "/" + name,
                    new FileStatistics(
                            id,
                            contents.getOrDefault(place, ContentHash.EMPTY),
                            any.statistics().partition(),
                            statistics.columns())));
        });
    }

    private static RemovedContent read(StagedFile file) {
        ContentHash content = file.statistics().content();
        ContentHash again = rewritten(content);
        return RemovedContent.of(
                PathNames.parent(file.relativePath()),
                new ReadContent(ContentHashes.of(content), again.equals(content) ? ContentHash.EMPTY : again));
    }

    /** The hash of records in the kind that rewrites use. Sums of such hashes are equal in all groups, as the records are. */
    static ContentHash rewritten(ContentHash content) {
        return new ContentHash(HashKind.XXH_128, content.count(), content.high(), content.low());
    }

    /** The content of the files that it writes to each group. */
    public ContentHash content() {
        String group = files.get(0).group();
        return files.stream()
                .filter(f -> f.group().equals(group))
                .map(f -> f.statistics().content())
                .reduce(ContentHash.EMPTY, ContentHash::plus);
    }

    /** A rewrite of commits. */
    public static TestRewrite of(Dataset dataset, String id, TestCommit... commits) {
        Map<String, Collection<StagedFile>> segments = new LinkedHashMap<>();
        List.of(commits).forEach(c -> segments.put(c.id(), c.files()));
        return new TestRewrite(dataset, id, segments);
    }

    @Override
    public String id() {
        return id;
    }

    public List<String> removes() {
        return removes;
    }

    public List<StagedFile> files() {
        return files;
    }

    public Map<String, RemovedContent> removedContent() {
        return removedContent;
    }

    /** Where a group's files are when it is published. */
    public List<String> published(String group) {
        String root = dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
        return files.stream()
                .filter(f -> f.group().equals(group))
                .map(f -> root + "/" + f.relativePath())
                .sorted()
                .toList();
    }

    /** Begins it and writes its files. */
    public TestRewrite stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    /** The same, where the dataset may have been renamed. */
    @Override
    public TestRewrite stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(client, fs, path, dataset, id, files, file -> 2_000);
        return this;
    }

    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    /** The same, where the dataset may have been renamed. */
    @Override
    public PublishResult publish(MpsrClient client, String path) throws IOException {
        return client.rewrite(path, dataset.id(), id, removes, removedContent, List.of(), files);
    }
}
