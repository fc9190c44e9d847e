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
package org.hadoopmpsr.namenode.damage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.rebuild.DamagedFile;
import org.hadoopmpsr.core.rebuild.SegmentContent;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Looks for damage in datasets. A dataset in which nothing was changed, while HDFS misses no block, costs a look at its
 * directories. Otherwise each published file is looked at, with the read lock in short holds. Thread-safe.
 */
public final class DamageLook {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Indexes indexes;
    private final Verification verification;
    private final SegmentRecords records;
    private final DatasetLocks locks;

    public DamageLook(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Indexes indexes,
            Verification verification,
            SegmentRecords records,
            DatasetLocks locks) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.indexes = indexes;
        this.verification = verification;
        this.records = records;
        this.locks = locks;
    }

    /**
     * A damaged segment in a group, and what is damaged.
     *
     * @param sources what the groups that hold all of the segment have of it
     * @param isDefault true if the group is the default group
     * @param bytes about how long the missing files are together
     */
    record Found(
            String segment,
            String group,
            boolean isDefault,
            Map<String, Segment.Group> sources,
            ContentHash held,
            ContentHash missing,
            boolean deleted,
            long bytes,
            List<SegmentState.Damaged> files) {

        /** The groups that hold all of the segment, without those that are not counted because they are not complete. */
        private int copies(Set<String> incomplete) {
            return (int) sources.keySet().stream()
                    .filter(group -> !incomplete.contains(group))
                    .count();
        }

        /** True if it stays as it is until somebody asks: who has deleted or changed files of the default group may have meant it. */
        boolean isLeftToPeople() {
            return isDefault && (deleted || files.stream().anyMatch(file -> file.cause() == DamagedFile.Cause.CHANGED));
        }
    }

    /** What was found in one state of a dataset. */
    record Result(DatasetIndex index, List<Found> damage, Redundancy redundancy) {}

    private record State(
            DatasetIndex index,
            Map<String, Verification.Look> looks,
            @Nullable CommittedContent committed) {
        Verification.Look look(String group) {
            return Objects.requireNonNull(looks.get(group));
        }
    }

    /** @param foreign also files of the default group that nobody published, and that have the names of segments' files */
    Result look(DatasetRecord dataset, boolean foreign) throws IOException {
        State state = locks.look(dataset, () -> {
            DatasetIndex index = indexes.of(dataset);
            return new State(index, verification.looks(dataset, index), verification.committed(dataset));
        });
        boolean missing = system.blocks().getMissingBlocksCount() > 0;
        boolean wrong =
                state.looks.values().stream().anyMatch(look -> !look.problem().isEmpty());
        int copies = dataset.whole().groups().exact().size();
        Redundancy whole = Redundancy.whole(copies, state.index.group(dataset.defaultGroup()));
        if (!missing && !wrong) {
            return new Result(state.index, List.of(), whole);
        }
        return compared(dataset, state, segments(dataset, state, missing, foreign), whole);
    }

    private Map<String, SegmentState> segments(DatasetRecord dataset, State state, boolean missing, boolean foreign)
            throws IOException {
        Map<String, SegmentState> segments = new TreeMap<>();
        for (String group : dataset.groups().names()) {
            boolean sound = !missing && state.look(group).problem().isEmpty();
            List<GroupFile> files = new ArrayList<>();
            state.index.group(group).each((file, header) -> {
                if (sound) {
                    add(segments, group, file, header, FileState.SOUND);
                } else {
                    files.add(file);
                }
            });
            LockSteps.read(system, files, some -> {
                for (GroupFile file : some) {
                    Header header = StoredStatistics.header(file.file());
                    if (header != null) {
                        add(segments, group, file, header, FileState.of(system, file));
                    }
                }
            });
        }
        for (String group : dataset.groups().names()) {
            if (state.look(group).untrackedFiles() > 0 && (foreign || !group.equals(dataset.defaultGroup()))) {
                addStrangers(dataset, group, segments);
            }
        }
        for (String segment : records.recorded(dataset)) {
            segments.computeIfAbsent(segment, s -> SegmentState.gone());
        }
        return segments;
    }

    private static void add(
            Map<String, SegmentState> segments, String group, GroupFile file, Header header, FileState state) {
        segments.computeIfAbsent(header.commitId(), s -> new SegmentState()).add(group, file, header, state);
    }

    /** Adds the files that were never published and have the name of a segment's file. */
    private void addStrangers(DatasetRecord dataset, String group, Map<String, SegmentState> segments)
            throws IOException {
        namespace.walk(dataset.root(layout, group), (path, file) -> {
            if (!StoredStatistics.isPublished(file) && !file.isUnderConstruction()) {
                SegmentState segment = named(segments, file.getLocalName());
                if (segment != null) {
                    segment.addStranger(group, GroupFile.of(PathNames.parent(path), file));
                }
            }
            return true;
        });
    }

    private static @Nullable SegmentState named(Map<String, SegmentState> segments, String name) {
        for (int end = name.lastIndexOf('-'); end > 0; end = name.lastIndexOf('-', end - 1)) {
            SegmentState segment = segments.get(name.substring(0, end));
            if (segment != null) {
                return segment;
            }
        }
        return null;
    }

    private Result compared(DatasetRecord dataset, State state, Map<String, SegmentState> segments, Redundancy whole)
            throws IOException {
        CommittedContent committed = state.committed;
        Set<String> complete = new HashSet<>();
        for (String group : dataset.groups().names()) {
            if (committed != null && state.index.isWhole(dataset, group, committed)) {
                complete.add(group);
            }
        }
        List<Found> damage = new ArrayList<>();
        Redundancy redundancy = whole;
        Set<String> incomplete = dataset.incomplete();
        for (Map.Entry<String, SegmentState> entry : segments.entrySet()) {
            if (entry.getValue()
                    .isSuspect(dataset.groups().names(), dataset.groups().lossyNames())) {
                List<Found> found = compare(dataset, entry.getKey(), entry.getValue(), complete);
                damage.addAll(found);
                if (!found.isEmpty()) {
                    redundancy = redundancy.with(
                            found.get(0).copies(incomplete),
                            largest(dataset, entry.getValue(), found.get(0)),
                            entry.getValue().of(dataset.defaultGroup()).indexed());
                }
            }
        }
        if (committed != null) {
            redundancy = redundancy.atLeast(
                    committed.group(dataset.defaultGroup()).content().count());
        }
        return new Result(state.index, damage, redundancy);
    }

    private static Segment.Group largest(DatasetRecord dataset, SegmentState segment, Found found) {
        Segment.Group told = new Segment.Group(0, 0, plus(found.held, found.missing));
        return dataset.groups().names().stream()
                .map(g -> segment.of(g).indexed())
                .filter(g -> g.content().count() >= told.content().count())
                .max((a, b) -> Long.compare(a.content().count(), b.content().count()))
                .orElse(told);
    }

    private List<Found> compare(DatasetRecord dataset, String id, SegmentState segment, Set<String> complete)
            throws IOException {
        Segment record = system.read(() -> records.get(dataset, id));
        Segment.Group recorded = record == null ? null : record.groups().get(dataset.defaultGroup());
        Optional<ContentHash> content = SegmentContent.of(
                recorded == null ? null : recorded.content(),
                dataset.groups().lossyNames(),
                segment.contents(dataset.groups().names()),
                complete);
        Map<String, Segment.Group> sources = new HashMap<>();
        Map<String, Segment.Group> counted = new HashMap<>(); // of groups with rounded values, which are no source
        for (String group : dataset.groups().names()) {
            Segment.Group sound = segment.of(group).sound();
            boolean isLossy = dataset.isLossy(group);
            if (content.isPresent() && LossyGroups.holds(isLossy, sound.content(), content.get())) {
                (isLossy ? counted : sources).put(group, sound);
            }
        }
        List<Found> damage = new ArrayList<>();
        for (String group : dataset.groups().names()) {
            SegmentState.Share share = segment.of(group);
            boolean strange = !share.damaged().isEmpty();
            if (!sources.containsKey(group) && !counted.containsKey(group) || strange) {
                found(dataset, id, group, share, content, sources).ifPresent(damage::add);
            }
        }
        return damage;
    }

    /** Empty where a group has too many records: what is there too much cannot be written anew. */
    private static Optional<Found> found(
            DatasetRecord dataset,
            String segment,
            String group,
            SegmentState.Share share,
            Optional<ContentHash> content,
            Map<String, Segment.Group> sources) {
        ContentHash held = share.sound().content();
        ContentHash published = share.indexed().content();
        ContentHash all = content.orElse(published);
        if (held.count() > all.count()) {
            return Optional.empty();
        }
        ContentHash missing = minus(all, held);
        List<Header> headers = share.damaged().stream()
                .map(d -> StoredStatistics.header(d.file().file()))
                .filter(h -> h != null)
                .toList();
        ContentHash there = headers.stream().map(Header::content).reduce(ContentHash.EMPTY, DamageLook::plus);
        long bytes = headers.stream().mapToLong(Header::length).sum()
                + bytes(missing.count() - there.count(), sources.values());
        boolean isAllThere = LossyGroups.holds(dataset.isLossy(group), there, missing);
        boolean isDefault = group.equals(dataset.defaultGroup());
        return Optional.of(
                new Found(segment, group, isDefault, sources, held, missing, !isAllThere, bytes, share.damaged()));
    }

    /** About how many bytes records are that no file tells of, by what other groups have. */
    private static long bytes(long records, Collection<Segment.Group> sources) {
        return records <= 0
                ? 0
                : sources.stream()
                        .filter(source -> source.content().count() > 0)
                        .mapToLong(source -> (long)
                                ((double) source.bytes() / source.content().count() * records))
                        .min()
                        .orElse(0);
    }

    private static ContentHash plus(ContentHash one, ContentHash other) {
        return one.isEmpty() || other.isEmpty() || one.kind() == other.kind()
                ? one.plus(other)
                : new ContentHash(one.kind(), one.count() + other.count(), 0, 0);
    }

    private static ContentHash minus(ContentHash all, ContentHash part) {
        return part.isEmpty() || all.kind() == part.kind()
                ? ContentHashes.of(all).minus(ContentHashes.of(part)).get(all.kind())
                : new ContentHash(all.kind(), all.count() - part.count(), 0, 0);
    }
}
