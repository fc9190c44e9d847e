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
package org.hadoopmpsr.core.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.Work;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * The estimate of what a filter leaves in one representation of each of some segments. Evaluates the files of these segments
 * once. For one thread.
 */
final class SegmentEstimate {
    private final ReplicaGroup group;
    private final Set<String> served;
    private final CostModel costs;
    private final List<Found> found = new ArrayList<>();
    private final Map<String, Work> bySegment = new HashMap<>();

    /** A file to read, without column statistics. */
    private record Found(DataFile file, Work work, double different) {
        String segment() {
            return file.statistics().commitId();
        }
    }

    /** @param wanted the ids of the segments */
    SegmentEstimate(
            Schema schema,
            GroupFiles offered,
            ReadRequest readRequest,
            Conditions conditions,
            CostModel costs,
            WorkLimit limit,
            Set<String> wanted) {
        this.group = offered.group();
        this.costs = costs.forLocalShare(offered.localShare());
        this.served = new HashSet<>(wanted);
        this.served.removeAll(offered.missing().ids());
        Pruner pruner = new Pruner(schema, group.predicates());
        RowEstimate rows = new RowEstimate(group.sortKeys(schema), conditions);
        WorkEstimate estimate = new WorkEstimate(
                schema, readRequest.columns(), new ColumnPrices(schema, group.transforms(), readRequest), rows);
        for (PartitionFiles partition : Segments.only(served).of(offered.partitions())) {
            limit.spend(1);
            FileStatistics summary = partition.summary();
            if (summary == null || pruner.mayMatch(readRequest.filter(), summary)) {
                limit.spend(partition.atMost());
                for (DataFile file : partition.files()) {
                    if (pruner.mayMatch(readRequest.filter(), file.statistics())) {
                        add(file, estimate.of(file));
                    }
                }
            }
        }
    }

    private void add(DataFile file, Work work) {
        Found kept = new Found(
                file.withoutColumns(),
                work,
                file.statistics().different(group.lead().column()));
        found.add(kept);
        bySegment.merge(kept.segment(), work, Work::plus);
    }

    String name() {
        return group.name();
    }

    /** True if the group has all records of the segment. */
    boolean serves(String segment) {
        return served.contains(segment);
    }

    /** The milliseconds to read a segment, with one task at a time; 0 if the filter leaves none of its files. */
    double costMs(String segment) {
        return costs.workMs(
                bySegment.getOrDefault(segment, Work.NONE),
                group.codec().ofGroup().kind());
    }

    /** The files of some segments that the group serves. */
    FileTally tally(Set<String> segments) {
        FileTally tally = new FileTally(group, costs);
        found.stream()
                .filter(f -> segments.contains(f.segment()))
                .forEach(f -> tally.add(f.file(), f.work(), f.different()));
        return tally;
    }
}
