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
package org.hadoopmpsr.namenode.exchange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.writer.RefusedException;

/**
 * The files of the segments that a rewrite, a delete or a rollback removes, as they are when its publish begins, and the checks that they stay so.
 * For one publish and one thread.
 */
public final class RemovedFiles {
    private final MpsrNamesystem system;
    private final Indexes indexes;
    private final DatasetLocks locks;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final Set<String> removes;
    /** The names of the complete groups. */
    private final List<String> complete;

    private final Map<String, List<GroupFile>> byGroup = new HashMap<>();
    private final Map<String, List<GroupFile>> files = new HashMap<>();
    /** What each group holds of each segment. */
    private final Map<String, Map<String, Segment.Group>> bySegment = new HashMap<>();

    private final Map<String, ContentHashes> contents = new HashMap<>();
    private final Map<String, ContentHashes> byDirectory = new HashMap<>();
    /** The newest modification time of those of each directory. */
    private final Map<String, Long> newest = new HashMap<>();

    /** The default group's files by segment: of a delete, whose new files are of several segments; else all together. */
    private final Map<String, List<GroupFile>> shown = new HashMap<>();
    /** Of the default group's files, as these are divided there. */
    private final Map<String, Set<NodeRights>> rights = new HashMap<>();

    public RemovedFiles(
            MpsrNamesystem system, Indexes indexes, DatasetLocks locks, DatasetRecord dataset, DatasetChange change) {
        this.system = system;
        this.indexes = indexes;
        this.locks = locks;
        this.dataset = dataset;
        this.change = change;
        this.removes = Set.copyOf(change.removes());
        this.complete = dataset.whole().groups().names();
    }

    /** Finds them. Reads the attribute of each file of the dataset; must be called without the namesystem's lock. */
    public void find() throws IOException {
        DatasetIndex index = locks.look(dataset, () -> indexes.of(dataset));
        for (String group : dataset.groups().names()) {
            index.group(group).each((file, header) -> {
                if (removes.contains(header.commitId())) {
                    add(group, file, header);
                }
            });
        }
    }

    private void add(String group, GroupFile file, Header header) {
        if (group.equals(dataset.defaultGroup())) {
            shown.computeIfAbsent(part(header.commitId()), s -> new ArrayList<>())
                    .add(file);
        }
        byGroup.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
        files.computeIfAbsent(header.commitId(), s -> new ArrayList<>()).add(file);
        bySegment
                .computeIfAbsent(header.commitId(), s -> new HashMap<>())
                .merge(group, new Segment.Group(1, header.length(), header.content()), Segment.Group::plus);
        ContentHashes records = ContentHashes.of(header.content());
        contents.merge(group, records, ContentHashes::plus);
        if (complete.contains(group)) { // another one lacks records of the directory, until they are written there
            byDirectory.merge(file.directory(), records, ContentHashes::plus);
        }
        newest.merge(file.directory(), header.modificationTime(), Math::max);
    }

    /** True if a file of a segment lies where it was found. Needs the read lock. */
    public boolean isInPlace(String segment) {
        return files.getOrDefault(segment, List.of()).stream().anyMatch(file -> FilesInPlace.contain(system, file));
    }

    /**
     * Checks that they can be replaced: that all groups hold the records of each segment as they were published, that no file
     * was changed, and that the default group's files have equal rights, which matters where the new files get them.
     */
    public void check(SegmentRecords records) throws IOException {
        for (String segment : change.removes()) {
            Segment record = system.read(() -> records.get(dataset, segment));
            Optional<String> problem = Segment.problem(
                    complete,
                    dataset.groups().lossyNames(),
                    bySegment.getOrDefault(segment, Map.of()),
                    record == null ? Map.of() : record.groups());
            if (problem.isPresent()) {
                throw refused(problem.get() + " of segment " + segment + "; a file of it was deleted, or put there");
            }
        }
        checkUnchanged();
        rights.clear();
        for (Map.Entry<String, List<GroupFile>> part : shown.entrySet()) {
            Set<NodeRights> found = rights.computeIfAbsent(part.getKey(), s -> new HashSet<>());
            LockSteps.read(system, part.getValue(), some -> some.forEach(f -> found.add(NodeRights.of(f.file()))));
        }
        checkRights();
    }

    /** The files of one part get the same rights. */
    private String part(String segment) {
        return isDelete() ? segment : "";
    }

    private boolean isDelete() {
        return change.kind() == DatasetChange.Kind.DELETE;
    }

    private void checkRights() throws RefusedException {
        boolean handedOn =
                change.kind() != DatasetChange.Kind.ROLLBACK && change.kind() != DatasetChange.Kind.OVERWRITE;
        if (handedOn && rights.values().stream().anyMatch(some -> some.size() > 1)) {
            throw refused("their files in the default group have different rights; "
                    + (isDelete() ? "give the files of a segment" : "merge segments whose files have")
                    + " the same owner, group, mode and access control list");
        }
    }

    /** Checks that all files are in their places and unchanged. Takes the read lock in short holds. */
    public void checkUnchanged() throws IOException {
        for (List<GroupFile> all : byGroup.values()) {
            LockSteps.read(system, all, this::checkUnchanged);
        }
    }

    /** Checks those that other calls of HDFS can change, and their rights, which the new files have got. Needs the read lock. */
    public void checkDefaultGroup() throws IOException {
        system.holds().look(of(dataset.defaultGroup()).size());
        checkUnchanged(of(dataset.defaultGroup()));
        shown.forEach((part, files) -> files.forEach(
                f -> rights.computeIfAbsent(part, s -> new HashSet<>()).add(NodeRights.of(f.file()))));
        checkRights();
    }

    private void checkUnchanged(List<GroupFile> some) throws RefusedException {
        for (GroupFile file : some) {
            INodeFile inode = file.file();
            if (!FilesInPlace.contain(system, file) || !StoredStatistics.isUnchanged(inode)) {
                throw refused("the file " + file.directory() + "/" + inode.getLocalName()
                        + " was deleted, moved or changed; "
                        + switch (change.kind()) {
                            case DELETE -> "repair it, and delete again";
                            case ROLLBACK -> "repair it, and roll back again";
                            case OVERWRITE -> "repair it, and write again";
                            default -> "compact again without its segment";
                        });
            }
        }
    }

    private RefusedException refused(String cause) {
        return RefusedException.of(Kind.NOT_REPLACEABLE, change, dataset, "the segments cannot be replaced: " + cause);
    }

    private List<GroupFile> of(String group) {
        return byGroup.getOrDefault(group, List.of());
    }

    /** One of the default group's files. Their rights are equal, after {@link #check}; of a delete, those of one segment. */
    public INodeFile ofDefaultGroup(String segment) {
        return shown.getOrDefault(part(segment), List.of()).get(0).file();
    }

    /** The files by group. */
    public Map<String, List<GroupFile>> byGroup() {
        return byGroup;
    }

    /** The records by group. */
    public Map<String, ContentHashes> contents() {
        return contents;
    }

    /** The records by directory, but for those of incomplete groups. */
    public Map<String, ContentHashes> contentsByDirectory() {
        return byDirectory;
    }

    /** The records of each segment by group. */
    public Map<String, Map<String, ContentHashes>> contentsBySegment() {
        Map<String, Map<String, ContentHashes>> all = new HashMap<>();
        bySegment.forEach((segment, groups) -> groups.forEach((group, held) ->
                all.computeIfAbsent(segment, s -> new HashMap<>()).put(group, ContentHashes.of(held.content()))));
        return all;
    }

    /** The newest modification time of those of a directory, in milliseconds; empty if it has none. */
    public OptionalLong newestIn(String directory) {
        Long time = newest.get(directory);
        return time == null ? OptionalLong.empty() : OptionalLong.of(time);
    }

    /** What is taken off what the dataset should hold. */
    public CommittedContent total() {
        Map<String, CommittedContent.Group> groups = new HashMap<>();
        contents.forEach((name, content) -> groups.put(name, new CommittedContent.Group(of(name).size(), content)));
        return new CommittedContent(groups);
    }
}
