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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Says how long replaced files are kept for readers of earlier states, and writes down which states cannot be read any more before files
 * of them are deleted. Thread-safe.
 */
public final class HistoryRetention {
    private final MpsrNamesystem system;
    private final SegmentRecords records;
    private final HistoryRecords history;
    private final long delaySeconds;
    private final long historySeconds;
    /** What tagged states need, by dataset and change, with the record that says so: no file is visited again for it. */
    private final Map<String, HistoryRecord> needed = new ConcurrentHashMap<>();

    /**
     * @param delaySeconds how long readers need that planned before a change
     * @param historySeconds how long replaced files are kept where the dataset does not say it
     */
    public HistoryRetention(
            MpsrNamesystem system,
            SegmentRecords records,
            HistoryRecords history,
            long delaySeconds,
            long historySeconds) {
        this.system = system;
        this.records = records;
        this.history = history;
        this.delaySeconds = delaySeconds;
        this.historySeconds = historySeconds;
    }

    /** For how many seconds replaced files of a dataset are kept. */
    public long keptSeconds(@Nullable HistoryRecord record) {
        long wanted = record == null || record.keptSeconds() < 0 ? historySeconds : record.keptSeconds();
        return Math.max(delaySeconds, wanted);
    }

    /** For how many milliseconds readers need files that planned before they were replaced. */
    long delayMs() {
        return TimeUnit.SECONDS.toMillis(delaySeconds);
    }

    /** For how many milliseconds replaced files of a dataset are kept. Needs the read lock. */
    long keptMs(DatasetRecord dataset) throws IOException {
        return TimeUnit.SECONDS.toMillis(keptSeconds(history.get(dataset)));
    }

    /**
     * Makes the record of a dataset that has none. Nobody knows what an older MPSR has deleted: its history begins now.
     *
     * @return false if nobody knows what is to be kept, because the record cannot be read
     */
    boolean begin(DatasetRecord dataset) throws IOException {
        try {
            if (system.read(() -> records.areKept(dataset) && history.get(dataset) == null)) {
                long last = records.last(dataset);
                system.write("mpsrKeepHistory", edits -> {
                    if (history.get(dataset) == null) {
                        history.put(edits, dataset, HistoryRecord.from(last));
                    }
                    return true;
                });
            }
            return true;
        } catch (UnreadableRecordException e) {
            return false;
        }
    }

    /** True if it is known already that a tagged state needs the replaced files of a change. */
    boolean isNeeded(DatasetRecord dataset, String change) throws IOException {
        HistoryRecord known = needed.get(dataset.id() + "/" + change);
        return known != null && known.equals(system.read(() -> history.get(dataset)));
    }

    /**
     * From here on nobody reads a state that needs the replaced files of a change.
     *
     * @param segments the ids of the segments of these files
     * @param tagged to let go also what tagged states need, with the tags
     * @return false if a tagged state needs them
     */
    boolean leave(DatasetRecord dataset, String change, Set<String> segments, boolean tagged) throws IOException {
        long since = Long.MAX_VALUE;
        long until = 0;
        for (String id : segments) {
            Segment segment = system.read(() -> records.get(dataset, id));
            if (segment != null && change.equals(segment.replacedBy())) {
                since = Math.min(since, segment.since());
                until = Math.max(until, segment.until());
            }
        }
        String key = dataset.id() + "/" + change;
        long from = since;
        long to = until;
        boolean left = to == 0 // a rebuild: the segments stay
                || system.write("mpsrKeepHistory", edits -> {
                    HistoryRecord known = history.get(dataset);
                    HistoryRecord kept = known == null ? HistoryRecord.from(to) : known;
                    if (!tagged && kept.needs(from, to)) {
                        needed.put(key, kept);
                        return false;
                    }
                    history.put(edits, dataset, kept.without(to).withoutTags(from, to));
                    return true;
                });
        if (left) {
            needed.remove(key);
        }
        return left;
    }
}
