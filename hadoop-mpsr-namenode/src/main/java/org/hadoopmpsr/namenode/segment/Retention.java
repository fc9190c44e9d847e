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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.slf4j.Logger;

/**
 * Deletes replaced files, and the records of their segments, when readers that planned or listed before the rewrite have had
 * their time, and no state that is kept needs them. Thread-safe.
 */
public final class Retention {
    private static final Logger LOG = PrintableLog.of(Retention.class);

    /** Before the name of a directory that is deleted; no change has such an id. */
    static final String DELETED = ".";

    /** Before the name of a directory of files that were of a representation which was dropped; no change has such an id. */
    public static final String DROPPED = "-";

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Indexes indexes;
    private final SegmentRecords records;
    private final HistoryRetention history;
    private final Deletion deletion;
    private final Counters counters;
    private volatile Replaced counted = Replaced.NONE;

    public Retention(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            Indexes indexes,
            SegmentRecords records,
            HistoryRetention history,
            Deletion deletion,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.indexes = indexes;
        this.records = records;
        this.history = history;
        this.deletion = deletion;
        this.counters = counters;
    }

    /** What a dataset has. Takes the read lock in short holds. */
    public Replaced of(DatasetRecord dataset) throws IOException {
        long[] sum = new long[2];
        namespace.walk(layout.replacedDir(dataset.id()), (path, file) -> {
            sum[0]++;
            sum[1] += file.computeFileSize() * file.getFileReplication();
            return true;
        });
        return new Replaced(sum[0], sum[1]);
    }

    /** Counts what all datasets have, for {@link #counted}. */
    public void count() throws IOException {
        Replaced sum = Replaced.NONE;
        for (DatasetRecord dataset : datasets.all()) {
            sum = sum.plus(of(dataset));
        }
        counted = sum;
    }

    /** What all datasets had when it was counted last. */
    public Replaced counted() {
        return counted;
    }

    /** Deletes what is due, in short holds of the lock. */
    public void deleteDue() throws IOException {
        if (system.safeMode().isOn()) {
            return;
        }
        for (DatasetRecord dataset : datasets.all()) {
            if (history.begin(dataset)) {
                for (String change : system.read(() -> due(dataset, history.keptMs(dataset)))) {
                    delete(dataset, change, false);
                }
            }
        }
    }

    /** Deletes all that a dataset has, but for that of a change which is not complete. In short holds of the lock. */
    Replaced deleteAll(DatasetRecord dataset) throws IOException {
        Replaced before = of(dataset);
        for (String change : system.read(() -> due(dataset, 0))) {
            delete(dataset, change, true);
        }
        Replaced left = of(dataset);
        return new Replaced(Math.max(0, before.files() - left.files()), Math.max(0, before.bytes() - left.bytes()));
    }

    /** The changes whose replaced files are due. Needs the read lock. */
    private List<String> due(DatasetRecord dataset, long keptMs) throws IOException {
        List<String> due = new ArrayList<>();
        for (INode change : namespace.children(layout.replacedDir(dataset.id()))) {
            String id = change.getLocalName();
            if (id.startsWith(DELETED)) {
                due.add(id); // a crash has left it half deleted
                continue;
            }
            long kept = id.startsWith(DROPPED) ? Math.min(keptMs, history.delayMs()) : keptMs;
            boolean complete = namespace.find(layout.publishingDir(dataset.id(), id)) == null;
            if (complete && system.clock().now() - since(dataset, change) >= kept) {
                due.add(id);
            }
        }
        return due;
    }

    /** The time of a change, in milliseconds since the epoch. */
    private long since(DatasetRecord dataset, INode change) throws IOException {
        try {
            Segment record = records.get(dataset, change.getLocalName());
            return record == null ? newest(change) : record.timeMs();
        } catch (UnreadableRecordException e) {
            return newest(change);
        }
    }

    /** When something was put into a directory or one of its directories last. */
    private static long newest(INode directory) {
        long newest = directory.getModificationTime();
        for (INode child : Namespace.children(directory)) {
            newest = Math.max(newest, child.getModificationTime());
        }
        return newest;
    }

    /** One at a time, or two would delete the same. */
    private synchronized void delete(DatasetRecord dataset, String change, boolean tagged) throws IOException {
        String directory = layout.replacedDir(dataset.id(), change);
        if (system.read(() -> namespace.find(directory)) == null) {
            return; // another caller was faster
        }
        if (change.startsWith(DELETED)) {
            deletion.all("mpsrDeleteReplaced", directory);
            return;
        }
        if (!tagged && history.isNeeded(dataset, change)) {
            return;
        }
        int[] files = new int[1];
        Set<String> segments = new HashSet<>();
        namespace.walk(directory, (path, file) -> {
            files[0]++;
            Header header = StoredStatistics.header(file);
            if (header != null) {
                segments.add(header.commitId());
            }
            return true;
        });
        if (!history.leave(dataset, change, segments, tagged)) {
            return;
        }
        indexes.forgetBefore(dataset, change); // from here on nobody plans with them
        LockSteps.write(system, "mpsrDeleteReplaced", List.copyOf(segments), (edits, some) -> {
            for (String segment : some) {
                Segment record = records.get(dataset, segment);
                if (record != null && change.equals(record.replacedBy())) {
                    records.delete(edits, dataset, segment);
                }
            }
        });
        // who finds one of them finds all of them
        String hidden = layout.replacedDir(dataset.id(), DELETED + change);
        LockSteps.write(
                system, "mpsrDeleteReplaced", List.of(directory), (edits, some) -> edits.rename(directory, hidden));
        deletion.all("mpsrDeleteReplaced", hidden);
        counters.add(Counter.EXPIRED_REPLACED, files[0]);
        LOG.info("MPSR: deleted {} files of {} which change {} had replaced", files[0], dataset.path(), change);
    }
}
