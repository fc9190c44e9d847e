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
package org.hadoopmpsr.namenode.offset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/** Moves committed offsets by order of a superuser. Thread-safe. */
public final class OffsetResets {
    private static final Logger LOG = PrintableLog.of(OffsetResets.class);
    private static final String CALL = "mpsrResetOffsets";
    /** So many open commits are named. */
    private static final int NAMED = 3;
    /** So many offsets are moved in one hold of the lock. */
    private static final int MOVED = 30;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Offsets offsets;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final Counters counters;

    public OffsetResets(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            Offsets offsets,
            DatasetLocks locks,
            RollForward rollForward,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.offsets = offsets;
        this.locks = locks;
        this.rollForward = rollForward;
        this.counters = counters;
    }

    /**
     * Moves the offsets, once all of them are checked. They move a few at a time; after a crash in between, the same call
     * moves the rest.
     *
     * @param datasetId the dataset that the caller knows at the path
     * @param force to move them also while commits are open, which are then fenced
     * @return the committed offsets of these topic-partitions after the call
     * @throws IOException with what is wrong: nothing is moved, unless HDFS fails
     */
    public List<CommittedOffset> reset(String path, String datasetId, List<OffsetReset> resets, boolean force)
            throws IOException {
        system.checkSuperuser(CALL, path);
        system.checkWritable();
        DatasetRecord dataset = datasets.require(CALL, path, FsAction.WRITE_EXECUTE);
        if (!dataset.id().equals(datasetId)) {
            throw new IOException("the dataset at " + path + " is another one (" + dataset.id()
                    + ") than the one that was looked at (" + datasetId + "); look at its offsets again");
        }
        checkNamedOnce(resets);
        String commitId = "reset-" + system.clock().now();
        int moved = locks.alone(dataset, () -> {
            rollForward.completeAll(step -> system.write(CALL, step), dataset);
            List<OffsetReset> open = open(dataset, resets);
            if (!open.isEmpty() && !force) {
                system.read(() -> checkNoOpenCommit(dataset));
            }
            for (OffsetReset reset : open) {
                system.checkName(Offsets.recordOf(reset, commitId).directoryName());
            }
            for (List<OffsetReset> part : LockSteps.parts(open, MOVED)) {
                system.write(CALL, edits -> {
                    move(edits, dataset, part, commitId);
                    return true;
                });
            }
            return open.size();
        });
        counters.add(Counter.RESET_OFFSETS, moved);
        return committed(dataset, resets);
    }

    private void move(NamespaceEdits edits, DatasetRecord dataset, List<OffsetReset> resets, String commitId)
            throws IOException {
        for (OffsetReset reset : resets) {
            offsets.reset(edits, dataset, reset, commitId);
            LOG.info(
                    "MPSR: a superuser moved the committed end of partition {} of a topic of {} from {} to {}",
                    reset.partition(),
                    dataset.path(),
                    reset.from(),
                    reset.to());
        }
    }

    /** The committed offsets of these topic-partitions. Takes the read lock in short holds. */
    private List<CommittedOffset> committed(DatasetRecord dataset, List<OffsetReset> resets) throws IOException {
        List<CommittedOffset> committed = new ArrayList<>();
        LockSteps.read(system, resets, part -> {
            for (OffsetReset reset : part) {
                offsets.of(dataset, reset.topic(), reset.partition()).ifPresent(committed::add);
            }
        });
        return committed;
    }

    private static void checkNamedOnce(List<OffsetReset> resets) throws IOException {
        Set<String> named = new HashSet<>();
        for (OffsetReset reset : resets) {
            if (!named.add(reset.partition() + "/" + reset.topic())) {
                throw new IOException(
                        "partition " + reset.partition() + " of topic '" + reset.topic() + "' is named twice");
            }
        }
    }

    /** The resets that are not done yet. Takes the lock in short holds. */
    private List<OffsetReset> open(DatasetRecord dataset, List<OffsetReset> resets) throws IOException {
        List<OffsetReset> open = new ArrayList<>();
        LockSteps.read(system, resets, part -> {
            for (OffsetReset reset : part) {
                long end = offsets.of(dataset, reset.topic(), reset.partition())
                        .map(CommittedOffset::end)
                        .orElse(OffsetReset.NONE);
                if (end != reset.from() && end != reset.to()) {
                    throw new IOException("partition " + reset.partition() + " of topic '" + reset.topic()
                            + "' is not committed up to " + shown(reset.from()) + " any more, but up to " + shown(end)
                            + ": a writer is at work. Stop it, look at the offsets again, and repeat the reset");
                }
                if (end != reset.to()) {
                    open.add(reset);
                }
            }
        });
        return open;
    }

    private static String shown(long end) {
        return end == OffsetReset.NONE ? "none" : String.valueOf(end);
    }

    /** A writer at work would be fenced, and may begin where nobody expects it. */
    private boolean checkNoOpenCommit(DatasetRecord dataset) throws IOException {
        String path = layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING;
        int count = namespace.countEntries(path);
        if (count > 0) {
            List<String> open = Namespace.after(namespace.require(path).asDirectory(), null, NAMED).stream()
                    .map(INode::getLocalName)
                    .toList();
            throw new IOException(count + " commit(s) to " + dataset.path()
                    + " are open, such as " + String.join(", ", open)
                    + ": stop their writers first. To move the offsets nevertheless, which fences these commits, add"
                    + " --force");
        }
        return true;
    }
}
