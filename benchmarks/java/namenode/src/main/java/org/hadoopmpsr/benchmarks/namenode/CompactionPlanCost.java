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
package org.hadoopmpsr.benchmarks.namenode;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.compact.CompactionOptions;
import org.hadoopmpsr.client.compact.SegmentList;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.CompactionPlanner;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.Merge;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * What it takes to plan the compaction of small files: the list of segments, the plan of all rounds, and the files of the
 * first merge, in all groups. All that the thread allocates is more than what it holds at any time.
 */
final class CompactionPlanCost {
    private static final long BLOCK_BYTES = 128L << 20;
    private static final int MOST_FILES = 10_000;
    private static final double MB = 1 << 20;

    private CompactionPlanCost() {}

    static void measure(MpsrClient client, Dataset dataset, Report report) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        List<HeldSegment> segments = SegmentList.of(client, dataset.path());
        List<Merge> merges =
                CompactionPlanner.rounds(segments, CompactionOptions.DEFAULT.rules(BLOCK_BYTES, MOST_FILES)).stream()
                        .map(CompactionPlan::merges)
                        .flatMap(List::stream)
                        .toList();
        report.figure("planning.compaction", (System.nanoTime() - start) / 1e6, "ms");
        List<DataFile> files = new ArrayList<>();
        if (!merges.isEmpty()) {
            List<String> first =
                    merges.get(0).segments().stream().map(HeldSegment::id).toList();
            for (String group : dataset.groups().names()) {
                files.addAll(client.segmentFiles(dataset.path(), group, first));
            }
        }
        report.figure("planning.compaction.files", files.size(), "files");
        report.figure(
                "planning.compaction.memory",
                List.of((threads.getCurrentThreadAllocatedBytes() - allocated) / MB),
                "MB",
                Goal.atMost(1_000));
    }
}
