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
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.jspecify.annotations.Nullable;

/** The files of the segments of a rebuild, in one state of the dataset. For one thread. */
public final class RebuiltFiles {
    private final MpsrNamesystem system;
    private final DatasetRecord dataset;
    private final String root;
    private final Rebuild rebuild;
    private final DatasetIndex index;
    private final Set<String> segments;
    /** Those of the group, by inode id. */
    private final Map<Long, Place> known = new HashMap<>();
    /** What every group has of each segment, in files that are there, or were when the index was built. */
    private final Map<String, Map<String, ContentHash>> bySegment = new HashMap<>();
    /** The newest modification time of each segment's files. */
    private final Map<String, Long> newest = new HashMap<>();

    private final List<GroupFile> replaced = new ArrayList<>();
    private final List<Place> kept = new ArrayList<>();
    private final List<Place> vanished = new ArrayList<>();
    private final Map<String, ContentHash> keptContents = new HashMap<>();
    private final Map<String, INodeFile> anyKept = new HashMap<>();
    private final Map<String, List<INodeFile>> byDirectory = new HashMap<>();
    private final Map<String, Map<String, ContentHashes>> replacedContents = new HashMap<>();
    /** The newest modification time of the replaced files of each directory. */
    private final Map<String, Long> newestIn = new HashMap<>();

    /** A file of the group, with what it said of itself when it was published. */
    private record Place(GroupFile file, Header header) {}

    private RebuiltFiles(
            MpsrNamesystem system, StoreLayout layout, DatasetRecord dataset, Rebuild rebuild, DatasetIndex index) {
        this.system = system;
        this.dataset = dataset;
        this.root = dataset.root(layout, rebuild.group());
        this.rebuild = rebuild;
        this.index = index;
        this.segments = Set.copyOf(rebuild.segments());
    }

    /** Finds them. Reads the attribute of each file of the dataset; must be called without the namesystem's lock. */
    public static RebuiltFiles find(
            MpsrNamesystem system, StoreLayout layout, DatasetRecord dataset, Rebuild rebuild, DatasetIndex index)
            throws IOException {
        RebuiltFiles files = new RebuiltFiles(system, layout, dataset, rebuild, index);
        for (String group : dataset.groups().names()) {
            index.group(group).each((file, header) -> files.add(group, file, header));
        }
        files.divide();
        return files;
    }

    private void add(String group, GroupFile file, Header header) {
        String segment = header.commitId();
        if (!segments.contains(segment)) {
            return;
        }
        bySegment.computeIfAbsent(segment, s -> new HashMap<>()).merge(group, header.content(), RebuiltFiles::sum);
        newest.merge(segment, header.modificationTime(), Math::max);
        if (group.equals(rebuild.group())) {
            known.put(file.file().getId(), new Place(file, header));
        }
    }

    /** Of contents that are hashed in different ways, which no segment has, only the number of records is kept. */
    public static ContentHash sum(ContentHash one, ContentHash other) {
        return one.isEmpty() || other.isEmpty() || one.kind() == other.kind()
                ? one.plus(other)
                : new ContentHash(one.kind(), one.count() + other.count(), 0, 0);
    }

    private void divide() throws IOException {
        Set<Long> replaces = new HashSet<>(rebuild.replaces());
        List<Place> others = new ArrayList<>();
        known.forEach((id, place) -> {
            if (replaces.remove(id)) {
                replaced.add(place.file());
            } else {
                others.add(place);
            }
        });
        LockSteps.read(
                system,
                others,
                some -> some.forEach(p -> (FilesInPlace.contain(system, p.file()) ? kept : vanished).add(p)));
        for (Place place : kept) {
            keptContents.merge(place.header().commitId(), place.header().content(), RebuiltFiles::sum);
            anyKept.putIfAbsent(place.header().commitId(), place.file().file());
        }
        LockSteps.read(system, List.copyOf(replaces), some -> {
            for (long id : some) {
                GroupFile stranger = stranger(id);
                if (stranger != null) {
                    replaced.add(stranger);
                }
            }
        });
        replaced.forEach(this::sumUp);
    }

    private void sumUp(GroupFile file) {
        String directory = file.directory();
        Place place = known.get(file.file().getId());
        if (place != null) {
            byDirectory.computeIfAbsent(directory, d -> new ArrayList<>()).add(file.file());
            Header header = place.header();
            replacedContents
                    .computeIfAbsent(header.commitId(), s -> new HashMap<>())
                    .merge(directory, ContentHashes.of(header.content()), ContentHashes::plus);
            newestIn.merge(directory, header.modificationTime(), Math::max);
        }
    }

    /**
     * A file that was never published and has the name of a segment's file: somebody has put it in the place of one; null if
     * it is no such file. In the default group it may be an ordinary writer's, and the change must say that it may go.
     */
    private @Nullable GroupFile stranger(long id) {
        boolean may = rebuild.foreign() || !rebuild.group().equals(dataset.defaultGroup());
        GroupFile file = may ? FilesInPlace.foreign(system, id, segments) : null;
        return file != null && PathNames.isAtOrBelow(file.directory(), root) ? file : null;
    }

    public boolean isOf(DatasetIndex other) {
        return index == other;
    }

    /** The first of the files to replace that is not in its place any more; empty if all are. Needs the read lock. */
    public OptionalLong gone() {
        system.holds().look(replaced.size());
        Set<Long> there = new HashSet<>();
        for (GroupFile file : replaced) {
            if (FilesInPlace.contain(system, file)) {
                there.add(file.file().getId());
            }
        }
        return rebuild.replaces().stream()
                .mapToLong(Long::longValue)
                .filter(id -> !there.contains(id))
                .findFirst();
    }

    /** True if some group has files of a segment. */
    public boolean isCurrent(String segment) {
        return bySegment.containsKey(segment);
    }

    /** What each group has of a segment; also nothing. */
    public Map<String, ContentHash> contents(String segment) {
        Map<String, ContentHash> all = new HashMap<>();
        for (String group : dataset.groups().names()) {
            all.put(group, bySegment.getOrDefault(segment, Map.of()).getOrDefault(group, ContentHash.EMPTY));
        }
        return all;
    }

    /** The groups that hold everything that was committed to them. */
    public Set<String> whole(@Nullable CommittedContent committed) {
        return whole(dataset, index, committed);
    }

    public static Set<String> whole(DatasetRecord dataset, DatasetIndex index, @Nullable CommittedContent committed) {
        Set<String> whole = new HashSet<>();
        for (String group : dataset.groups().names()) {
            if (committed != null && index.isWhole(dataset, group, committed)) {
                whole.add(group);
            }
        }
        return whole;
    }

    /** What the group keeps of a segment. */
    public ContentHash kept(String segment) {
        return keptContents.getOrDefault(segment, ContentHash.EMPTY);
    }

    /** The number of files to replace. */
    public int replaced() {
        return replaced.size();
    }

    /** The published files to replace, by directory. */
    public Map<String, List<INodeFile>> replacedByDirectory() {
        return byDirectory;
    }

    /** What is replaced of a segment, by directory. */
    public Map<String, ContentHashes> replacedContents(String segment) {
        return replacedContents.getOrDefault(segment, Map.of());
    }

    /** A file of a segment that stays; null if there is none. */
    @Nullable
    public INodeFile anyKept(String segment) {
        return anyKept.get(segment);
    }

    /**
     * The time that a new file of a segment is to have in a directory, in milliseconds since the epoch: that of the newest file
     * which is replaced there, else that of the segment's newest file; empty if there is none.
     */
    public OptionalLong timeOf(String segment, String directory) {
        Long time = newestIn.getOrDefault(directory, newest.get(segment));
        return time == null ? OptionalLong.empty() : OptionalLong.of(time);
    }

    /** True if the index has files of the segments that are not in their places. */
    public boolean hasVanished() {
        return !vanished.isEmpty();
    }

    /**
     * What the dataset should hold afterwards: the same records. The number of the group's files is what there is once the group
     * has all records; until then, deleted files count.
     */
    public CommittedContent after(CommittedContent before, CommittedContent added) {
        String group = rebuild.group();
        CommittedContent.Group is = before.group(group);
        ContentHashes content =
                index.group(group).content().plus(added.group(group).content());
        long gone = 0;
        for (GroupFile file : replaced) {
            Place place = known.get(file.file().getId());
            if (place != null) {
                content = content.minus(ContentHashes.of(place.header().content()));
                gone++;
            }
        }
        for (Place place : vanished) {
            content = content.minus(ContentHashes.of(place.header().content()));
        }
        long come = added.group(group).files() - gone;
        long files = LossyGroups.holds(dataset.isLossy(group), content, is.content())
                ? index.group(group).files() + come - vanished.size()
                : is.files() + come;
        Map<String, CommittedContent.Group> groups = new HashMap<>(before.groups());
        groups.put(group, new CommittedContent.Group(files, is.content()));
        return new CommittedContent(groups, before.sequence());
    }

    /** The files to replace. */
    public List<GroupFile> replacedFiles() {
        return replaced;
    }

    /** What was published of the files that stay. */
    public List<Header> keptHeaders() {
        return kept.stream().map(Place::header).toList();
    }
}
