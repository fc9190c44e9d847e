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
package org.hadoopmpsr.namenode.maintain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;

/**
 * The records of maintenance: an attribute of the store, and one of each dataset's directory in it. They follow failovers
 * and restarts as all attributes do. Thread-safe.
 */
final class MaintenanceRecords {
    private final Namespace namespace;
    private final StoreLayout layout;

    MaintenanceRecords(Namespace namespace, StoreLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    /**
     * The lease; empty if there is no store to keep it in. Needs the read lock.
     *
     * @throws UnreadableRecordException if a newer MPSR has written it, or it is damaged
     */
    Optional<MaintenanceLease> lease() throws IOException {
        INode store = namespace.find(layout.storeDir());
        if (store == null) {
            return Optional.empty();
        }
        byte[] value = Attributes.get(store, Attributes.LEASE);
        return Optional.of(
                value == null ? MaintenanceLease.NONE : StoredRecords.maintenanceLease(value, layout.storeDir()));
    }

    /** Keeps the lease. Needs the write lock. */
    void put(NamespaceEdits edits, MaintenanceLease lease) throws IOException {
        edits.setXAttr(
                layout.storeDir(),
                Attributes.LEASE,
                MaintenanceWire.lease(lease).toByteArray());
    }

    /**
     * The last runs in a dataset, sorted by task; empty if none is kept, or the dataset has no directory in the store. Needs
     * the read lock.
     *
     * @throws UnreadableRecordException if a newer MPSR has written them, or they are damaged
     */
    List<MaintenanceRun> runs(String datasetId) throws IOException {
        INode directory = namespace.find(layout.datasetDir(datasetId));
        byte[] value = directory == null ? null : Attributes.get(directory, Attributes.MAINTENANCE);
        return value == null ? List.of() : StoredRecords.maintenance(value, layout.datasetDir(datasetId));
    }

    /**
     * Keeps a run, unless it is kept already. Of more runs than the attribute can hold, those that started first are left
     * out. Needs the write lock.
     */
    void put(NamespaceEdits edits, String datasetId, MaintenanceRun run) throws IOException {
        String path = layout.datasetDir(datasetId);
        List<MaintenanceRun> kept = new ArrayList<>(run.keptIn(runs(datasetId)));
        byte[] value = MaintenanceWire.record(kept).toByteArray();
        while (value.length > edits.maxXAttrBytes(Attributes.MAINTENANCE) && kept.size() > 1) {
            kept.remove(MaintenanceRun.oldest(kept));
            value = MaintenanceWire.record(kept).toByteArray();
        }
        if (!Arrays.equals(value, Attributes.get(namespace.require(path), Attributes.MAINTENANCE))) {
            edits.setXAttr(path, Attributes.MAINTENANCE, value);
        }
    }
}
