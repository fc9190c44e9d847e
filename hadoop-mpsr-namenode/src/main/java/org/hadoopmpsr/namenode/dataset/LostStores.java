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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Finds dataset directories whose directory in the store is gone, as after a rename while MPSR was out. Nothing in the
 * store leads to them. They are found where MPSR knew the dataset before, and where somebody asks for one. Takes the read
 * lock in short holds. Thread-safe.
 */
final class LostStores {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    /** The id by the inode id of the dataset directory. */
    private final Map<Long, String> known = new ConcurrentHashMap<>();

    LostStores(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /**
     * A dataset directory without a store.
     *
     * @param storeDir where the store is missing
     */
    record LostStore(String path, String storeDir) {

        /** One line. */
        String text() {
            return path + " is the directory of a dataset, but " + storeDir
                    + " is missing: it is read as on stock HDFS,"
                    + " and can neither be written by commits nor dropped; move the missing directory back with hdfs dfs"
                    + " -mv, or end the dataset with hdfs dfs -setfattr -x " + Attributes.DATASET + " " + path;
        }
    }

    void know(Collection<DatasetRecord> datasets) {
        datasets.forEach(dataset -> known.put(dataset.inodeId(), dataset.id()));
    }

    /** Looks at a directory that is no dataset. Returns true if it has the definition of one. */
    boolean notice(String path) throws IOException {
        AtomicReference<byte @Nullable []> definition = new AtomicReference<>();
        Long inodeId = system.read(() -> {
            INode inode = namespace.find(path);
            definition.set(inode == null ? null : Attributes.get(inode, Attributes.DATASET));
            return inode == null ? null : inode.getId();
        });
        byte[] found = definition.get();
        if (inodeId == null || found == null) {
            return false;
        }
        try {
            known.put(inodeId, StoredRecords.dataset(found, path).getId());
            return true;
        } catch (UnreadableRecordException e) {
            return false; // an unknown version, whose store is not known either
        }
    }

    /** The known directories without a store. Forgets those that are no dataset directories any more. */
    List<LostStore> find() throws IOException {
        List<LostStore> lost = new ArrayList<>();
        for (List<Map.Entry<Long, String>> step : LockSteps.parts(List.copyOf(known.entrySet()), Datasets.STEP)) {
            system.read(() -> {
                for (Map.Entry<Long, String> entry : step) {
                    find(entry.getKey(), entry.getValue(), lost);
                }
                return true;
            });
        }
        return lost;
    }

    private void find(long inodeId, String id, List<LostStore> lost) throws IOException {
        String path = namespace.pathOf(inodeId);
        if (path == null || Attributes.get(namespace.require(path), Attributes.DATASET) == null) {
            known.remove(inodeId);
        } else if (namespace.find(layout.datasetDir(id)) == null) {
            lost.add(new LostStore(path, layout.datasetDir(id)));
        }
    }
}
