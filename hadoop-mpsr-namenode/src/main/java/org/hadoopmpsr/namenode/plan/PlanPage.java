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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.PlanPart;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.jspecify.annotations.Nullable;

/**
 * A plan with the blocks of its files, which is answered page by page.
 *
 * @param files the files of the plan, part by part
 * @param token a token for everything that the plan depends on, or null if the plan must not be kept
 */
record PlanPage(
        Plan plan, List<LocatedFile> files, @Nullable ByteString token) {
    /** The maximum number of files in a page. */
    static final int FILES = 5_000;

    /** @param union the number of the choice of groups; empty if all segments come from the chosen group */
    PlanAnswer.First first(
            StoreLayout layout,
            DatasetRecord dataset,
            DatasetState seen,
            PlanRequest request,
            OptionalLong union,
            PageRules rules) {
        return new PlanAnswer.First(
                dataset,
                plan,
                plan.parts().stream()
                        .map(part -> dataset.root(layout, part.group()))
                        .toList(),
                plan.reason() + seen.note(),
                generation(dataset, seen.index(), plan.stock() ? null : plan.group()),
                seen.totals(),
                plan.stock() ? List.of() : seen.ordinary().added(),
                token,
                union,
                seen.past() == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(seen.past().sequence()),
                firstFiles(dataset, seen, request, rules));
    }

    /**
     * The first page's files. A plan lacks column statistics, and the position among the pruned files where its first
     * page ends.
     */
    private PlanAnswer.Files firstFiles(
            DatasetRecord dataset, DatasetState seen, PlanRequest request, PageRules rules) {
        boolean whole = files.size() <= request.mostFiles() && rules.fitting(files) == files.size();
        if (plan.stock()) {
            return PlanAnswer.Files.NONE;
        }
        if (whole && request.columns().isEmpty()) {
            return new PlanAnswer.Files(byPart(), 0, FilePage.END);
        }
        FilePage page = rules.files(dataset, seen, PartSource.of(plan.parts().get(0)), request, 0);
        List<LocatedFile> located = new ArrayList<>();
        for (DataFile file : page.files()) {
            located.add(new LocatedFile(file, files.get(located.size()).blocks()));
        }
        return rules.answer(0, plan.parts().size(), page, located);
    }

    private List<PlanAnswer.PartFiles> byPart() {
        List<PlanAnswer.PartFiles> parts = new ArrayList<>();
        int from = 0;
        for (PlanPart part : plan.parts()) {
            int to = from + part.files().size();
            parts.add(new PlanAnswer.PartFiles(parts.size(), files.subList(from, to)));
            from = to;
        }
        return parts;
    }

    /** True if all segments come from the chosen group. */
    boolean isOfOneGroup() {
        return !plan.isUnion() && plan.parts().get(0).segments().isAll();
    }

    /**
     * The number that all pages of one answer share. It also differs between groups.
     *
     * @param group the group that is read, or null for a read as without MPSR
     */
    static long generation(DatasetRecord dataset, DatasetIndex index, @Nullable String group) {
        int choice = group == null ? 0 : 1 + dataset.groups().names().indexOf(group);
        return index.generation() * ReadPlan.MAX_GROUPS + choice % ReadPlan.MAX_GROUPS;
    }

    /** The generation of the index for the pages of a generation. */
    static long indexGeneration(long generation) {
        return generation / ReadPlan.MAX_GROUPS;
    }

    /** The group of the pages of a generation, or null if the pages show another state of the dataset. */
    static @Nullable String group(DatasetRecord dataset, DatasetIndex index, long generation) {
        return dataset.groups().names().stream()
                .filter(g -> generation(dataset, index, g) == generation)
                .findFirst()
                .orElse(null);
    }
}
