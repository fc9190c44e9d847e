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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.store.Attributes;
import org.jspecify.annotations.Nullable;

/** Changes the definitions of datasets, each while nobody else changes the dataset. Thread-safe. */
public final class DefinitionChanges {
    static final String CALL = "mpsrAlterDataset";

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final DatasetUpgrade upgrade;
    private final Indexes indexes;

    public DefinitionChanges(
            MpsrNamesystem system,
            Datasets datasets,
            DatasetLocks locks,
            RollForward rollForward,
            DatasetUpgrade upgrade,
            Indexes indexes) {
        this.system = system;
        this.datasets = datasets;
        this.locks = locks;
        this.rollForward = rollForward;
        this.upgrade = upgrade;
        this.indexes = indexes;
    }

    /** What is to be done, for a dataset as it is while nobody else changes it. */
    interface Step {
        void run(DatasetRecord dataset) throws IOException;
    }

    /**
     * Runs a step for a superuser's call, and once if the client repeats the call.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     * @return the dataset afterwards
     */
    DatasetRecord byCall(String path, @Nullable String expected, Step step) throws IOException {
        system.checkWritable();
        system.checkSuperuser(CALL, path);
        DatasetRecord dataset = datasets.at(path).orElseThrow(() -> datasets.missing(path));
        dataset.checkId(expected);
        return system.repeatedCalls().once(() -> alone(dataset, step), () -> now(dataset));
    }

    /** Runs a step while nobody else changes the dataset. Returns the dataset afterwards. */
    DatasetRecord alone(DatasetRecord dataset, Step step) throws IOException {
        return locks.alone(dataset, () -> {
            if (system.read(() -> rollForward.isPending(dataset))) {
                throw new RetriableException("a change of " + dataset.path()
                        + " waits to be completed; the dataset can be altered in a moment");
            }
            upgrade.run(dataset);
            step.run(now(dataset));
            return now(dataset);
        });
    }

    /** The dataset as it is now. */
    DatasetRecord now(DatasetRecord dataset) throws IOException {
        return datasets.withId(dataset.id()).orElseThrow(() -> datasets.missing(dataset.path()));
    }

    /** Gives a dataset another definition, with nothing else. */
    void put(DatasetRecord dataset, DatasetProto definition) throws IOException {
        system.write(CALL, edits -> {
            put(edits, dataset, definition);
            return true;
        });
    }

    /** Gives a dataset another definition. Needs the write lock. */
    void put(NamespaceEdits edits, DatasetRecord dataset, DatasetProto definition) throws IOException {
        byte[] stored = definition.toByteArray();
        edits.setXAttr(dataset.path(), Attributes.DATASET, stored);
        datasets.add(DatasetRecord.of(dataset.path(), dataset.inodeId(), definition));
        indexes.forget(dataset.id());
    }
}
