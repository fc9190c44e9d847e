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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The file indexes, by dataset id. An index is built from the files' attributes when it is first needed, and updated by
 * changes. Thread-safe.
 */
public final class Indexes {
    private static final int ATTEMPTS = 5;
    private static final int MAX_WAIT_SECONDS = 30;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Map<String, Entry> byId = new ConcurrentHashMap<>();
    /**
     * A number that changes with each publish, and whenever an index is forgotten. The build of an index notices both
     * by it.
     */
    private final Map<String, Long> publishes = new ConcurrentHashMap<>();
    /** A number that changes with each build of an index. A publish notices it while files are moved into place. */
    private final Map<String, Long> builds = new ConcurrentHashMap<>();
    /** Entry by whoever builds the index of a dataset. */
    private final Map<String, ReentrantLock> building = new ConcurrentHashMap<>();
    /** The counter for both. It gives no number twice, also if an entry was removed meanwhile. */
    private final AtomicLong events = new AtomicLong();
    /** Starts at the current time; generations therefore differ between NameNodes and restarts. */
    private final AtomicLong generations;

    public Indexes(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.generations = new AtomicLong(system.clock().now() * 1_000);
    }

    /**
     * An index, and the changes since that are not part of it yet. A change holds the namesystem's lock, and must
     * not wait until a large index is copied. Compared by identity.
     */
    private static final class Entry {
        private final DatasetIndex index;
        private final long epoch;
        private final @Nullable Later last;

        Entry(DatasetIndex index, long epoch, @Nullable Later last) {
            this.index = index;
            this.epoch = epoch;
            this.last = last;
        }

        DatasetIndex complete() {
            Deque<Later> changes = new ArrayDeque<>();
            for (Later l = last; l != null; l = l.before()) {
                changes.push(l);
            }
            DatasetIndex complete = index;
            for (Later l : changes) {
                complete = complete.after(l.change(), l.generation());
            }
            return complete;
        }
    }

    /** A change, and the change before it. */
    private record Later(
            long generation,
            IndexChange.Files change,
            @Nullable Later before) {}

    /**
     * The index. If necessary it is built now, which visits every file, with the read lock in short holds, and reads
     * the attributes.
     */
    public DatasetIndex of(DatasetRecord dataset) throws IOException {
        if (isCurrent(dataset)) {
            DatasetIndex known = known(dataset);
            if (known != null) {
                return known;
            }
        }
        ReentrantLock one = building.computeIfAbsent(dataset.id(), id -> new ReentrantLock());
        lock(one, dataset);
        try {
            return current(dataset);
        } finally {
            one.unlock();
        }
    }

    /** True if the index is of the present path and groups, and was built since this NameNode last became active. */
    private boolean isCurrent(DatasetRecord dataset) {
        Entry entry = byId.get(dataset.id());
        return entry != null
                && entry.epoch == system.ha().epoch()
                && entry.index.path().equals(dataset.path())
                && entry.index.groups().keySet().containsAll(dataset.allGroups());
    }

    /** Waits for whoever builds the index, which takes as much memory again for each who does. */
    private static void lock(ReentrantLock one, DatasetRecord dataset) throws IOException {
        try {
            if (!one.tryLock(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new RetriableException(
                        "the index of dataset " + dataset.path() + " is being built; try again in a moment");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("this NameNode stops; try again");
        }
    }

    private DatasetIndex current(DatasetRecord dataset) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            long epoch = system.ha().epoch();
            boolean current = isCurrent(dataset);
            DatasetIndex known = known(dataset);
            if (current && known != null) {
                return known;
            }
            long before = publishes(dataset.id());
            DatasetIndex built = build(dataset, known);
            boolean stored = system.read(() -> {
                boolean quiet = publishes(dataset.id()) == before;
                if (quiet) {
                    builds.put(dataset.id(), events.incrementAndGet());
                    byId.put(dataset.id(), new Entry(built, epoch, null));
                }
                return quiet;
            });
            if (stored) {
                return built;
            }
        }
        throw new IOException("the index of dataset " + dataset.path()
                + " cannot be built: it is published to all the time; try again");
    }

    /** The index if it was built, also for another epoch. It is one object until the next publish. */
    @Nullable
    public DatasetIndex known(DatasetRecord dataset) {
        while (true) {
            Entry entry = byId.get(dataset.id());
            if (entry == null || entry.last == null) {
                return entry == null ? null : entry.index;
            }
            DatasetIndex complete = entry.complete();
            if (byId.replace(dataset.id(), entry, new Entry(complete, entry.epoch, null))) {
                return complete;
            }
        }
    }

    /**
     * A number that changes whenever the index is built. A publish reads it before the first file is moved into place.
     */
    public long builds(DatasetRecord dataset) {
        return builds.getOrDefault(dataset.id(), 0L);
    }

    /**
     * Adds and removes the files of a change. Needs the write lock; takes no longer for a large index. If an index was
     * built while the files were moved, it may know some of the moves already, and is forgotten.
     *
     * @param builds the value of {@link #builds} before the first file was moved
     */
    public void changed(DatasetRecord dataset, IndexChange.Files change, long builds) {
        if (builds(dataset) != builds) {
            forget(dataset.id());
            return;
        }
        long generation = generations.incrementAndGet();
        publishes.put(dataset.id(), events.incrementAndGet());
        byId.computeIfPresent(
                dataset.id(),
                (id, entry) -> new Entry(entry.index, entry.epoch, new Later(generation, change, entry.last)));
    }

    /** Forgets how a dataset was before a change, because the files that the change removed are deleted. */
    public void forgetBefore(DatasetRecord dataset, String changeId) {
        known(dataset);
        byId.computeIfPresent(
                dataset.id(), (id, entry) -> new Entry(entry.index.without(changeId), entry.epoch, entry.last));
    }

    /** Forgets a dataset's index, which is then built again from the namespace. */
    public void forget(String datasetId) {
        publishes.put(datasetId, events.incrementAndGet());
        byId.remove(datasetId);
    }

    /** Keeps the data of these datasets, and drops the data of all others, which no longer exist. */
    public void retain(Set<String> datasetIds) {
        byId.keySet().retainAll(datasetIds);
        publishes.keySet().retainAll(datasetIds);
        builds.keySet().retainAll(datasetIds);
        building.keySet().retainAll(datasetIds);
    }

    /** The number of datasets with data. */
    public int size() {
        return Math.max(Math.max(byId.size(), building.size()), Math.max(publishes.size(), builds.size()));
    }

    private long publishes(String datasetId) {
        return publishes.getOrDefault(datasetId, 0L);
    }

    /** @param known the earlier index, or null; returned if it is still right */
    private DatasetIndex build(DatasetRecord dataset, @Nullable DatasetIndex known) throws IOException {
        StatisticsCodec codec = new StatisticsCodec(dataset.schema());
        Map<String, GroupIndex> groups = new HashMap<>();
        boolean changed = known == null || !known.path().equals(dataset.path());
        for (String group : dataset.allGroups()) {
            GroupIndex before = known == null ? GroupIndex.EMPTY : known.group(group);
            GroupIndex now = GroupIndex.EMPTY.plus(codec, published(dataset.root(layout, group)));
            boolean same = before.isSame(now);
            groups.put(group, same ? before : now);
            changed |= !same;
        }
        return known == null || changed
                ? new DatasetIndex(dataset.path(), codec, generations.incrementAndGet(), groups)
                : known;
    }

    private List<GroupFile> published(String root) throws IOException {
        List<GroupFile> files = new ArrayList<>();
        Map<String, String> directories = new HashMap<>();
        namespace.walk(root, (path, file) -> {
            if (StoredStatistics.isPublished(file)) {
                String directory = PathNames.parent(path);
                files.add(GroupFile.of(directories.computeIfAbsent(directory, same -> same), file));
            }
            return true;
        });
        return files;
    }
}
