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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.BlockProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CandidateProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * A plan with the blocks of its files, to be answered page by page.
 *
 * @param blocks of each file of the plan
 */
record PlanPage(Plan plan, List<List<BlockProto>> blocks) {
    private static final int PAGE_FILES = 5_000;
    private static final int MAX_GROUPS = 64;

    /** @throws IOException when the page belongs to a plan of another generation */
    PlanResponseProto response(StoreLayout layout, DatasetRecord dataset, DatasetIndex index, PlanRequestProto request)
            throws IOException {
        long generation = generation(dataset, index);
        if (request.hasGeneration() && request.getGeneration() != generation) {
            throw new IOException(
                    "the dataset " + dataset.path() + " or its plan changed between two pages of the plan; plan again");
        }
        int from = Math.min(request.getOffset(), plan.files().size());
        int to = Math.min(from + PAGE_FILES, plan.files().size());
        GroupIndex defaultFiles = index.group(dataset.defaultGroup());
        PlanResponseProto.Builder response = PlanResponseProto.newBuilder()
                .setDataset(true)
                .setStock(plan.stock())
                .setGroup(plan.group())
                .setRoot(dataset.root(layout, plan.group()))
                .setReason(plan.reason())
                .setGeneration(generation)
                .setLastPage(to == plan.files().size())
                .setDefaultFiles(defaultFiles.files())
                .setDefaultBytes(defaultFiles.bytes())
                .setDefinition(dataset.definition());
        plan.candidates().forEach(c -> {
            CandidateProto.Builder candidate = CandidateProto.newBuilder()
                    .setGroup(c.group())
                    .setFiles(c.files())
                    .setBytes(c.bytes())
                    .setCostMs(c.costMs())
                    .setAtLeast(c.atLeast());
            if (c.excluded() != null) {
                candidate.setExcluded(c.excluded());
            }
            response.addCandidate(candidate);
        });
        for (int i = from; i < to; i++) {
            response.addFile(file(plan.files().get(i), blocks.get(i)));
        }
        return response.build();
    }

    /** Also differs with the group, so that no two pages of one answer come from different groups. */
    private long generation(DatasetRecord dataset, DatasetIndex index) {
        int choice = plan.stock() ? 0 : 1 + dataset.groups().names().indexOf(plan.group());
        return index.generation() * MAX_GROUPS + choice % MAX_GROUPS;
    }

    private static PlannedFileProto file(DataFile file, List<BlockProto> blocks) {
        return PlannedFileProto.newBuilder()
                .setPath(file.path())
                .setLength(file.length())
                .setModificationTime(file.modificationTime())
                .setRows(file.statistics().rows())
                .addAllBlock(blocks)
                .build();
    }
}
