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
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.slf4j.Logger;

/**
 * Has a dataset count its changes and keep records of its segments, with the definition's version that says so. An older
 * MPSR then sets the dataset aside. Idempotent.
 */
public final class DatasetUpgrade {
    private static final Logger LOG = PrintableLog.of(DatasetUpgrade.class);

    private final MpsrNamesystem system;
    private final SegmentRecords segments;
    private final HistoryRecords history;
    private final Datasets datasets;

    public DatasetUpgrade(MpsrNamesystem system, SegmentRecords segments, HistoryRecords history, Datasets datasets) {
        this.system = system;
        this.segments = segments;
        this.history = history;
        this.datasets = datasets;
    }

    /** Upgrades a dataset, unless that was done before. The caller has the dataset alone. */
    public void run(DatasetRecord dataset) throws IOException {
        boolean done = system.read(() -> segments.areKept(dataset));
        if (!done) {
            upgrade(dataset);
        }
    }

    /** Upgrades a dataset, some of whose files may have other columns than its schema from now on. The caller has the dataset alone. */
    public void withMixedFiles(DatasetRecord dataset) throws IOException {
        run(dataset);
        if (!dataset.definition().getMixedFiles()) {
            change(dataset, (edits, definition) -> put(edits, dataset, definition.setMixedFiles(true)));
        }
    }

    private void upgrade(DatasetRecord dataset) throws IOException {
        change(dataset, (edits, definition) -> {
            definition.setFormatVersion(DatasetVersion.withSegments(definition.getFormatVersion()));
            put(edits, dataset, definition);
            if (history.get(dataset) == null) {
                history.put(edits, dataset, HistoryRecord.from(0)); // nothing was replaced yet
            }
            segments.keep(edits, dataset); // last: it ends the upgrade
        });
        LOG.info(
                "MPSR: dataset {} counts its changes and keeps records of its segments from now on; an older MPSR sets it"
                        + " aside",
                dataset.path());
    }

    private interface Change {
        void make(NamespaceEdits edits, DatasetProto.Builder definition) throws IOException;
    }

    private void change(DatasetRecord dataset, Change change) throws IOException {
        system.write("mpsrUpgradeDataset", edits -> {
            INode directory = system.directory().getInode(dataset.inodeId());
            byte[] value = directory == null ? null : Attributes.get(directory, Attributes.DATASET);
            if (value != null) {
                change.make(edits, StoredRecords.dataset(value, dataset.path()).toBuilder());
                datasets.load();
            }
            return true;
        });
    }

    private static void put(NamespaceEdits edits, DatasetRecord dataset, DatasetProto.Builder definition)
            throws IOException {
        edits.setXAttr(dataset.path(), Attributes.DATASET, definition.build().toByteArray());
    }
}
