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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.history.DatasetHistory;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.history.UnknownStateException;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.segment.HistoryRecords;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.Namespace;

/** Tells what is known of the changes of datasets: what the records of segments and the replaced files say. Thread-safe. */
public final class Histories {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final SegmentRecords segments;
    private final HistoryRecords records;

    public Histories(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            SegmentRecords segments,
            HistoryRecords records) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.segments = segments;
        this.records = records;
    }

    /**
     * What is known of a dataset.
     *
     * @param counted false if the dataset does not count its changes: it has its present state alone
     * @param segments the records of segments, current and removed
     */
    record Known(DatasetHistory history, boolean counted, List<Segment> segments) {

        /**
         * The number of the change that left a state.
         *
         * @throws UnknownStateException if there is no such state, or what it had is deleted
         */
        long resolve(AsOf wanted, long nowMs) throws UnknownStateException {
            try {
                return history.resolve(wanted, nowMs);
            } catch (UnknownStateException e) {
                throw counted
                        ? e
                        : new UnknownStateException(e.getMessage()
                                + "; the dataset counts its changes from its first merge, delete or tag on");
            }
        }
    }

    /** The changes of a dataset, and which of its states are kept; as {@link #of}. */
    public DatasetHistory history(DatasetRecord dataset) throws IOException {
        return of(dataset).history();
    }

    /** Takes the read lock in short holds. Of changes that are published meanwhile some may be known. */
    Known of(DatasetRecord dataset) throws IOException {
        boolean counted = system.read(() -> segments.areKept(dataset));
        long last = segments.last(dataset);
        List<Segment> all = segments.all(dataset);
        Map<String, Long> replaced = system.read(() -> replaced(dataset));
        // last: it is written before files and records of segments are deleted, and then says so
        HistoryRecord record = system.read(() -> records.get(dataset));
        HistoryRecord kept = record == null ? HistoryRecord.from(last) : record;
        for (Segment segment : all) {
            // what an older MPSR has deleted
            if (isRewritten(segment) && !replaced.containsKey(changeOf(segment))) {
                kept = kept.without(segment.since());
            }
        }
        return new Known(new DatasetHistory(last, times(all, replaced), kept), counted, all);
    }

    /** True if the change that brought the segment has removed others. */
    private static boolean isRewritten(Segment segment) {
        return segment.last() < segment.since();
    }

    private static NavigableMap<Long, Long> times(List<Segment> all, Map<String, Long> replaced) {
        NavigableMap<Long, Long> times = new TreeMap<>();
        for (Segment segment : all) {
            if (segment.since() > 0) {
                times.put(segment.since(), segment.timeMs());
            }
        }
        for (Segment segment : all) {
            Long moved = segment.replacedBy() == null ? null : replaced.get(segment.replacedBy());
            if (moved != null) {
                times.putIfAbsent(segment.until(), moved); // of a change that has left no record
            }
        }
        return times;
    }

    /** When the files of changes were moved out, by the id of the change; without those that are being deleted. Needs the read lock. */
    private Map<String, Long> replaced(DatasetRecord dataset) throws IOException {
        Map<String, Long> times = new HashMap<>();
        for (INode change : namespace.children(layout.replacedDir(dataset.id()))) {
            if (!change.getLocalName().startsWith(".")) {
                long newest = change.getModificationTime();
                for (INode child : Namespace.children(change)) {
                    newest = Math.max(newest, child.getModificationTime());
                }
                times.put(change.getLocalName(), newest);
            }
        }
        return times;
    }

    /** The id of the change that brought a segment. */
    static String changeOf(Segment segment) {
        return KeptSegment.changeOf(segment.id());
    }
}
