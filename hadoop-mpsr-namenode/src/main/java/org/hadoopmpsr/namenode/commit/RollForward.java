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
package org.hadoopmpsr.namenode.commit;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits.Access;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/**
 * Completes commits that have passed their commit point: moves the remaining files into place, records the offsets, and
 * removes the commit's directory. Idempotent: a further run continues where the last one stopped. Thread-safe.
 */
public final class RollForward {
    private static final Logger LOG = PrintableLog.of(RollForward.class);
    /** So many topic-partitions of a commit are told. */
    private static final int TOLD = 20;

    private final Namespace namespace;
    private final StoreLayout layout;
    private final Offsets offsets;
    private final Indexes indexes;
    private final DatasetRights rights;
    private final CommitLog log;
    private final Deletion deletion;
    private final Counters counters;

    public RollForward(
            Namespace namespace,
            StoreLayout layout,
            Offsets offsets,
            Indexes indexes,
            DatasetRights rights,
            CommitLog log,
            Deletion deletion,
            Counters counters) {
        this.namespace = namespace;
        this.layout = layout;
        this.offsets = offsets;
        this.indexes = indexes;
        this.rights = rights;
        this.log = log;
        this.deletion = deletion;
        this.counters = counters;
    }

    /** Runs a step under the write lock. */
    public interface Holds {
        boolean hold(MpsrNamesystem.Write<Boolean> step) throws IOException;
    }

    /**
     * Completes all pending commits of a dataset, in short holds of the lock. The caller has the dataset alone.
     *
     * @return the number of commits
     * @throws IOException if one of them cannot be completed now
     */
    public int completeAll(Holds holds, DatasetRecord dataset) throws IOException {
        List<String> commits =
                namespace.entries(layout.datasetDir(dataset.id()) + "/" + StoreLayout.PUBLISHING, INode::getLocalName);
        for (String commit : commits) {
            Completion completion = new Completion(this, dataset, commit);
            completion.find();
            completion.finish(holds);
            tell(dataset, commit, completion.jumps());
            LOG.info("MPSR: rolled forward commit {} of {}", commit, dataset.path());
        }
        return commits.size();
    }

    /** True if a commit of the dataset is pending. Needs only the read lock. */
    public boolean isPending(DatasetRecord dataset) throws IOException {
        return namespace.countEntries(layout.datasetDir(dataset.id()) + "/" + StoreLayout.PUBLISHING) > 0;
    }

    /** Tells operators of the offsets that a commit passed over. Takes no lock. */
    void tell(DatasetRecord dataset, String commitId, List<OffsetJump> jumps) {
        counters.add(Counter.OFFSET_JUMPS, jumps.size());
        for (OffsetJump jump : jumps.subList(0, Math.min(TOLD, jumps.size()))) {
            LOG.warn(
                    "MPSR: commit {} to {} passes over offsets of which it has no or few records: {} ({} such"
                            + " topic-partitions in the commit). See hdfs mpsr dataset offsets {}",
                    commitId,
                    dataset.path(),
                    jump.text(),
                    jumps.size(),
                    dataset.path());
        }
    }

    /**
     * Makes the missing partition directories of a file. In the dataset directory they get the rights that the writer of
     * the file would give them. Needs the write lock.
     *
     * @param shown true for a file of the default group
     * @return the directory of the file
     */
    INode makeParent(NamespaceEdits edits, String target, boolean shown, INode file) throws IOException {
        String path = PathNames.parent(target);
        INode parent = namespace.find(path);
        if (parent == null) {
            edits.mkdirs(path, shown ? Access.around(file) : Access.own());
            parent = namespace.require(path);
        }
        return parent;
    }

    Namespace namespace() {
        return namespace;
    }

    StoreLayout layout() {
        return layout;
    }

    Offsets offsets() {
        return offsets;
    }

    Indexes indexes() {
        return indexes;
    }

    DatasetRights rights() {
        return rights;
    }

    CommitLog log() {
        return log;
    }

    Deletion deletion() {
        return deletion;
    }
}
