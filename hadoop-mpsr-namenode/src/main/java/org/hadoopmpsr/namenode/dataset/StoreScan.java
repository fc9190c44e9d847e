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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;

/** Reads the directories of all datasets in the store, in short holds of the lock. */
final class StoreScan {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final StoreReader reader;

    StoreScan(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.reader = new StoreReader(namespace);
    }

    /**
     * What is found in the store.
     *
     * @param datasets by path
     * @param lost directories in the store whose dataset directory is gone
     */
    record Content(
            Map<String, DatasetRecord> datasets,
            List<String> lost,
            List<DropRecord> dropped,
            List<SetAside> setAside) {}

    Content find() throws IOException {
        Content found = new Content(new HashMap<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<Long> stores = namespace.entries(layout.datasetsDir(), INode::getId);
        for (List<Long> step : LockSteps.parts(stores, Datasets.STEP)) {
            system.read(() -> {
                for (long id : step) {
                    INode store = system.directory().getInode(id);
                    if (store != null) {
                        find(store, found);
                    }
                }
                system.holds().look(step.size());
                return true;
            });
        }
        for (DatasetRecord dataset : List.copyOf(found.datasets.values())) {
            checkCommits(dataset, found);
        }
        return found;
    }

    private void checkCommits(DatasetRecord dataset, Content found) throws IOException {
        String store = layout.datasetDir(dataset.id());
        try {
            reader.checkCommits(store);
        } catch (UnreadableRecordException e) {
            found.datasets.remove(dataset.path());
            found.setAside.add(new SetAside(dataset.path(), store, String.valueOf(e.getMessage())));
        }
    }

    private void find(INode store, Content found) throws IOException {
        try {
            DatasetRecord dataset = reader.dataset(store);
            DropRecord drop = dataset == null ? StoreReader.dropped(store) : null;
            if (dataset != null) {
                found.datasets.put(dataset.path(), dataset);
            } else if (drop != null) {
                found.dropped.add(drop);
            } else {
                found.lost.add(store.getFullPathName());
            }
        } catch (UnreadableRecordException e) {
            found.setAside.add(
                    new SetAside(reader.path(store), store.getFullPathName(), String.valueOf(e.getMessage())));
        }
    }
}
