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
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.jspecify.annotations.Nullable;

/** What a request for a page of a plan is answered with. */
public sealed interface PlanAnswer {

    /** No dataset is at the path. */
    record NoDataset() implements PlanAnswer {}

    /** The plan that the caller keeps would be made again. */
    record Unchanged() implements PlanAnswer {}

    /**
     * Some of the planned files.
     *
     * @param files with all that is known of their columns where columns were asked for
     * @param next where the next page starts, or {@link FilePage#END}
     */
    record Files(List<LocatedFile> files, long next) {}

    /**
     * The first page, with what holds for all.
     *
     * @param root the directory of the planned group's files
     * @param reason why this group was chosen
     * @param generation what the pages of one plan have in common
     * @param totals how much there is of the default representation in the state that is read
     * @param token that stands for all that the plan depends on, or null when it is not to be kept
     */
    record First(
            DatasetRecord dataset,
            Plan plan,
            String root,
            String reason,
            long generation,
            FileTotals totals,
            @Nullable ByteString token,
            Files files)
            implements PlanAnswer {}

    /** A page after the first. */
    record Further(long generation, Files files) implements PlanAnswer {}
}
