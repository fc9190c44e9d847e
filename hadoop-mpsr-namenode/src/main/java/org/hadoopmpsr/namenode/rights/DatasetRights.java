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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
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

    private static final byte[] STAGING = DFSUtil.string2Bytes(StoreLayout.STAGING);
    private static final List<byte[]> CLOSED = Stream.of(
                    StoreLayout.PUBLISHING, StoreLayout.OFFSETS, StoreLayout.SEGMENTS)
            .map(DFSUtil::string2Bytes)
            .toList();

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final DatasetHomes homes;
    /** The name of the directory of all datasets. */
    private final byte[] datasets;
    /** By the inode id of the dataset directory. */
    private final Map<Long, RightsBelow> byHome = new ConcurrentHashMap<>();

    private volatile boolean watched = true;

    public DatasetRights(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.homes = new DatasetHomes(namespace, layout);
        this.datasets = DFSUtil.string2Bytes(PathNames.name(layout.datasetsDir()));
    }

    /** Puts the rules in force. Must be called before the NameNode serves calls. */
    public void install() throws IOException {
        StoreProvider.install(system, layout.storeDir(), this);
    }

    @Override
    public Place at(byte[][] path, int first, @Nullable INode dataset) throws IOException {
        int names = path.length - first;
        if (names < 2 || !Arrays.equals(path[first], datasets)) {
            return new Closed();
        }
        if (names > 2 && Arrays.equals(path[first + 2], STAGING)) {
            return names > 3 ? new Staged(3) : new Closed();
        }
        for (byte[] closed : CLOSED) {
            if (names > 2 && Arrays.equals(path[first + 2], closed)) {
                return new Closed();
            }
        }
        return representation(dataset == null ? homes.of(DFSUtil.bytes2String(path[first + 1])) : homes.of(dataset));
    }

    private Place representation(OptionalLong home) {
        RightsBelow below = home.isEmpty() ? null : byHome.get(home.getAsLong());
        Set<NodeRights> rights = below == null ? null : below.get(system.ha().transition());
        return rights == null || rights.size() > MAX ? new Closed() : new Representation(home.getAsLong(), rights);
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
        OptionalLong known = homes.known(names[0]);
        OptionalLong home = known.isPresent() ? known : system.read(() -> homes.of(names[0]));
        if (home.isPresent()) {
            ensure(home.getAsLong());
        }
    }

    /** Makes the rights known below a dataset directory. Must be called without the namesystem's lock. */
    public void ensure(long home) throws IOException {
        State state = new State(
                system.ha().transition(),
                system.ha().isActive() ? 0 : system.ha().appliedTransaction());
        RightsBelow below = byHome.get(home);
        if (below == null) { // asked for first, because computing locks
            below = byHome.computeIfAbsent(home, id -> new RightsBelow(system.clock(), watched));
        }
        below.ensure(state, () -> scan(home));
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
                    RightsChanges.each(home, file, found::add);
                }
                return found.size() <= MAX;
            });
        }
        return found;
    }

    /** A file was published. Needs the namesystem's lock. */
    public void published(long home, INodeFile file) {
        RightsBelow below = byHome.get(home);
        if (below != null) {
            RightsChanges.add(home, below, file);
        }
    }

    /** Where changes of these rights are told. */
    public RightsChanges changes() {
        return new RightsChanges(system, namespace, byHome);
    }

    /** Forgets all rights, which are then looked at again. */
    public void forget() {
        homes.forget();
        byHome.clear();
    }

    /** Forgets the rights of directories that no dataset in the store names. */
    public void retain() throws IOException {
        homes.forget();
        if (byHome.isEmpty()) {
            return;
        }
        Set<Long> homes = new HashSet<>();
        for (byte[] home : namespace.entries(layout.datasetsDir(), store -> Attributes.get(store, Attributes.HOME))) {
            try {
                if (home != null) {
                    homes.add(StoredRecords.home(home, layout.datasetsDir()));
                }
            } catch (UnreadableRecordException e) {
                // its rights are looked at again when the record can be read
            }
        }
        byHome.keySet().retainAll(homes);
    }

    /** The number of dataset directories whose rights are known. */
    public int size() {
        return byHome.size();
    }
}
