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
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/** Moves committed offsets by order of a superuser. Thread-safe. */
public final class OffsetResets {
    private static final Logger LOG = PrintableLog.of(OffsetResets.class);
    private static final String CALL = "mpsrResetOffsets";
    /** So many open commits are named. */
    private static final int NAMED = 3;

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
     * Moves the offsets, all or none.
     *
     * @param datasetId the dataset that the caller knows at the path
     * @param force to move them also while commits are open, which are then fenced
     * @return the committed offsets of these topic-partitions after the call
     * @throws IOException with what is wrong: nothing is moved
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
            return system.write(CALL, edits -> {
                List<OffsetReset> open = open(offsets.of(dataset), resets);
                if (!open.isEmpty() && !force) {
                    checkNoOpenCommit(dataset);
                }
                move(edits, dataset, open, commitId);
                return open.size();
            });
        });
        counters.add(Counter.RESET_OFFSETS, moved);
        return system.read(() -> offsets.of(dataset).stream()
                .filter(o -> resets.stream().anyMatch(r -> r.isOf(o)))
                .toList());
    }

    private void move(NamespaceEdits edits, DatasetRecord dataset, List<OffsetReset> resets, String commitId)
            throws IOException {
        offsets.reset(edits, dataset, resets, commitId);
        resets.forEach(reset -> LOG.info(
                "MPSR: a superuser moved the committed end of partition {} of a topic of {} from {} to {}",
                reset.partition(),
                dataset.path(),
                reset.from(),
                reset.to()));
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

    /** The resets that are not done yet. */
    private static List<OffsetReset> open(List<CommittedOffset> committed, List<OffsetReset> resets)
            throws IOException {
        for (OffsetReset reset : resets) {
            long end = end(committed, reset);
            if (end != reset.from() && end != reset.to()) {
                throw new IOException("partition " + reset.partition() + " of topic '" + reset.topic()
                        + "' is not committed up to " + shown(reset.from()) + " any more, but up to " + shown(end)
                        + ": a writer is at work. Stop it, look at the offsets again, and repeat the reset");
            }
        }
        return resets.stream().filter(r -> end(committed, r) != r.to()).toList();
    }

    private static long end(List<CommittedOffset> committed, OffsetReset reset) {
        return committed.stream()
                .filter(reset::isOf)
                .mapToLong(CommittedOffset::end)
                .findFirst()
                .orElse(OffsetReset.NONE);
    }

    private static String shown(long end) {
        return end == OffsetReset.NONE ? "none" : String.valueOf(end);
    }

    /** A writer at work would be fenced, and may begin where nobody expects it. */
    private void checkNoOpenCommit(DatasetRecord dataset) throws IOException {
        List<String> open = namespace.children(layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING).stream()
                .map(INode::getLocalName)
                .toList();
        if (!open.isEmpty()) {
            throw new IOException(open.size() + " commit(s) to " + dataset.path() + " are open, such as "
                    + String.join(", ", open.subList(0, Math.min(NAMED, open.size())))
                    + ": stop their writers first. To move the offsets nevertheless, which fences these commits, add"
                    + " --force");
        }
    }
}
