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

import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.jspecify.annotations.Nullable;

/** The answer to a request for a page of a plan. */
public sealed interface PlanAnswer {

    /** There is no dataset at the path. */
    record NoDataset() implements PlanAnswer {}

    /** The plan that the caller keeps would be made again. */
    record Unchanged() implements PlanAnswer {}

    /**
     * Some of the planned files.
     *
     * @param parts the files by the part of the plan
     * @param nextPart the part that the next page is of; 0 if there is none
     * @param next the start of the next page in its part, or {@link FilePage#END}
     */
    record Files(List<PartFiles> parts, int nextPart, long next) {
        /** The answer without files. */
        static final Files NONE = new Files(List.of(), 0, FilePage.END);
    }

    /**
     * Files of one part of a plan.
     *
     * @param number the place of the part in the plan
     * @param files with the known statistics of the columns that were requested
     */
    record PartFiles(int number, List<LocatedFile> files) {}

    /**
     * The first page, with the common properties of all pages.
     *
     * @param roots for each part of the plan the directory of the group's files
     * @param reason the reason for the choice of this group
     * @param generation the number that all pages of one plan share
     * @param totals the totals of the default representation in the state that is read, or null if the caller is not told
     * @param untracked the paths of the files of the default group that came without a commit, if the reader asked for them
     * @param token a token for everything that the plan depends on, or null if the plan must not be kept
     * @param union the number of the choice of groups; empty if all segments come from the chosen group
     * @param asOf the number of the change after which the dataset was as it is planned; empty if no earlier state was asked for
     */
    record First(
            DatasetRecord dataset,
            Plan plan,
            List<String> roots,
            String reason,
            long generation,
            @Nullable FileTotals totals,
            List<String> untracked,
            @Nullable ByteString token,
            OptionalLong union,
            OptionalLong asOf,
            Files files)
            implements PlanAnswer {

        /** A plan that leaves the reader on the default representation, and tells nothing of its files. */
        static First untold(StoreLayout layout, DatasetRecord dataset, String reason) {
            Plan plan = Planner.stock(dataset.defaultGroup(), List.of(), reason);
            String root = dataset.root(layout, plan.group());
            return new First(
                    dataset,
                    plan,
                    List.of(root),
                    reason,
                    0,
                    null,
                    List.of(),
                    null,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    Files.NONE);
        }
    }

    /** A page after the first. */
    record Further(long generation, Files files) implements PlanAnswer {}
}
