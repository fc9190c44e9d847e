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
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;

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
    private final CostModel costs;
    private final WorkLimit limit;
    private final List<PartitionFiles> partitions = new ArrayList<>();
    private final List<DataFile> files = new ArrayList<>();
    /** The files to read, kept for a reader that runs many tasks. */
    private final List<FileTasks.Piece> reads = new ArrayList<>();

    private Work work = Work.NONE;
    private double costMs;
    private double rows;
    private double leadValues;
    private boolean givenUp;

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
        RowEstimate rows = new RowEstimate(offered.group().sortColumns(schema), conditions);
        this.estimate = new WorkEstimate(schema, readRequest.columns(), rows);
        this.costs = costs.forLocalShare(offered.localShare());
        if (isUsable()) {
            for (PartitionFiles partition : offered.partitions()) {
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
        return offered.unusable() == null;
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
                    files.add(file.withoutColumns());
                    add(file.length(), estimate.of(file));
                    rows += file.statistics().rows();
                    leadValues += file.statistics().different(group().leadColumn());
                }
                if (++seen % PATIENCE == 0 && costs.leastMs(work, codec()) > limitMs) {
                    givenUp = true;
                    costMs = costs.leastMs(work, codec());
                    return candidate();
                }
            }
        }
        costMs = costs.parallelism() == 1 ? costs.workMs(work, codec()) : FileTasks.doneMs(reads, costs.parallelism());
        return candidate();
    }

    private void add(long length, Work read) {
        work = work.plus(read);
        if (costs.parallelism() > 1) {
            reads.add(new FileTasks.Piece(length, costs.workMs(read, codec())));
        }
    }

    /** About how many records of the files have the same value in the lead column, on average; 0 without files. */
    long leadRows() {
        return files.isEmpty() ? 0 : Math.round(rows / leadValues);
    }

    private Codec.Kind codec() {
        return group().codec().kind();
    }

    /** The result so far; for a group that must not be read, the reason. */
    Candidate candidate() {
        return new Candidate(group().name(), work.files(), (long) work.bytes(), costMs, givenUp, offered.unusable());
    }

    /** The files that may hold matching records, without column statistics, because there may be many files. */
    List<DataFile> files() {
        return files;
    }
}
