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
package org.hadoopmpsr.namenode.history;

import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.history.Rollback;
import org.hadoopmpsr.core.history.UnknownStateException;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.rights.DatasetReaders;

/** Plans rollbacks for users who may read all of a dataset. Changes nothing. Thread-safe. */
public final class Rollbacks {
    private static final String CALL = "mpsrGetRollback";

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final DatasetLocks locks;
    private final Histories histories;

    public Rollbacks(
            MpsrNamesystem system, Datasets datasets, DatasetReaders readers, DatasetLocks locks, Histories histories) {
        this.system = system;
        this.datasets = datasets;
        this.readers = readers;
        this.locks = locks;
        this.histories = histories;
    }

    /**
     * A planned rollback.
     *
     * @param sequence the number of the change that left the state
     * @param last the number of the last change
     */
    public record Planned(String datasetId, long sequence, long last, Rollback difference) {}

    /**
     * Plans one.
     *
     * @throws IOException if the state is not known, or not kept
     */
    public Planned plan(String path, AsOf to) throws IOException {
        system.checkActive();
        DatasetRecord dataset = datasets.require(CALL, path, FsAction.READ_EXECUTE);
        readers.check(CALL, dataset);
        Histories.Known known = locks.look(dataset, () -> histories.of(dataset));
        long sequence;
        try {
            sequence = known.resolve(to, system.clock().now());
        } catch (UnknownStateException e) {
            throw new IOException("cannot roll " + dataset.path() + " back to " + to + ": " + e.getMessage(), e);
        }
        Rollback difference = Rollback.to(sequence, known.segments());
        for (Segment segment : difference.restores()) {
            checkGroups(dataset, to, segment);
        }
        return new Planned(dataset.id(), sequence, known.history().last(), difference);
    }

    /** Nothing brings back what a group never had. */
    private static void checkGroups(DatasetRecord dataset, AsOf to, Segment segment) throws IOException {
        for (String group : dataset.whole().groups().names()) {
            if (!segment.isWholeIn(group)) {
                throw new IOException("cannot roll " + dataset.path() + " back to " + to + ": segment " + segment.id()
                        + " was removed before it was written in group '" + group
                        + "'; name a state after the groups were altered");
            }
        }
    }
}
