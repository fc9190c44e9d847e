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
package org.hadoopmpsr.namenode.dataset;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.LostStores.LostStore;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.Listeners;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/**
 * The datasets of the namespace, by path. They are found through the store: each dataset's directory there names the
 * inode of the dataset directory, whose attribute has the definition. A rename therefore needs no record of its own.
 * Reads never wait, and show a state that is at most a refresh old.
 */
public final class Datasets {
    private static final Logger LOG = PrintableLog.of(Datasets.class);
    /** The number of datasets in one hold of the lock. */
    static final int STEP = 100;
    /** The number of times that datasets are read while others change them. */
    private static final int ATTEMPTS = 3;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final StoreScan scan;
    private final LostStores lostStores;
    private volatile Map<String, DatasetRecord> byPath = Map.of();
    private volatile Map<String, DatasetRecord> byId = Map.of();
    /** The same, in the order of paths. */
    private volatile NavigableMap<String, DatasetRecord> inOrder = Collections.emptyNavigableMap();

    private volatile List<String> orphans = List.of();
    private volatile List<DropRecord> dropped = List.of();
    private volatile List<SetAside> setAside = List.of();
    private volatile List<LostStore> storeless = List.of();
    private final Listeners listeners = new Listeners();
    /** A number that grows with each change of the fields above. */
    private final AtomicLong changes = new AtomicLong();

    public Datasets(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.scan = new StoreScan(system, namespace, layout);
        this.lostStores = new LostStores(namespace, layout);
    }

    /** The listeners that are called whenever the datasets were read again. */
    public Listeners listeners() {
        return listeners;
    }

    /** The dataset of this directory. */
    public Optional<DatasetRecord> at(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    /**
     * The dataset of this directory, for an operation of the calling user.
     *
     * @throws AccessControlException if the caller lacks the right, or may not know whether there is a dataset
     * @throws FileNotFoundException if there is none
     */
    public DatasetRecord require(String operation, String path, FsAction action) throws IOException {
        DatasetRecord dataset = byPath.get(path);
        if (dataset == null) {
            system.callingUser().checkTraverse(operation, path);
            notice(path);
            if (problem(path).isPresent()) {
                system.checkAccess(operation, path, action);
            }
            throw missing(path);
        }
        system.checkAccess(operation, path, action);
        return dataset;
    }

    /** Says that there is no dataset, or why it cannot be used. */
    public FileNotFoundException missing(String path) {
        return new FileNotFoundException(problem(path).orElse(path + " is not a dataset"));
    }

    /** Why the dataset at a path cannot be used. */
    private Optional<String> problem(String path) {
        Optional<String> aside =
                setAside.stream().filter(s -> s.path().equals(path)).findFirst().map(SetAside::text);
        return aside.isPresent()
                ? aside
                : storeless.stream()
                        .filter(s -> s.path().equals(path))
                        .findFirst()
                        .map(LostStore::text);
    }

    /** Looks whether a path that is no dataset has lost its store. */
    private void notice(String path) throws IOException {
        system.read(() -> {
            if (lostStores.notice(path)) {
                storeless = lostStores.find();
            }
            return true;
        });
    }

    /** The dataset with an id. */
    public Optional<DatasetRecord> withId(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** The dataset whose directory is this path or lies above it. */
    Optional<DatasetRecord> containing(String path) {
        return containing(byPath, path);
    }

    public static Optional<DatasetRecord> containing(Map<String, DatasetRecord> byPath, String path) {
        for (int end = path.length(); end > 0 && !byPath.isEmpty(); end = path.lastIndexOf('/', end - 1)) {
            DatasetRecord dataset = byPath.get(path.substring(0, end));
            if (dataset != null) {
                return Optional.of(dataset);
            }
        }
        return Optional.empty();
    }

    /** True when a dataset directory is this path or below it. */
    public boolean anyAtOrBelow(String path) {
        NavigableMap<String, DatasetRecord> all = inOrder;
        String below = all.ceilingKey(path.endsWith("/") ? path : path + "/");
        return all.containsKey(path) || below != null && PathNames.isAtOrBelow(below, path);
    }

    /** All datasets in the order of their paths. Immutable. */
    public Collection<DatasetRecord> all() {
        return inOrder.values();
    }

    /** The ids of all datasets. */
    public Set<String> ids() {
        return byId.keySet();
    }

    /** All datasets by path. Immutable. */
    public Map<String, DatasetRecord> byPath() {
        return byPath;
    }

    /** Directories in the store whose dataset directory is gone. */
    public List<String> orphans() {
        return orphans;
    }

    /** The representations of dropped datasets that are still readable. */
    public List<DropRecord> dropped() {
        return dropped;
    }

    /** By path, what is wrong with dataset directories whose directory in the store is missing. */
    public Map<String, String> storeless() {
        return storeless.stream().collect(Collectors.toUnmodifiableMap(LostStore::path, LostStore::text));
    }

    /** Datasets that cannot be used, because one of their records cannot be read. */
    public List<SetAside> setAside() {
        return setAside;
    }

    /** Reads all datasets again, in short holds of the lock. */
    public void load() throws IOException {
        boolean shown = false;
        for (int i = 0; i < ATTEMPTS && !shown; i++) {
            long before = changes.get();
            shown = show(scan.find(), before);
        }
        if (!shown) {
            system.read(() -> show(scan.find(), changes.get()));
        }
        system.read(() -> {
            lostStores.know(byPath.values());
            storeless = lostStores.find();
            return true;
        });
        listeners.tell();
    }

    /**
     * Shows what was found, unless the datasets changed meanwhile.
     *
     * @param before the number of changes before it was looked for
     */
    private synchronized boolean show(StoreScan.Content found, long before) {
        if (!changes.compareAndSet(before, before + 1)) {
            return false;
        }
        if (!found.lost().isEmpty() && !found.lost().equals(orphans)) {
            LOG.warn(
                    "MPSR: no dataset directory belongs to {} any more; hdfs mpsr status says what to do",
                    found.lost());
        }
        if (!found.setAside().equals(setAside)) {
            found.setAside().forEach(aside -> LOG.error("MPSR: {}", aside.text()));
        }
        show(found.datasets());
        orphans = List.copyOf(found.lost());
        dropped = List.copyOf(found.dropped());
        setAside = List.copyOf(found.setAside());
        return true;
    }

    private void show(Map<String, DatasetRecord> datasets) {
        byPath = Map.copyOf(datasets);
        byId = datasets.values().stream().collect(Collectors.toUnmodifiableMap(DatasetRecord::id, d -> d));
        inOrder = Collections.unmodifiableNavigableMap(new TreeMap<>(datasets));
    }

    /** Adds a dataset that was made. Needs the write lock. */
    public void add(DatasetRecord dataset) {
        synchronized (this) {
            changes.incrementAndGet();
            Map<String, DatasetRecord> all = new HashMap<>(byPath);
            all.put(dataset.path(), dataset);
            show(all);
            lostStores.know(List.of(dataset));
        }
        listeners.tell();
    }

    /** All datasets whose paths come after this one, in the order of paths. */
    public List<DatasetRecord> after(String path) {
        return List.copyOf(inOrder.tailMap(path, false).values());
    }

    /**
     * Reads the datasets again if any of them was renamed or deleted, or its directory in the store.
     *
     * @return true if it read them
     */
    public boolean refresh() throws IOException {
        boolean moved = false;
        for (List<DatasetRecord> step : LockSteps.parts(List.copyOf(all()), STEP)) {
            moved = moved || system.read(() -> anyMoved(step));
        }
        int known = byPath.size() + orphans.size() + dropped.size() + setAside.size();
        moved = moved
                || known != system.read(this::countStores)
                || !storeless.isEmpty() && !storeless.equals(system.read(lostStores::find));
        if (moved) {
            load();
        }
        return moved;
    }

    private boolean anyMoved(List<DatasetRecord> datasets) throws IOException {
        for (DatasetRecord dataset : datasets) {
            if (!dataset.path().equals(namespace.pathOf(dataset.inodeId()))) {
                return true;
            }
        }
        return false;
    }

    private int countStores() throws IOException {
        INode datasets = namespace.find(layout.datasetsDir());
        return datasets == null || !datasets.isDirectory()
                ? 0
                : datasets.asDirectory().getChildrenNum(Snapshot.CURRENT_STATE_ID);
    }
}
