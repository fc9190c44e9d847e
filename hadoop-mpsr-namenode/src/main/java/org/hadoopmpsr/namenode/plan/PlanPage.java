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
import org.hadoopmpsr.client.wire.FilterWire;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.client.proto.MpsrProtos.BlockProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CandidateProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.GroupFiles;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.jspecify.annotations.Nullable;

/**
 * A plan with the blocks of its files, which is answered page by page.
 *
 * @param blocks the blocks of each file of the plan
 * @param token a token for everything that the plan depends on, or null if the plan must not be kept
 */
record PlanPage(
        Plan plan, List<List<BlockProto>> blocks, @Nullable ByteString token) {
    /** The maximum number of files in a page. */
    static final int FILES = 5_000;

    PlanResponseProto first(StoreLayout layout, DatasetRecord dataset, SeenState seen, PlanRequestProto request) {
        PlanResponseProto.Builder response = PlanResponseProto.newBuilder()
                .setDataset(true)
                .setStock(plan.stock())
                .setGroup(plan.group())
                .setRoot(dataset.root(layout, plan.group()))
                .setReason(plan.reason() + seen.note())
                .setGeneration(generation(dataset, seen.index(), plan.stock() ? null : plan.group()))
                .setDefaultFiles(seen.totals().files())
                .setDefaultBytes(seen.totals().bytes())
                .setDefaultFingerprint(seen.totals().fingerprint())
                .setDefinition(dataset.definition())
                .setLeadRows(plan.leadRows());
        plan.candidates().forEach(c -> response.addCandidate(candidate(c)));
        if (token != null) {
            response.setToken(token);
        }
        add(response, firstFiles(dataset, seen, request), blocks, request);
        return response.build();
    }

    /**
     * The first page's files. A plan lacks column statistics, and the position among the pruned files where its first
     * page ends.
     */
    private FilePage firstFiles(DatasetRecord dataset, SeenState seen, PlanRequestProto request) {
        boolean whole = plan.files().size() <= most(request);
        return plan.stock() || whole && request.getColumnCount() == 0
                ? new FilePage(plan.files(), FilePage.END)
                : files(dataset, seen, plan.group(), request, 0);
    }

    private static int most(PlanRequestProto request) {
        return request.getPageFiles() > 0 ? Math.min(FILES, request.getPageFiles()) : FILES;
    }

    /** The files of a page with all their statistics; the start is as in {@link FilePage#of}. */
    static FilePage files(DatasetRecord dataset, SeenState seen, String group, PlanRequestProto request, long from) {
        GroupFiles files = new GroupFiles(dataset.groups().find(group).orElseThrow(), seen.partitions(group), null);
        return FilePage.of(dataset.schema(), files, FilterWire.filter(request.getFilter()), from, most(request));
    }

    /** A page after the first. */
    static PlanResponseProto further(PlanRequestProto request, FilePage page, List<List<BlockProto>> blocks) {
        PlanResponseProto.Builder response =
                PlanResponseProto.newBuilder().setDataset(true).setGeneration(request.getGeneration());
        add(response, page, blocks, request);
        return response.build();
    }

    private static void add(
            PlanResponseProto.Builder response,
            FilePage page,
            List<List<BlockProto>> blocks,
            PlanRequestProto request) {
        for (int i = 0; i < page.files().size(); i++) {
            response.addFile(file(page.files().get(i), blocks.get(i), request.getColumnList()));
        }
        if (page.next() != FilePage.END) {
            response.setNext(page.next());
        }
    }

    private static CandidateProto candidate(Candidate c) {
        CandidateProto.Builder candidate = CandidateProto.newBuilder()
                .setGroup(c.group())
                .setFiles(c.files())
                .setBytes(c.bytes())
                .setCostMs(c.costMs())
                .setAtLeast(c.atLeast());
        if (c.excluded() != null) {
            candidate.setExcluded(c.excluded());
        }
        return candidate.build();
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

    private static PlannedFileProto file(DataFile file, List<BlockProto> blocks, List<String> columns) {
        PlannedFileProto.Builder proto = PlannedFileProto.newBuilder()
                .setPath(file.path())
                .setLength(file.length())
                .setModificationTime(file.modificationTime())
                .setRows(file.statistics().rows())
                .addAllBlock(blocks);
        columns.forEach(
                name -> proto.addColumn(Wire.column(name, file.statistics().column(name))));
        return proto.build();
    }
}
