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
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.DatasetChange.Kind;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.CommitLog;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/**
 * Completes changes that have passed their commit point and were left by a crash or an error. Idempotent: a further run
 * continues where the last one stopped. Thread-safe.
 */
public final class RollForward {
    private static final Logger LOG = PrintableLog.of(RollForward.class);
    /** So many topic-partitions of a commit are told. */
    private static final int TOLD = 20;

    private final Completion.Shared parts;
    private final Counters counters;

    public RollForward(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Offsets offsets,
            Indexes indexes,
            DatasetRights rights,
            SegmentRecords segments,
            CommitLog log,
            Deletion deletion,
            Counters counters) {
        this.parts =
                new Completion.Shared(system, namespace, layout, offsets, indexes, rights, segments, log, deletion);
        this.counters = counters;
    }

    /** Runs a step under the write lock. */
    public interface Holds {
        boolean hold(MpsrNamesystem.Write<Boolean> step) throws IOException;
    }

    /** What completions use. */
    Completion.Shared parts() {
        return parts;
    }

    /**
     * Completes all pending commits of a dataset, in short holds of the lock. The caller has the dataset alone.
     *
     * @return the number of commits
     * @throws IOException if one of them cannot be completed now
     */
    public int completeAll(Holds holds, DatasetRecord dataset) throws IOException {
        List<String> commits = parts.namespace().entries(pendingDir(dataset), INode::getLocalName);
        for (String commit : commits) {
            Completion completion = completion(dataset, commit);
            completion.find();
            completion.finish(holds);
            tell(dataset, commit, completion.jumps());
            LOG.info("MPSR: rolled forward commit {} of {}", commit, dataset.path());
        }
        return commits.size();
    }

    private String pendingDir(DatasetRecord dataset) {
        return parts.layout().datasetDir(dataset.id()) + "/" + StoreLayout.PUBLISHING;
    }

    private Completion completion(DatasetRecord dataset, String commitId) throws IOException {
        Kind kind = parts.system()
                .read(() -> CommitRecord.on(
                                parts.namespace().require(parts.layout().publishingDir(dataset.id(), commitId)))
                        .change()
                        .kind());
        return switch (kind) {
            case APPEND -> new AppendCompletion(parts, dataset, commitId);
            case REWRITE, ACCEPT, DELETE, ROLLBACK, OVERWRITE -> new RewriteCompletion(parts, dataset, commitId);
            case ADOPT -> new AdoptCompletion(parts, dataset, commitId);
            case REBUILD -> new RebuildCompletion(parts, dataset, commitId);
        };
    }

    /** True if a commit of the dataset is pending. Needs only the read lock. */
    public boolean isPending(DatasetRecord dataset) throws IOException {
        return parts.namespace().countEntries(pendingDir(dataset)) > 0;
    }

    /**
     * True if a rewrite or a rebuild of the dataset is pending, which may have changed some directories of the default group and others not
     * yet. Needs the read lock.
     */
    public boolean isHalfDone(DatasetRecord dataset) throws IOException {
        for (INode commit : parts.namespace().children(pendingDir(dataset))) {
            if (CommitRecord.on(commit).change().kind() != Kind.APPEND) {
                return true;
            }
        }
        return false;
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
}
