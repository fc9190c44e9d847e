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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Rebuild;
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
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** The files that an acceptance replaces, in one state of the dataset. For one thread. */
public final class AcceptedFiles {
    private static final CommittedContent.Group NOTHING = new CommittedContent.Group(0, ContentHashes.EMPTY);

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final DatasetRecord dataset;
    private final Rebuild accepted;
    private final DatasetIndex index;
    private final Set<String> segments;
    /** In which states the files were read, by inode id. */
    private final Map<Long, Long> states = new LinkedHashMap<>();

    private final Map<String, Map<String, ContentHash>> bySegment = new HashMap<>();
    /** What the index knows of the segments, by group. */
    private final Map<String, CommittedContent.Group> indexed = new HashMap<>();

    private final List<Place> known = new ArrayList<>();
    private final Map<String, List<GroupFile>> inPlace = new HashMap<>();
    private final Map<Long, GroupFile> byId = new HashMap<>();
    private final Set<String> current = new HashSet<>();

    private record Place(String group, GroupFile file, Header header) {}

    private AcceptedFiles(
            MpsrNamesystem system,
            StoreLayout layout,
            DatasetRecord dataset,
            Rebuild accepted,
            List<Long> states,
            DatasetIndex index) {
        this.system = system;
        this.layout = layout;
        this.dataset = dataset;
        this.accepted = accepted;
        this.index = index;
        this.segments = Set.copyOf(accepted.segments());
        for (int i = 0; i < accepted.replaces().size(); i++) {
            this.states.put(accepted.replaces().get(i), i < states.size() ? states.get(i) : 0L);
        }
    }

    /**
     * Finds them. Reads the attribute of each file of the dataset; must be called without the namesystem's lock.
     *
     * @param states in which the accepted files were read, in their order; 0: as published
     */
    public static AcceptedFiles find(
            MpsrNamesystem system,
            StoreLayout layout,
            DatasetRecord dataset,
            Rebuild accepted,
            List<Long> states,
            DatasetIndex index)
            throws IOException {
        AcceptedFiles files = new AcceptedFiles(system, layout, dataset, accepted, states, index);
        for (String group : dataset.groups().names()) {
            index.group(group).each((file, header) -> files.add(group, file, header));
        }
        LockSteps.read(system, files.known, some -> some.forEach(files::look));
        LockSteps.read(system, List.copyOf(files.states.keySet()), some -> some.forEach(files::lookForForeign));
        return files;
    }

    private void add(String group, GroupFile file, Header header) {
        if (segments.contains(header.commitId())) {
            known.add(new Place(group, file, header));
            bySegment
                    .computeIfAbsent(header.commitId(), s -> new HashMap<>())
                    .merge(group, header.content(), RebuiltFiles::sum);
            CommittedContent.Group before = indexed.getOrDefault(group, NOTHING);
            indexed.put(
                    group,
                    new CommittedContent.Group(
                            before.files() + 1, before.content().plus(header.content())));
        }
    }

    private void look(Place place) {
        if (FilesInPlace.contain(system, place.file())) {
            current.add(place.header().commitId());
            put(place.group(), place.file());
        }
    }

    private void put(String group, GroupFile file) {
        inPlace.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
        byId.put(file.file().getId(), file);
    }

    /** A file that was never published, has the name of a segment's file and lies in a group. */
    private void lookForForeign(long id) {
        GroupFile file = byId.containsKey(id) ? null : FilesInPlace.foreign(system, id, segments);
        if (file != null) {
            dataset.groups().names().stream()
                    .filter(group -> PathNames.isAtOrBelow(file.directory(), dataset.root(layout, group)))
                    .findFirst()
                    .ifPresent(group -> put(group, file));
        }
    }

    public boolean isOf(DatasetIndex other) {
        return index == other;
    }

    public boolean isCurrent(String segment) {
        return current.contains(segment);
    }

    /** The first of the files that were read and that is not in its place any more; empty if all are. Needs the read lock. */
    public OptionalLong gone() {
        system.holds().look(states.size());
        return states.keySet().stream()
                .filter(id -> {
                    GroupFile file = byId.get(id);
                    return file == null || !FilesInPlace.contain(system, file);
                })
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /** Why the files are not those that were read; empty if they are. Needs the read lock. */
    public Optional<String> problem() {
        system.holds().look(states.size());
        for (GroupFile file : of(accepted.group())) {
            if (!states.containsKey(file.file().getId())) {
                return Optional.of("the job has not read " + path(file) + " of group '" + accepted.group() + "'");
            }
        }
        for (Map.Entry<Long, Long> read : states.entrySet()) {
            GroupFile file = byId.get(read.getKey());
            boolean isSame = file != null
                    && (read.getValue() == 0
                            ? StoredStatistics.isUnchanged(file.file())
                            : StoredStatistics.stateOf(file.file()) == read.getValue());
            if (!isSame) {
                return Optional.of((file == null ? "file " + read.getKey() : path(file))
                        + " was changed again since the job has read it");
            }
        }
        return Optional.empty();
    }

    private static String path(GroupFile file) {
        return file.directory() + "/" + file.file().getLocalName();
    }

    /** The number of records that the group has in files which are as they were published. */
    public long soundRecords() {
        return known.stream()
                .filter(place -> place.group().equals(accepted.group()))
                .filter(place -> states.getOrDefault(place.file().file().getId(), -1L) == 0)
                .mapToLong(place -> place.header().content().count())
                .sum();
    }

    /** What each group has of a segment, as the statistics of its files say; also nothing. */
    public Map<String, ContentHash> contents(String segment) {
        Map<String, ContentHash> all = new HashMap<>();
        for (String group : dataset.groups().names()) {
            all.put(group, bySegment.getOrDefault(segment, Map.of()).getOrDefault(group, ContentHash.EMPTY));
        }
        return all;
    }

    /** The groups that hold everything that was committed to them. */
    public Set<String> whole(@Nullable CommittedContent committed) {
        return RebuiltFiles.whole(dataset, index, committed);
    }

    /** The files of a group that are replaced. */
    public List<GroupFile> of(String group) {
        return inPlace.getOrDefault(group, List.of());
    }

    /**
     * What the dataset should hold afterwards.
     *
     * @param held what each segment held
     */
    public CommittedContent after(CommittedContent before, CommittedContent added, Map<String, ContentHash> held) {
        Map<String, CommittedContent.Group> groups = new HashMap<>(before.groups());
        for (String group : dataset.groups().names()) {
            ContentHashes content = before.group(group).content();
            for (ContentHash segment : held.values()) {
                content = content.minus(ContentHashes.of(segment));
            }
            content = content.plus(added.group(group).content());
            CommittedContent.Group gone = indexed.getOrDefault(group, NOTHING);
            ContentHashes there = index.group(group)
                    .content()
                    .minus(gone.content())
                    .plus(added.group(group).content());
            long come = added.group(group).files() - gone.files();
            // files that were deleted by hand count until the group has all records
            long files = (there.equals(content)
                            ? index.group(group).files()
                            : before.group(group).files())
                    + come;
            groups.put(group, new CommittedContent.Group(files, content));
        }
        return new CommittedContent(groups, before.sequence());
    }
}
