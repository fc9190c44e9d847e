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
package org.hadoopmpsr.namenode.index;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Compares an index with the namespace, and finds files without a commit, vanished files and changed files; queries
 * must not rely on these. The first comparison visits every file of the dataset. Later ones visit every directory, and
 * the files of changed directories. The read lock is held in short holds. Thread-safe.
 */
public final class Verification {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Map<String, Entry> byRoot = new ConcurrentHashMap<>();
    private final Map<String, DamagedFiles> damaged = new ConcurrentHashMap<>();
    private final Map<String, DeletedFiles> deleted = new ConcurrentHashMap<>();
    private final Map<String, IncompleteSegments> incomplete = new ConcurrentHashMap<>();
    private final AtomicLong underway = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();

    public Verification(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** The directories below a representation's root, and the state for which they are valid. */
    private record Entry(long epoch, long changes, SeenDirectories seen) {}

    /** Must be called when an existing file may have changed, because its directory does not show this. */
    public void fileChanged() {
        changes.incrementAndGet();
    }

    /** A change of an existing file whose completion the caller may learn at any time. */
    public interface Change extends AutoCloseable {
        @Override
        void close();
    }

    /** Must be called before such a change, and closed after it. In between, every comparison visits every file. */
    public Change fileChanging() {
        underway.incrementAndGet();
        return () -> {
            fileChanged();
            underway.decrementAndGet();
        };
    }

    /** Must be called if nobody reports changes of existing files. From then on every comparison visits every file. */
    public void unwatched() {
        underway.incrementAndGet();
    }

    /**
     * Finds the reasons why representations cannot be read.
     *
     * @return the reason by group, without groups that can be read
     */
    public Map<String, String> problems(DatasetRecord dataset, DatasetIndex index) throws IOException {
        Map<String, String> problems = new HashMap<>();
        looks(dataset, index).forEach((group, look) -> {
            if (!look.problem().isEmpty()) {
                problems.put(group, look.problem());
            }
        });
        return problems;
    }

    /** Compares all representations. */
    public Map<String, Look> looks(DatasetRecord dataset, DatasetIndex index) throws IOException {
        Map<String, Look> looks = new HashMap<>();
        for (String group : dataset.groups().names()) {
            looks.put(group, look(dataset, index, group));
        }
        return looks;
    }

    /**
     * The difference between a representation and its index.
     *
     * @param untrackedFiles the number of files without a commit
     * @param problem the first reason why it cannot be read; empty if it can
     * @param damagedFiles the inode ids of the published files that were changed or have vanished, if nothing else is wrong:
     *     all other files can be read. Null if that is not so
     * @param incompleteSegments the segments of which the index lacks records, if nothing else is wrong: all other segments can
     *     be read. Null if that is not so
     * @param ordinary what ordinary writers have changed in the default group, if nothing else is wrong with it: who heeds
     *     it can read the group. Null if that is not so, if it is too much, and for other groups
     */
    public record Look(
            long untrackedFiles,
            long restoredFiles,
            boolean differs,
            String problem,
            @Nullable Set<Long> damagedFiles,
            @Nullable Set<String> incompleteSegments,
            @Nullable OrdinaryChanges ordinary) {

        /** True if nothing is wrong but that ordinary writers have added files to the default group. */
        public boolean isOnlyAddedTo() {
            return ordinary != null
                    && !ordinary.added().isEmpty()
                    && ordinary.deleted().isEmpty()
                    && ordinary.segments().isEmpty();
        }

        /** True if something is wrong, but with some files or segments alone. */
        public boolean isPartlyReadable() {
            return !problem.isEmpty() && damagedFiles != null && incompleteSegments != null;
        }

        /** True if the file was changed or has vanished, or its segment lacks records. */
        public boolean isDamaged(DataFile file) {
            return damagedFiles != null && damagedFiles.contains(file.fileId())
                    || incompleteSegments != null
                            && incompleteSegments.contains(file.statistics().commitId());
        }
    }

    /** Compares one representation. */
    public Look look(DatasetRecord dataset, DatasetIndex index, String group) throws IOException {
        String root = dataset.root(layout, group);
        GroupIndex indexed = index.group(group);
        String key = dataset.id() + "/" + group;
        SeenDirectories seen = see(key, root, indexed);
        String problem = seen.problem();
        long vanished = indexed.files() - (seen.files() - seen.untracked());
        String difference = difference(dataset, index, group);
        Set<String> incomplete = difference == null ? Set.of() : incompleteSegments(dataset, index, group);
        OrdinaryChanges ordinary = group.equals(dataset.defaultGroup()) && problem == null && incomplete != null
                ? ordinary(key, indexed, seen, vanished > 0, incomplete)
                : null;
        if (problem == null && !seen.unpublished().isEmpty()) {
            problem = SeenDirectories.withoutCommit(seen.unpublished().get(0));
        }
        if (problem == null && vanished != 0) {
            problem = "diverged: " + VanishedFiles.text(namespace, root, indexed, seen, Math.toIntExact(vanished));
        }
        boolean inPlace = problem == null;
        if (problem == null) {
            problem = difference == null ? "" : difference;
        }
        return new Look(
                seen.untracked(),
                seen.restored(),
                inPlace && difference != null,
                problem,
                inPlace ? Set.of() : damagedFiles(key, indexed, seen),
                incomplete,
                ordinary);
    }

    /** The paths of the files of the default group that nobody has published, in any order. */
    public Stream<String> unpublished(DatasetRecord dataset, DatasetIndex index) throws IOException {
        String group = dataset.defaultGroup();
        return see(dataset.id() + "/" + group, dataset.root(layout, group), index.group(group))
                .allUnpublished();
    }

    private @Nullable OrdinaryChanges ordinary(
            String key, GroupIndex indexed, SeenDirectories seen, boolean vanished, Set<String> incomplete)
            throws IOException {
        if (seen.unpublished().size() > SeenDirectories.MOST_UNPUBLISHED) {
            return null;
        }
        if (!vanished) {
            return new OrdinaryChanges(seen.unpublished(), Set.of(), FileTotals.EMPTY, incomplete);
        }
        DeletedFiles gone = deletedFiles(key, indexed, seen);
        Set<Long> ids = gone.ids();
        if (ids == null) {
            return null;
        }
        Set<String> segments = new HashSet<>(gone.segments());
        segments.addAll(incomplete);
        return new OrdinaryChanges(seen.unpublished(), ids, gone.totals(), segments);
    }

    private DeletedFiles deletedFiles(String key, GroupIndex indexed, SeenDirectories seen) throws IOException {
        DeletedFiles known = deleted.get(key);
        if (known == null || known.index() != indexed || known.seen() != seen) {
            known = DeletedFiles.of(namespace, indexed, seen);
            deleted.put(key, known);
        }
        return known;
    }

    private @Nullable Set<String> incompleteSegments(DatasetRecord dataset, DatasetIndex index, String group)
            throws IOException {
        String key = dataset.id() + "/" + group;
        CommittedContent committed;
        try {
            committed = committed(dataset);
        } catch (UnreadableRecordException e) {
            return null; // the problem says so
        }
        GroupIndex whole = committed == null ? null : IncompleteSegments.whole(dataset, index, group, committed);
        if (whole == null) {
            return null;
        }
        IncompleteSegments known = incomplete.get(key);
        if (known == null || known.index() != index.group(group) || known.whole() != whole) {
            known = IncompleteSegments.of(index.group(group), whole, dataset.isLossy(group));
            incomplete.put(key, known);
        }
        return known.ids();
    }

    private @Nullable Set<Long> damagedFiles(String key, GroupIndex indexed, SeenDirectories seen) throws IOException {
        DamagedFiles known = damaged.get(key);
        if (known == null || known.index() != indexed || known.seen() != seen) {
            known = DamagedFiles.of(namespace, indexed, seen);
            damaged.put(key, known);
        }
        return known.ids();
    }

    /** How the index differs from what was committed; where that is not known, from the default group. */
    private @Nullable String difference(DatasetRecord dataset, DatasetIndex index, String group) {
        CommittedContent committed;
        try {
            committed = committed(dataset);
        } catch (IOException e) {
            return e.getMessage();
        }
        GroupIndex indexed = index.group(group);
        if (committed == null) {
            return LossyGroups.holds(
                            dataset.isLossy(group),
                            indexed.content(),
                            index.group(dataset.defaultGroup()).content())
                    ? null
                    : "diverged: it does not hold the same records as the default group";
        }
        CommittedContent.Group wanted = committed.wanted(group, dataset.defaultGroup());
        if (indexed.isAllOf(wanted, dataset.isLossy(group))) {
            return null;
        }
        if (dataset.incomplete().contains(group)) {
            return "is not complete yet: " + indexed.content().count() + " of "
                    + wanted.content().count() + " records are written in it";
        }
        return "diverged: " + indexed.files() + " files with "
                + indexed.content().count() + " records lie below "
                + dataset.root(layout, group) + ", but " + wanted.files() + " files with "
                + wanted.content().count() + " records were committed"
                + (indexed.files() > wanted.files()
                        ? "; where an older MPSR has published here, remove the attribute " + Attributes.COMMITTED
                                + " of " + layout.datasetDir(dataset.id())
                        : "");
    }

    /** What was committed to a dataset, or null where that is not known. Takes the read lock. */
    public @Nullable CommittedContent committed(DatasetRecord dataset) throws IOException {
        return system.read(() -> {
            INode store = namespace.find(layout.datasetDir(dataset.id()));
            return store == null ? null : CommittedContent.on(store);
        });
    }

    private SeenDirectories see(String key, String root, GroupIndex indexed) throws IOException {
        long epoch = system.ha().epoch();
        boolean still = underway.get() == 0; // asked first: what ends after this has not changed the count yet
        long changed = changes.get();
        Entry known = byRoot.get(key);
        SeenDirectories before = still && known != null && known.epoch == epoch && known.changes == changed
                ? known.seen
                : SeenDirectories.NONE;
        SeenDirectories now = before.look(system, namespace, root, indexed);
        byRoot.put(key, new Entry(epoch, changed, now));
        return now;
    }

    /** The number of representations with data. */
    public int size() {
        return byRoot.size();
    }

    /** Keeps the data of these datasets, and drops the data of all others, which no longer exist. */
    public void retain(Set<String> datasetIds) {
        byRoot.keySet().removeIf(key -> !datasetIds.contains(key.substring(0, key.lastIndexOf('/'))));
        damaged.keySet().retainAll(byRoot.keySet());
        deleted.keySet().retainAll(byRoot.keySet());
        incomplete.keySet().retainAll(byRoot.keySet());
    }
}
