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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.LostStores.LostStore;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.Listeners;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;
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
    /** Entry by whoever reads all datasets again. Taken before any lock, and before the monitor of this object. */
    private final Object loading = new Object();
    /** What was changed since the datasets began to be read again; null if nobody reads them. */
    private @Nullable List<Consumer<StoreScan.Content>> meanwhile;

    public Datasets(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.scan = new StoreScan(system, namespace, layout);
        this.lostStores = new LostStores(system, namespace, layout);
    }

    /** The listeners that are called whenever the datasets were read again. */
    public Listeners listeners() {
        return listeners;
    }

    /** The dataset of this directory. */
    public Optional<DatasetRecord> at(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    /** The dataset whose directory is above a path, the nearest one. */
    public Optional<DatasetRecord> above(String path) {
        Map<String, DatasetRecord> now = byPath;
        int end = path.lastIndexOf('/');
        DatasetRecord found = null;
        while (end > 0 && found == null && !now.isEmpty()) {
            found = now.get(path.substring(0, end));
            end = path.lastIndexOf('/', end - 1);
        }
        return Optional.ofNullable(found);
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
        if (lostStores.notice(path)) {
            storeless = lostStores.find();
        }
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

    /** The datasets whose directories are this path or lie below it. */
    public Collection<DatasetRecord> atOrBelow(String path) {
        String above = path.endsWith("/") ? path : path + "/";
        // what comes after all that begins with the path and a slash begins with the path and the next character
        NavigableMap<String, DatasetRecord> below =
                inOrder.subMap(above, true, above.substring(0, above.length() - 1) + (char) ('/' + 1), false);
        DatasetRecord at = inOrder.get(path);
        return at == null
                ? below.values()
                : Stream.concat(Stream.of(at), below.values().stream()).toList();
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

    /** Reads all datasets again, in short holds of the lock. Must be called without the namesystem's lock. */
    public void load() throws IOException {
        synchronized (loading) {
            synchronized (this) {
                meanwhile = new ArrayList<>();
            }
            show(scan.find());
            lostStores.know(byPath.values());
            storeless = lostStores.find();
        }
        listeners.tell();
    }

    /** Shows what was found, and what was changed since it was looked for. */
    private synchronized void show(StoreScan.Content found) {
        if (meanwhile != null) {
            meanwhile.forEach(change -> change.accept(found));
            meanwhile = null;
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
    }

    private void show(Map<String, DatasetRecord> datasets) {
        byPath = Map.copyOf(datasets);
        byId = datasets.values().stream().collect(Collectors.toUnmodifiableMap(DatasetRecord::id, d -> d));
        inOrder = Collections.unmodifiableNavigableMap(new TreeMap<>(datasets));
    }

    /** Adds a dataset that was made. Needs the write lock. */
    public void add(DatasetRecord dataset) {
        synchronized (this) {
            Map<String, DatasetRecord> all = new HashMap<>(byPath);
            all.put(dataset.path(), dataset);
            show(all);
            lostStores.know(List.of(dataset));
            change(found -> found.datasets().put(dataset.path(), dataset));
        }
        listeners.tell();
    }

    /** Removes a dataset that was dropped. Needs the write lock. */
    public void remove(DatasetRecord dataset, DropRecord drop) {
        synchronized (this) {
            Map<String, DatasetRecord> all = new HashMap<>(byPath);
            all.remove(dataset.path());
            show(all);
            dropped = Stream.concat(dropped.stream(), Stream.of(drop)).toList();
            change(found -> {
                found.datasets().values().removeIf(seen -> seen.id().equals(dataset.id()));
                found.dropped().removeIf(seen -> seen.storeDir().equals(drop.storeDir()));
                found.dropped().add(drop);
            });
        }
        listeners.tell();
    }

    private void change(Consumer<StoreScan.Content> change) {
        if (meanwhile != null) {
            meanwhile.add(change);
        }
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
                || known != system.read(() -> namespace.countEntries(layout.datasetsDir()))
                || !storeless.isEmpty() && !storeless.equals(lostStores.find());
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
}
