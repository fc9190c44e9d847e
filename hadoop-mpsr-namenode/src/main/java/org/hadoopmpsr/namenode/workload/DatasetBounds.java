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
package org.hadoopmpsr.namenode.workload;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.PartitionIndex;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a dataset's columns, from which the share of a range is told. They are read from some of the files, at most once in a
 * minute, and are therefore about right only. Takes no lock of HDFS. Thread-safe.
 */
final class DatasetBounds {
    /** For how long bounds are kept. */
    private static final long KEPT_NS = TimeUnit.MINUTES.toNanos(1);
    /** The most partitions that are looked at, at even distances. */
    private static final int MOST_PARTITIONS = 1_000;

    private final Timer clock;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    DatasetBounds(Timer clock) {
        this.clock = clock;
    }

    private record Known(long generation, long readNs, Map<String, ColumnStatistics> columns) {}

    /** The statistics of a column, by its name without regard to case; of an unknown one, nothing is known. */
    ColumnStatistics of(DatasetRecord dataset, DatasetIndex index, String column) {
        long now = clock.monotonicNowNanos();
        Known bounds = known.get(dataset.id());
        boolean holds =
                bounds != null && (bounds.generation() == index.generation() || now - bounds.readNs() < KEPT_NS);
        if (!holds || bounds == null) {
            bounds = new Known(index.generation(), now, read(dataset, index));
            known.put(dataset.id(), bounds);
        }
        return bounds.columns().getOrDefault(column.toLowerCase(Locale.ROOT), ColumnStatistics.UNKNOWN);
    }

    private static Map<String, ColumnStatistics> read(DatasetRecord dataset, DatasetIndex index) {
        FileStatistics all = null;
        List<PartitionIndex> partitions =
                List.copyOf(index.group(dataset.defaultGroup()).partitions());
        int looks = Math.min(MOST_PARTITIONS, partitions.size());
        for (int look = 0; look < looks; look++) {
            FileStatistics its = statistics(partitions.get((int) ((long) look * partitions.size() / looks)));
            if (its != null) {
                all = all == null ? its : all.union(its);
            }
        }
        return all == null ? Map.of() : bounds(all);
    }

    /** The common statistics of a partition's files: of those that it keeps, or of its few files. */
    private static @Nullable FileStatistics statistics(PartitionIndex partition) {
        FileStatistics summary = partition.summary();
        if (summary != null) {
            return summary;
        }
        FileStatistics all = null;
        for (DataFile file : partition.files()) {
            all = all == null ? file.statistics() : all.union(file.statistics());
        }
        return all;
    }

    /** The bounds alone: filters of values are large. */
    private static Map<String, ColumnStatistics> bounds(FileStatistics all) {
        Map<String, ColumnStatistics> bounds = new HashMap<>();
        all.columns().forEach((name, column) -> {
            if (column.min() != null && column.max() != null) {
                bounds.put(name, new ColumnStatistics(column.min(), column.max(), -1));
            }
        });
        return bounds;
    }

    /** Forgets all datasets but these. */
    void retain(Set<String> ids) {
        known.keySet().retainAll(ids);
    }
}
