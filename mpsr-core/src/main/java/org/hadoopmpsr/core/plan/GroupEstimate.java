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
import java.util.List;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.Work;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.MissingSegments;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The estimate of what a filter leaves of one representation: first of the partitions, then of their files. For one
 * thread.
 */
final class GroupEstimate {
    /** The number of files that are evaluated before a group is given up as too expensive. */
    private static final int PATIENCE = 1_000;

    private final GroupFiles offered;
    private final Filter filter;
    private final Pruner pruner;
    private final WorkEstimate estimate;
    private final WorkLimit limit;
    private final Segments segments;
    private final List<PartitionFiles> partitions = new ArrayList<>();
    private final FileTally tally;
    private double costMs;
    private boolean givenUp;
    private @Nullable String excluded;
    private @Nullable Candidate whole;

    GroupEstimate(
            Schema schema,
            GroupFiles offered,
            ReadRequest readRequest,
            Conditions conditions,
            CostModel costs,
            WorkLimit limit) {
        this.limit = limit;
        this.offered = offered;
        this.filter = readRequest.filter();
        this.pruner = new Pruner(schema, offered.group().predicates());
        RowEstimate rows = new RowEstimate(offered.group().sortKeys(schema), conditions);
        this.estimate = new WorkEstimate(
                schema,
                readRequest.columns(),
                new ColumnPrices(schema, offered.group().transforms(), readRequest),
                rows);
        this.tally = new FileTally(offered.group(), costs.forLocalShare(offered.localShare()));
        this.segments = Segments.except(offered.missing().ids());
        this.excluded = offered.unusable();
        if (isUsable()) {
            for (PartitionFiles partition : segments.of(offered.partitions())) {
                limit.spend(1);
                FileStatistics summary = partition.summary();
                if (summary == null || pruner.mayMatch(filter, summary)) {
                    partitions.add(partition);
                }
            }
        }
    }

    ReplicaGroup group() {
        return offered.group();
    }

    double localShare() {
        return offered.localShare();
    }

    boolean isUsable() {
        return excluded == null;
    }

    /** An upper limit of the number of files: all files of the partitions that are left. */
    int mayRead() {
        return partitions.stream().mapToInt(PartitionFiles::atMost).sum();
    }

    /**
     * Evaluates the files.
     *
     * @param limitMs the cost in milliseconds above which the evaluation may stop
     * @return the result
     */
    Candidate lookAtFiles(double limitMs) {
        int seen = 0;
        for (PartitionFiles partition : partitions) {
            for (DataFile file : partition.files()) {
                limit.spend(1);
                if (pruner.mayMatch(filter, file.statistics())) {
                    tally.add(file, estimate.of(file));
                }
                if (++seen % PATIENCE == 0 && tally.leastMs() > limitMs) {
                    givenUp = true;
                    costMs = tally.leastMs();
                    return candidate();
                }
            }
        }
        costMs = tally.costMs();
        return candidate();
    }

    /** The segments that the group cannot serve. */
    MissingSegments missing() {
        return offered.missing();
    }

    /** From now on the group cannot be chosen, for this reason. */
    void exclude(String reason) {
        excluded = reason;
    }

    /** From now on this is the result: with what other groups have to give. */
    void complete(Candidate all) {
        whole = all;
    }

    /** The result so far; for a group that must not be read, the reason. */
    Candidate candidate() {
        if (whole != null && excluded == null) {
            return whole;
        }
        Work work = tally.work();
        return new Candidate(
                group().name(),
                work.files(),
                (long) work.bytes(),
                costMs,
                givenUp,
                missing().ids().size(),
                excluded);
    }

    /** The group's own files, of the segments that it can serve. */
    PlanPart part() {
        return tally.part(segments);
    }
}
