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
package org.hadoopmpsr.namenode.segment;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.wire.HistoryWire;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/** What is kept of the earlier states of datasets: an attribute of each dataset's directory in the store. Thread-safe. */
public final class HistoryRecords {
    private final Namespace namespace;
    private final StoreLayout layout;

    public HistoryRecords(Namespace namespace, StoreLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    /**
     * The record; null if there is none: nothing is known of earlier states then. Needs the read lock.
     *
     * @throws UnreadableRecordException if a newer MPSR has written it, or it is damaged
     */
    public @Nullable HistoryRecord get(DatasetRecord dataset) throws IOException {
        String path = layout.datasetDir(dataset.id());
        INode directory = namespace.find(path);
        byte[] value = directory == null ? null : Attributes.get(directory, Attributes.HISTORY);
        return value == null ? null : StoredRecords.history(value, path);
    }

    /**
     * Keeps the record. Needs the write lock.
     *
     * @throws IOException if it has more tags than an attribute can hold; nothing is changed then
     */
    public void put(NamespaceEdits edits, DatasetRecord dataset, HistoryRecord record) throws IOException {
        String path = layout.datasetDir(dataset.id());
        byte[] value = HistoryWire.history(record).toByteArray();
        if (value.length > edits.maxXAttrBytes(Attributes.HISTORY)) {
            throw new IOException(
                    "the " + record.tags().size() + " tags of " + dataset.path()
                            + " are more than an extended attribute can hold; delete some with 'hdfs mpsr dataset tag --delete'");
        }
        if (!Arrays.equals(value, Attributes.get(namespace.require(path), Attributes.HISTORY))) {
            edits.setXAttr(path, Attributes.HISTORY, value);
        }
    }
}
