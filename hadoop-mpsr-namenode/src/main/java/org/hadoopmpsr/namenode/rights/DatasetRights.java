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
package org.hadoopmpsr.namenode.rights;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces;
import org.apache.hadoop.hdfs.server.namenode.StoreProvider;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.rights.RightsBelow.State;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Tells HDFS's permission checks who may read the store. The rights of a dataset directory are not kept here: HDFS is
 * asked for them with each check. Kept are the distinct rights of the published files below it, and of the directories
 * that hold them; records of one such file lie in many files of the other groups. Thread-safe.
 */
public final class DatasetRights implements StorePlaces {
    /** With more distinct rights below a dataset directory, only superusers read the store: each is a check. */
    static final int MAX = 100;

    private static final FsPermission OWN = FsPermission.createImmutable((short) 0700);

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    /** By the inode id of the dataset directory. */
    private final Map<Long, RightsBelow> byHome = new ConcurrentHashMap<>();

    private volatile boolean watched = true;

    public DatasetRights(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** Puts the rules in force. Must be called before the NameNode serves calls. */
    public void install() throws IOException {
        StoreProvider.install(system, layout.storeDir(), this);
    }

    /** Takes the rights that older versions gave to the store directory from everybody but the NameNode's user. */
    public void closeStore() throws IOException {
        String store = layout.storeDir();
        boolean done = system.safeMode().isOn()
                || system.read(() -> {
                    INode inode = namespace.find(store);
                    return inode == null || inode.getFsPermission().equals(OWN);
                });
        if (!done) {
            system.write("mpsrCloseStore", edits -> {
                INode inode = namespace.require(store);
                edits.setAccess(store, new NamespaceEdits.Access(NamespaceEdits.self(), inode.getGroupName(), OWN));
                return true;
            });
        }
    }

    @Override
    public Place at(List<String> names) throws IOException {
        if (names.size() < 2 || !names.get(0).equals(PathNames.name(layout.datasetsDir()))) {
            return new Closed();
        }
        return switch (names.size() == 2 ? "" : names.get(2)) {
            case StoreLayout.STAGING -> names.size() > 3 ? new Staged(3) : new Closed();
            case StoreLayout.PUBLISHING, StoreLayout.OFFSETS -> new Closed();
            default -> representation(names.get(1));
        };
    }

    private Place representation(String datasetId) throws IOException {
        OptionalLong home = home(datasetId);
        RightsBelow below = home.isEmpty() ? null : byHome.get(home.getAsLong());
        Set<NodeRights> rights = below == null ? null : below.get(system.ha().transition());
        return rights == null || rights.size() > MAX ? new Closed() : new Representation(home.getAsLong(), rights);
    }

    /** The inode id of a dataset directory, also of a dropped dataset. Needs the read lock. */
    private OptionalLong home(String datasetId) throws IOException {
        String path = layout.datasetDir(datasetId);
        INode store = namespace.find(path);
        byte[] home = store == null ? null : Attributes.get(store, Attributes.HOME);
        return home == null ? OptionalLong.empty() : OptionalLong.of(StoredRecords.home(home, path));
    }

    /**
     * Makes the rights known for the next check of a path. Does nothing for a path that is not of a representation in
     * the store. May scan the dataset; must be called without the namesystem's lock.
     */
    public void ensure(String path) throws IOException {
        String prefix = layout.datasetsDir() + "/";
        String real = system.resolve(path, 0);
        if (!real.startsWith(prefix)) {
            return;
        }
        String[] names = real.substring(prefix.length()).split("/", 3);
        if (names.length > 1 && (names[1].equals(StoreLayout.STAGING) || names[1].equals(StoreLayout.PUBLISHING))) {
            return;
        }
        OptionalLong home = system.read(() -> home(names[0]));
        if (home.isPresent()) {
            ensure(home.getAsLong());
        }
    }

    /** Makes the rights known below a dataset directory. Must be called without the namesystem's lock. */
    public void ensure(long home) throws IOException {
        State state = new State(
                system.ha().transition(),
                system.ha().isActive() ? 0 : system.ha().appliedTransaction());
        byHome.computeIfAbsent(home, id -> new RightsBelow(system.clock(), watched))
                .ensure(state, () -> scan(home));
    }

    /** Changes may go unnoticed, and every look is a scan. Must be called before the NameNode serves calls. */
    public void unwatched() {
        watched = false;
    }

    private Set<NodeRights> scan(long home) throws IOException {
        Set<NodeRights> found = new HashSet<>();
        String path = system.read(() -> namespace.pathOf(home));
        if (path != null) {
            // the files of a dropped dataset lose the mark of published ones
            boolean dropped = system.read(() -> {
                INode directory = system.directory().getInode(home);
                return directory == null || Attributes.get(directory, Attributes.DATASET) == null;
            });
            namespace.walk(path, (name, file) -> {
                if (dropped || StoredStatistics.isPublished(file)) {
                    collect(home, file, found);
                }
                return found.size() <= MAX;
            });
        }
        return found;
    }

    private static void collect(long home, INode inode, Set<NodeRights> found) {
        for (INode at = inode; at != null && at.getId() != home; at = at.getParent()) {
            found.add(NodeRights.of(at));
        }
    }

    /** A file was published. Needs the namesystem's lock. */
    public void published(long home, INodeFile file) {
        RightsBelow below = byHome.get(home);
        if (below != null) {
            add(home, below, file);
        }
    }

    private static void add(long home, RightsBelow below, @Nullable INode inode) {
        for (INode at = inode; at != null && at.getId() != home; at = at.getParent()) {
            below.add(NodeRights.of(at));
        }
    }

    /** The rights of a path were changed, or it was deleted or moved away. Does nothing outside of datasets. */
    public void changed(String path) throws IOException {
        Above above = above(path);
        if (above != null) {
            system.read(() -> {
                add(above.home, above.below, find(path));
                return true;
            });
            above.below.disappeared();
        }
    }

    /** Something was moved to a path, or into the directory there. Does nothing outside of datasets. */
    public void moved(String from, String to) throws IOException {
        if (byHome.isEmpty()) {
            return;
        }
        changed(from);
        String target = system.read(() -> {
            INode directory = find(to);
            String inside = to + "/" + PathNames.name(from);
            return directory != null && directory.isDirectory() && find(inside) != null ? inside : to;
        });
        Above above = above(target);
        if (above != null) {
            changed(target);
            namespace.walk(target, (name, file) -> {
                if (StoredStatistics.isPublished(file)) {
                    add(above.home, above.below, file);
                }
                return true;
            });
        }
    }

    /** What is at a path; null if that is nothing, or a link. Needs the read lock. */
    private @Nullable INode find(String path) throws IOException {
        try {
            return namespace.find(path);
        } catch (UnresolvedLinkException e) {
            return null;
        }
    }

    /** The known dataset directory above a path. */
    private record Above(long home, RightsBelow below) {}

    private @Nullable Above above(String path) throws IOException {
        if (byHome.isEmpty()) {
            return null;
        }
        return system.read(() -> {
            INode at = null;
            for (String parent = path; at == null && !parent.equals("/"); ) {
                parent = PathNames.parent(parent);
                at = find(parent);
            }
            for (; at != null; at = at.getParent()) {
                RightsBelow below = byHome.get(at.getId());
                if (below != null) {
                    return new Above(at.getId(), below);
                }
            }
            return null;
        });
    }

    /** A change whose completion the caller may learn at any time. */
    public interface Change extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /**
     * Must be called before such a change of a path, and closed after it.
     *
     * @param target where the path is moved to, or null if it stays
     */
    public Change changing(String path, @Nullable String target) throws IOException {
        List<RightsBelow> all = new ArrayList<>();
        for (String each : target == null ? List.of(path) : List.of(path, target)) {
            Above above = above(each);
            if (above != null) {
                all.add(above.below);
            }
        }
        all.forEach(RightsBelow::changing);
        return () -> {
            try {
                if (target == null) {
                    changed(path);
                } else {
                    moved(path, target);
                }
            } finally {
                all.forEach(RightsBelow::changed);
            }
        };
    }

    /** Forgets all rights, which are then looked at again. */
    public void forget() {
        byHome.clear();
    }

    /** Forgets the rights of directories that no dataset in the store names. */
    public void retain() throws IOException {
        if (byHome.isEmpty()) {
            return;
        }
        Set<Long> homes = new HashSet<>();
        system.read(() -> {
            for (INode store : namespace.children(layout.datasetsDir())) {
                try {
                    home(store.getLocalName()).ifPresent(homes::add);
                } catch (UnreadableRecordException e) {
                    // its rights are looked at again when the record can be read
                }
            }
            return true;
        });
        byHome.keySet().retainAll(homes);
    }
}
