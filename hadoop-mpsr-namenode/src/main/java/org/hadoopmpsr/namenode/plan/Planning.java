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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.client.PlanChangedException;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.CostModel;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.plan.UsableGroups.Usability;
import org.hadoopmpsr.namenode.rights.DatasetRights;

/**
 * Plans reads. A representation can be chosen only if verification finds it sound, its planned files have live
 * replicas, and the caller may read it. In doubt, the reader stays on the default representation.
 */
public final class Planning {
    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Activation activation;
    private final Datasets datasets;
    private final DatasetRights rights;
    private final Indexes indexes;
    private final Verification verification;
    private final UsableGroups usableGroups;
    private final FileBlocks fileBlocks;
    private final DatasetLocks locks;
    private final Counters counters;
    private final PlanTokens tokens;
    private final GroupChoice choice;
    private final PagedIndexes paged;

    public Planning(
            MpsrNamesystem system,
            StoreLayout layout,
            Activation activation,
            Datasets datasets,
            DatasetRights rights,
            Indexes indexes,
            Verification verification,
            UsableGroups usableGroups,
            Allocation allocation,
            FileBlocks fileBlocks,
            DatasetLocks locks,
            Counters counters,
            CostModel costs) {
        this.paged = new PagedIndexes(system.clock()::monotonicNowNanos);
        this.system = system;
        this.layout = layout;
        this.activation = activation;
        this.datasets = datasets;
        this.rights = rights;
        this.indexes = indexes;
        this.verification = verification;
        this.usableGroups = usableGroups;
        this.fileBlocks = fileBlocks;
        this.locks = locks;
        this.counters = counters;
        this.tokens = new PlanTokens(fileBlocks);
        this.choice = new GroupChoice(allocation, fileBlocks, tokens, counters, costs);
    }

    /**
     * The last transaction of this, the active NameNode. A standby or observer that has applied it knows everything
     * that this NameNode did.
     */
    public long lastTransaction() throws IOException {
        system.checkActive();
        return system.ha().appliedTransaction();
    }

    public PlanAnswer plan(PlanRequest request) throws IOException {
        checkServes(request);
        DatasetRecord dataset = datasets.at(request.path()).orElse(null);
        if (dataset == null) {
            try {
                system.callingUser().checkTraverse("mpsrPlan", request.path());
            } catch (UnresolvedLinkException e) {
                // a link is no dataset, wherever it leads
            }
            return new PlanAnswer.NoDataset();
        }
        system.checkAccess("mpsrPlan", dataset.path(), FsAction.READ_EXECUTE);
        counters.increment(Counter.PLANS);
        long start = system.clock().monotonicNowNanos();
        try {
            return plan(dataset, request);
        } finally {
            counters.planTook(TimeUnit.NANOSECONDS.toMillis(system.clock().monotonicNowNanos() - start));
        }
    }

    /**
     * Checks that this NameNode may answer. A standby or observer answers only requests that ask for one, and only if
     * it has applied their transaction.
     */
    private void checkServes(PlanRequest request) throws IOException {
        if (request.standbyTransaction().isEmpty()) {
            system.checkActive();
        } else if (system.ha().isActive()
                || system.ha().appliedTransaction()
                        < request.standbyTransaction().getAsLong()) {
            throw new StandbyException("this NameNode is active, or does not know transaction "
                    + request.standbyTransaction().getAsLong() + " yet; ask another one");
        } else {
            activation.follow();
        }
    }

    private PlanAnswer plan(DatasetRecord dataset, PlanRequest request) throws IOException {
        rights.ensure(dataset.inodeId()); // before the lock is taken, like the index: both may take a while
        indexes.of(dataset);
        return locks.shared(dataset, () -> plan(dataset, indexes.of(dataset), request));
    }

    private PlanAnswer plan(DatasetRecord dataset, DatasetIndex index, PlanRequest request) throws IOException {
        if (request.from().isPresent()) {
            return further(dataset, index, request, request.from().getAsLong());
        }
        DatasetState seen = DatasetState.of(dataset, index, request.read().listed());
        if (request.standbyTransaction().isPresent()
                && !seen.isOf(request.read().listed())) {
            throw new StandbyException("the state of " + dataset.path()
                    + " that was listed is not known here; the active NameNode may know it");
        }
        Usability usable = usableGroups.of(dataset, index);
        if (usable.stock() != null) {
            return first(dataset, seen, request, new PlanPage(usable.stock(), List.of(), null));
        }
        ByteString state = tokens.state(request, dataset, index, usable.excluded());
        if (request.token() != null && tokens.holds(request.token(), state)) {
            counters.increment(Counter.VALIDATED_PLANS);
            return new PlanAnswer.Unchanged();
        }
        return first(dataset, seen, request, choice.choose(dataset, seen, usable.excluded(), state, request));
    }

    private PlanAnswer first(DatasetRecord dataset, DatasetState seen, PlanRequest request, PlanPage page)
            throws IOException {
        if (page.plan().stock() && request.standbyTransaction().isPresent()) {
            throw new StandbyException("this NameNode would leave groups aside: "
                    + page.plan().reason() + "; the active one may know better");
        }
        if (page.plan().stock()) {
            counters.increment(Counter.STOCK_PLANS);
        }
        PlanAnswer.First first = page.first(layout, dataset, seen, request);
        if (first.files().next() != FilePage.END) {
            paged.keep(dataset, seen.index());
        }
        return first;
    }

    /**
     * A page after the first, of the same group and files, also if others were published meanwhile, as long as the
     * representation is sound.
     */
    private PlanAnswer further(DatasetRecord dataset, DatasetIndex index, PlanRequest request, long from)
            throws IOException {
        long generation = PlanPage.indexGeneration(request.generation());
        DatasetIndex planned = generation == index.generation() ? index : paged.of(dataset, generation);
        if (planned == null) {
            throw changed(dataset);
        }
        String group = PlanPage.group(dataset, planned, request.generation());
        if (group == null || !verification.look(dataset, index, group).problem().isEmpty()) {
            throw changed(dataset);
        }
        system.checkAccess("mpsrPlan", layout.datasetDir(dataset.id()), FsAction.READ_EXECUTE);
        DatasetState seen = DatasetState.of(dataset, planned, request.read().listed());
        FilePage page = PlanPage.files(dataset, seen, group, request, from);
        List<LocatedFile> files = fileBlocks.of(page.files(), request.read());
        if (FileBlocks.lost(files, request.read()) > 0) {
            throw changed(dataset);
        }
        return new PlanAnswer.Further(request.generation(), new PlanAnswer.Files(files, page.next()));
    }

    private static IOException changed(DatasetRecord dataset) {
        return new PlanChangedException(
                "the dataset " + dataset.path() + " or its plan changed between two pages of the plan; plan again");
    }

    /** Forgets indexes for which no further pages are expected. */
    public void expirePages() {
        paged.expire();
    }
}
