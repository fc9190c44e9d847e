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
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;

/** The inode ids of dataset directories, also of dropped datasets, by what lies in the store. Thread-safe. */
final class DatasetHomes {
    private final Namespace namespace;
    private final StoreLayout layout;
    /** By the inode id of the dataset's directory in the store. */
    private final Map<Long, Home> read = new ConcurrentHashMap<>();
    /** By the id of the dataset. */
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    DatasetHomes(Namespace namespace, StoreLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    /** @param attributes the object that HDFS keeps all attributes in, and replaces with each change of one */
    private record Home(XAttrFeature attributes, long id) {}

    /** Of a dataset's directory in the store; empty if it names none. Needs the read lock. */
    OptionalLong of(INode store) throws IOException {
        XAttrFeature attributes = store.getXAttrFeature();
        if (attributes == null) {
            return OptionalLong.empty();
        }
        Home home = read.get(store.getId());
        if (home == null || home.attributes != attributes) {
            byte[] value = Attributes.get(store, Attributes.HOME);
            if (value == null) {
                return OptionalLong.empty();
            }
            home = new Home(attributes, StoredRecords.home(value, store.getFullPathName()));
            read.put(store.getId(), home);
        }
        return OptionalLong.of(home.id);
    }

    /** Of a dataset; empty if the store has none with this id. Needs the read lock. */
    OptionalLong of(String datasetId) throws IOException {
        INode store = namespace.find(layout.datasetDir(datasetId));
        OptionalLong home = store == null ? OptionalLong.empty() : of(store);
        home.ifPresent(id -> known.put(datasetId, id));
        return home;
    }

    /** Of a dataset for which it was asked before; it is made with the dataset and stays. Needs no lock. */
    OptionalLong known(String datasetId) {
        Long home = known.get(datasetId);
        return home == null ? OptionalLong.empty() : OptionalLong.of(home);
    }

    /** Reads all again when they are asked for. */
    void forget() {
        read.clear();
        known.clear();
    }
}
