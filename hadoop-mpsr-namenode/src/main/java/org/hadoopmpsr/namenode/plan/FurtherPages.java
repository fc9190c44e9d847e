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
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.PlanChangedException;
import org.hadoopmpsr.core.config.CallLimits;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.budget.CallDeadline;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.hadoopmpsr.namenode.index.OrdinaryChanges;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.jspecify.annotations.Nullable;

/** The pages of plans after the first. They show the state of the first page, as long as its files can be read. Thread-safe. */
final class FurtherPages {
    private final MpsrNamesystem system;
    private final DatasetReaders readers;
    private final Indexes indexes;
    private final Verification verification;
    private final FileBlocks fileBlocks;
    private final DatasetLocks locks;
    private final CallLimits limits;
    private final PagedIndexes paged;
    /** Starts at the current time; numbers therefore differ between NameNodes and restarts. */
    private final AtomicLong unions;

    FurtherPages(
            MpsrNamesystem system,
            DatasetReaders readers,
            Indexes indexes,
            Verification verification,
            FileBlocks fileBlocks,
            DatasetLocks locks,
            CallLimits limits) {
        this.system = system;
        this.readers = readers;
        this.indexes = indexes;
        this.verification = verification;
        this.fileBlocks = fileBlocks;
        this.locks = locks;
        this.limits = limits;
        this.paged = new PagedIndexes(system.clock()::monotonicNowNanos);
        this.unions = new AtomicLong(system.clock().now() * 1_000);
    }

    /** A number for a choice of groups that no other one has. */
    OptionalLong nextUnion() {
        return OptionalLong.of(unions.incrementAndGet());
    }

    /**
     * Keeps what the caller's further pages need.
     *
     * @param union the number of the choice of groups; empty if all segments come from the chosen group
     */
    void keep(DatasetRecord dataset, DatasetState seen, Plan plan, OptionalLong union) throws IOException {
        if (union.isEmpty()) {
            paged.keep(system.caller(), dataset, seen.index());
        } else {
            List<PartSource> parts = plan.parts().stream().map(PartSource::of).toList();
            paged.keep(
                    system.caller(),
                    dataset,
                    union.getAsLong(),
                    new PagedIndexes.Union(seen.index(), parts, seen.ordinary()));
        }
    }

    /** Forgets what was not asked for in the last minutes. */
    void expire() {
        paged.expire();
    }

    /**
     * A page after the first, of the same group and files, also if others were published meanwhile, as long as the
     * representation is sound.
     */
    PlanAnswer page(DatasetRecord dataset, PlanRequest request, long from, CallDeadline deadline) throws IOException {
        Planned planned = locks.undisturbed(dataset, deadline::leftNs, () -> planned(dataset, request))
                .orElseThrow(() -> new RetriableException("commits are published to " + dataset.path()
                        + " all the time; ask for the page again in a moment"));
        readers.check(Planning.OPERATION, dataset);
        DatasetState seen =
                DatasetState.of(dataset, planned.index(), request.read().listed(), planned.ordinary());
        PageRules rules = new PageRules(limits.maxPageBytes(), deadline);
        FilePage page = rules.files(dataset, seen, planned.source(), request, from);
        List<LocatedFile> files = fileBlocks.of(page.files(), request.read(), deadline);
        if (FileBlocks.lost(files, request.read()) > 0 || page.files().stream().anyMatch(planned::isDamaged)) {
            throw changed(dataset);
        }
        return new PlanAnswer.Further(request.generation(), rules.answer(request.part(), planned.parts(), page, files));
    }

    /**
     * What the first page was made of.
     *
     * @param source where the part comes from that the page is of
     * @param parts the number of parts
     * @param ordinary what ordinary writers had changed
     * @param look what is wrong with the group
     */
    private record Planned(
            DatasetIndex index, PartSource source, int parts, OrdinaryChanges ordinary, Verification.Look look) {

        boolean isDamaged(DataFile file) {
            OrdinaryChanges now = look.ordinary();
            return look.isDamaged(file) || now != null && now.deleted().contains(file.fileId());
        }
    }

    /** What the first page was made of, if the group is still sound. */
    private Planned planned(DatasetRecord dataset, PlanRequest request) throws IOException {
        DatasetIndex index = indexes.of(dataset);
        PagedIndexes.Union plan = request.union().isPresent()
                ? paged.union(system.caller(), dataset, request.union().getAsLong())
                : ofOneGroup(dataset, index, request.generation());
        if (plan == null || request.part() < 0 || request.part() >= plan.parts().size()) {
            throw changed(dataset);
        }
        PartSource source = plan.parts().get(request.part());
        Verification.Look look = verification.look(dataset, index, source.group());
        boolean partly = request.read().parts() && look.isPartlyReadable();
        boolean heeded = request.read().untracked() && look.ordinary() != null;
        if (!look.problem().isEmpty() && !partly && !heeded) {
            throw changed(dataset);
        }
        return new Planned(plan.index(), source, plan.parts().size(), plan.ordinary(), look);
    }

    private PagedIndexes.@Nullable Union ofOneGroup(DatasetRecord dataset, DatasetIndex index, long generation)
            throws IOException {
        long ofIndex = PlanPage.indexGeneration(generation);
        DatasetIndex planned = ofIndex == index.generation() ? index : paged.of(system.caller(), dataset, ofIndex);
        String group = planned == null ? null : PlanPage.group(dataset, planned, generation);
        return planned == null || group == null
                ? null
                : new PagedIndexes.Union(planned, List.of(PartSource.all(group)), OrdinaryChanges.NONE);
    }

    private static IOException changed(DatasetRecord dataset) {
        return new PlanChangedException(
                "the dataset " + dataset.path() + " or its plan changed between two pages of the plan; plan again");
    }
}
