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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.history.DatasetHistory;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.segment.HistoryRetention;
import org.jspecify.annotations.Nullable;

/** Tells the history of datasets to users who may read all of a dataset. Thread-safe. */
public final class HistoryInfos {
    private static final String CALL = "mpsrGetHistory";
    private static final int PAGE = 1_000;

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final DatasetLocks locks;
    private final Histories histories;
    private final HistoryRetention retention;

    public HistoryInfos(
            MpsrNamesystem system,
            Datasets datasets,
            DatasetReaders readers,
            DatasetLocks locks,
            Histories histories,
            HistoryRetention retention) {
        this.system = system;
        this.datasets = datasets;
        this.readers = readers;
        this.locks = locks;
        this.histories = histories;
        this.retention = retention;
    }

    /**
     * A change of which something is left.
     *
     * @param id null if nothing tells
     * @param added the records that it brought, by segment
     * @param removed the records that it removed
     * @param readable true if the state that it left can be read
     */
    public record Change(
            long sequence, long timeMs, @Nullable String id, Sum added, Sum removed, boolean readable) {}

    /** How many segments with how many records. */
    public record Sum(long segments, long records) {
        private static final Sum NONE = new Sum(0, 0);

        private Sum plus(long more) {
            return new Sum(segments + 1, records + more);
        }
    }

    /**
     * A page of the history.
     *
     * @param counted false if the dataset does not count its changes
     * @param keptSeconds for how long replaced files are kept
     * @param changes the last one first
     */
    public record Page(
            String datasetId,
            boolean counted,
            DatasetHistory history,
            long keptSeconds,
            List<Change> changes,
            boolean more) {}

    /**
     * Tells the history.
     *
     * @param before changes before this one are told
     */
    public Page page(String path, long before) throws IOException {
        system.checkActive();
        DatasetRecord dataset = datasets.require(CALL, path, FsAction.READ_EXECUTE);
        readers.check(CALL, dataset);
        Histories.Known known = locks.look(dataset, () -> histories.of(dataset));
        DatasetHistory history = known.history();
        NavigableMap<Long, Long> told = history.times().headMap(before, false).descendingMap();
        List<Change> changes = new ArrayList<>();
        for (Map.Entry<Long, Long> change : told.entrySet()) {
            if (changes.size() == PAGE) {
                break;
            }
            changes.add(change(known, change.getKey(), change.getValue()));
        }
        return new Page(
                dataset.id(),
                known.counted(),
                history,
                retention.keptSeconds(history.kept()),
                changes,
                changes.size() < told.size());
    }

    private static Change change(Histories.Known known, long sequence, long timeMs) {
        Sum added = Sum.NONE;
        Sum removed = Sum.NONE;
        String id = null;
        for (Segment segment : known.segments()) {
            if (segment.since() == sequence) {
                added = added.plus(records(segment));
                id = Histories.changeOf(segment);
            }
            if (segment.until() == sequence) {
                removed = removed.plus(records(segment));
                id = segment.replacedBy();
            }
        }
        return new Change(sequence, timeMs, id, added, removed, known.history().isReadable(sequence));
    }

    private static long records(Segment segment) {
        return segment.groups().values().stream()
                .mapToLong(group -> group.content().count())
                .max()
                .orElse(0);
    }
}
