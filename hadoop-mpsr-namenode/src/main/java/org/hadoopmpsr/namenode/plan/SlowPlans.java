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
package org.hadoopmpsr.namenode.plan;

import java.io.IOException;
import java.util.List;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.SlowNodes;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;

/** What plans cost whose files lie on DataNodes that HDFS reports as slow. */
final class SlowPlans {
    private final FileBlocks fileBlocks;
    private final SlowReads slowReads;
    private final Counters counters;

    SlowPlans(FileBlocks fileBlocks, SlowReads slowReads, Counters counters) {
        this.fileBlocks = fileBlocks;
        this.slowReads = slowReads;
        this.counters = counters;
    }

    /** What the plan costs now. */
    SlowPlan of(PlanPage page, WorkLimit limit) throws IOException {
        SlowNodes nodes = slowReads.isNone() ? SlowNodes.NONE : fileBlocks.slowNodes();
        if (nodes.isEmpty()) {
            return notLookedAt(page);
        }
        Plan plan = page.plan();
        List<PlannedFile> slow = PlannedFile.those(
                plan, fileBlocks.beside(nodes, plan.files(), limit), (group, file) -> !file.isReadable());
        long slowBytes =
                slow.stream().mapToLong(file -> file.file().file().length()).sum();
        long bytes = plan.files().stream().mapToLong(DataFile::length).sum();
        return new SlowPlan(page, slow, slowReads.costMs(costMs(plan), slowBytes, bytes));
    }

    /** What the plan costs if no DataNode is slow. */
    SlowPlan notLookedAt(PlanPage page) {
        return new SlowPlan(page, List.of(), costMs(page.plan()));
    }

    private static double costMs(Plan plan) {
        return plan.candidates().stream()
                .filter(candidate -> candidate.group().equals(plan.group()))
                .mapToDouble(Candidate::costMs)
                .sum();
    }

    /** The cheaper one of the plan that was made first and of the one beside slow DataNodes. */
    SlowPlan sooner(SlowPlan first, SlowPlan beside) {
        if (beside.costMs() >= first.costMs()) {
            return first;
        }
        counters.increment(Counter.AVOIDED_SLOW);
        return beside;
    }
}
