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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.FileTasks;
import org.hadoopmpsr.core.cost.Work;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;

/** The files of one group that a plan may read, and what it costs to read them. For one thread. */
final class FileTally {
    private final ReplicaGroup group;
    private final CostModel costs;
    private final List<DataFile> files = new ArrayList<>();
    /** The files to read, kept for a reader that runs many tasks. */
    private final List<FileTasks.Piece> reads = new ArrayList<>();

    private Work work = Work.NONE;
    private double rows;
    private double leadValues;

    FileTally(ReplicaGroup group, CostModel costs) {
        this.group = group;
        this.costs = costs;
    }

    void add(DataFile file, Work read) {
        FileStatistics statistics = file.statistics();
        add(file.withoutColumns(), read, statistics.different(group.lead().column()));
    }

    /** @param different the number of different values that the file has in the group's lead column */
    void add(DataFile file, Work read, double different) {
        files.add(file);
        work = work.plus(read);
        rows += file.statistics().rows();
        leadValues += different;
        if (costs.parallelism() > 1) {
            reads.add(new FileTasks.Piece(file.length(), costs.workMs(read, codec())));
        }
    }

    Work work() {
        return work;
    }

    /** The estimated milliseconds to read all files. */
    double costMs() {
        return costs.parallelism() == 1 ? costs.workMs(work, codec()) : FileTasks.doneMs(reads, costs.parallelism());
    }

    /** A lower limit of {@link #costMs}, which stays a limit when more files are added. */
    double leastMs() {
        return costs.leastMs(work, codec());
    }

    /** The files, without column statistics. */
    List<DataFile> files() {
        return files;
    }

    private Codec.Kind codec() {
        return group.codec().ofGroup().kind();
    }

    /** The number of segments that the files belong to. */
    private int segments() {
        Set<String> ids = new HashSet<>();
        files.forEach(file -> ids.add(file.statistics().commitId()));
        return ids.size();
    }

    /** The part of a plan that reads the files, which are those of the segments. */
    PlanPart part(Segments segments) {
        // records with one value do not follow each other where they are sorted by bits
        boolean isKnown = !files.isEmpty() && group.lead().isColumn();
        long leadRows = isKnown ? Math.round(rows / leadValues) : 0;
        return new PlanPart(group.name(), segments, segments.isAll() ? 0 : segments(), files, leadRows);
    }
}
