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

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;

/** What a dataset should hold. Only the thread that takes the steps changes it; readers use what is marked. */
final class ChaosDataset {
    private static final LocalDate FIRST_DAY = LocalDate.of(2014, 5, 1);

    private final Dataset dataset;
    private final Map<String, TestCommit> published = new LinkedHashMap<>();
    /** The files of the current segments, in all groups. */
    private final Map<String, List<StagedFile>> segments = new LinkedHashMap<>();

    private final Set<String> rewrites = new TreeSet<>();
    private final Map<String, TestCommit> staged = new TreeMap<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private volatile String path;
    private volatile int commits;
    private volatile boolean calm = true;
    private long end;
    private Optional<String> snapshot = Optional.empty();

    /** What was done to a representation by hand: paths below its root. */
    private static final class Group {
        private final Set<String> strays = new TreeSet<>();
        private final Set<String> changed = new TreeSet<>();
        private final Map<String, String> vanished = new TreeMap<>();
    }

    ChaosDataset(Dataset dataset) {
        this.dataset = dataset;
        this.path = dataset.path();
        dataset.groups().names().forEach(name -> groups.put(name, new Group()));
    }

    /** A commit that follows on what is published. Its id tells how many files it has in each group. */
    TestCommit next(String writer, int parts, int day) {
        return commit(writer, end, parts, day);
    }

    TestCommit commit(String writer, long start, int parts, int day) {
        CommitSource source = new CommitSource("t", 0, start, start + 10);
        String id = "t-0-" + start + "-" + (start + 10) + "-" + writer + "-parts" + parts;
        return new TestCommit(dataset, id, source, "PT-" + day, FIRST_DAY.plusDays(day), parts);
    }

    void published(TestCommit commit) {
        published.put(commit.id(), commit);
        segments.put(commit.id(), commit.files());
        staged.remove(commit.id());
        end = commit.sources().get(0).end();
        commits = published.size();
    }

    void rewritten(TestRewrite rewrite) {
        segments.keySet().removeAll(rewrite.removes());
        segments.put(rewrite.id(), rewrite.files());
        rewrites.add(rewrite.id());
    }

    void rebuilt(TestRebuild rebuild) {
        for (String segment : rebuild.rebuild().segments()) {
            List<StagedFile> files = new ArrayList<>(segments.get(segment));
            files.removeIf(f -> f.group().equals(rebuild.rebuild().group()));
            rebuild.files().stream()
                    .filter(f -> f.statistics().commitId().equals(segment))
                    .forEach(files::add);
            segments.put(segment, files);
        }
        rewrites.add(rebuild.id());
    }

    /** The files of the current segments by segment, in all groups. */
    Map<String, List<StagedFile>> segments() {
        return segments;
    }

    /** The ids of all rewrites and rebuilds. */
    Set<String> rewrites() {
        return rewrites;
    }

    /** The segments all of whose files are as they were, in order. */
    List<String> soundSegments() {
        return segments.entrySet().stream()
                .filter(s -> s.getValue().stream().allMatch(this::isSound))
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean isSound(StagedFile file) {
        Group group = group(file.group());
        return !group.changed.contains(file.relativePath()) && !group.vanished.containsKey(file.relativePath());
    }

    /** How many commits are published for sure. For readers. */
    int commits() {
        return commits;
    }

    /** True while nothing was done to it but commits. For readers. */
    boolean isCalm() {
        return calm;
    }

    /** Something else is done to it from now on. */
    ChaosDataset disturb() {
        calm = false;
        return this;
    }

    /** For readers. */
    String path() {
        return path;
    }

    void renamed(String to) {
        path = to;
    }

    /** As it was created. */
    Dataset dataset() {
        return dataset;
    }

    String id() {
        return dataset.id();
    }

    String storeDir() {
        return "/.mpsr/datasets/" + dataset.id();
    }

    String defaultGroup() {
        return dataset.groups().defaultName();
    }

    Collection<String> groupNames() {
        return groups.keySet();
    }

    int replication(String group) {
        return dataset.groups().find(group).orElseThrow().replication();
    }

    String root(String group) {
        return group.equals(defaultGroup()) ? path : storeDir() + "/" + group;
    }

    long end() {
        return end;
    }

    List<TestCommit> publishedCommits() {
        return List.copyOf(published.values());
    }

    Map<String, TestCommit> staged() {
        return staged;
    }

    Optional<String> snapshot() {
        return snapshot;
    }

    void snapshot(Optional<String> name) {
        snapshot = name;
    }

    Set<String> strays(String group) {
        return group(group).strays;
    }

    Set<String> changed(String group) {
        return group(group).changed;
    }

    /** Published files that are away, with where they are; empty where they are gone. */
    Map<String, String> vanished(String group) {
        return group(group).vanished;
    }

    private Group group(String name) {
        return groups.get(name);
    }

    boolean isWell(String group) {
        Group g = group(group);
        return g.strays.isEmpty() && g.changed.isEmpty() && g.vanished.isEmpty();
    }

    boolean isWell() {
        return groups.keySet().stream().allMatch(this::isWell);
    }

    /** The published files of a group, below its root. */
    Set<String> publishedFiles(String group) {
        Set<String> files = new TreeSet<>();
        for (List<StagedFile> segment : segments.values()) {
            segment.stream()
                    .filter(f -> f.group().equals(group))
                    .map(StagedFile::relativePath)
                    .forEach(files::add);
        }
        return files;
    }

    /** The published files that are as they were. */
    List<String> soundFiles(String group) {
        Set<String> files = publishedFiles(group);
        files.removeAll(group(group).changed);
        files.removeAll(group(group).vanished.keySet());
        return new ArrayList<>(files);
    }

    /** All files that there are in a group, below its root. */
    Set<String> presentFiles(String group) {
        Set<String> files = publishedFiles(group);
        files.removeAll(group(group).vanished.keySet());
        files.addAll(group(group).strays);
        return files;
    }

    /** What was published, in the kinds of the current segments: rewrites hash records anew. */
    ContentHashes content() {
        ContentHashes sum = ContentHashes.EMPTY;
        for (TestCommit commit : published.values()) {
            boolean rewritten = !segments.containsKey(commit.id());
            for (StagedFile file : commit.files()) {
                if (file.group().equals(defaultGroup())) {
                    ContentHash content = file.statistics().content();
                    sum = sum.plus(rewritten ? TestRewrite.rewritten(content) : content);
                }
            }
        }
        return sum;
    }
}
