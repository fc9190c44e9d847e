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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.CurrentCall;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.config.CallLimits;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.elastic.FileHeat;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.budget.CallDeadline;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.history.PastState;
import org.hadoopmpsr.namenode.history.PastStates;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.OrdinaryChanges;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.plan.UsableGroups.Usability;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.workload.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Plans reads. A representation gives a segment only if verification finds it sound, its planned files of the segment have
 * live replicas, and the caller may read it. In doubt, the reader stays on the default representation.
 */
public final class Planning {
    /** As the audit log names it. */
    static final String OPERATION = "mpsrPlan";

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Activation activation;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final Indexes indexes;
    private final UsableGroups usableGroups;
    private final PastStates pastStates;
    private final DatasetLocks locks;
    private final Workload workload;
    private final FileHeat heat;
    private final Counters counters;
    private final CallLimits limits;
    private final PlanTokens tokens;
    private final GroupChoice choice;
    private final FurtherPages furtherPages;

    public Planning(
            MpsrNamesystem system,
            StoreLayout layout,
            Activation activation,
            Datasets datasets,
            DatasetReaders readers,
            Indexes indexes,
            Verification verification,
            UsableGroups usableGroups,
            PastStates pastStates,
            Allocation allocation,
            FileBlocks fileBlocks,
            DatasetLocks locks,
            Workload workload,
            FileHeat heat,
            Counters counters,
            CostModel costs,
            SlowReads slowReads,
            CallLimits limits) {
        this.system = system;
        this.layout = layout;
        this.activation = activation;
        this.datasets = datasets;
        this.readers = readers;
        this.indexes = indexes;
        this.usableGroups = usableGroups;
        this.pastStates = pastStates;
        this.locks = locks;
        this.workload = workload;
        this.heat = heat;
        this.counters = counters;
        this.limits = limits;
        this.tokens = new PlanTokens(fileBlocks);
        this.choice = new GroupChoice(allocation, fileBlocks, tokens, counters, costs, slowReads);
        this.furtherPages = new FurtherPages(system, readers, indexes, verification, fileBlocks, locks, limits);
    }

    /**
     * The last transaction of this, the active NameNode. A standby or observer that has applied it knows everything
     * that this NameNode did.
     */
    public long lastTransaction() throws IOException {
        system.checkActive();
        return system.ha().appliedTransaction();
    }

    /**
     * A page of a plan. Permission is asked before the request is looked at.
     *
     * @param standbyTransaction as in {@link PlanRequest}
     * @param asked the request
     * @throws IllegalArgumentException if the request makes no sense
     */
    public PlanAnswer plan(String path, OptionalLong standbyTransaction, Supplier<PlanRequest> asked)
            throws IOException {
        CallDeadline deadline =
                new CallDeadline(system.clock()::monotonicNowNanos, CurrentCall::isWanted, limits.maxPlanMs());
        checkServes(standbyTransaction);
        DatasetRecord dataset = datasets.at(path).map(DatasetRecord::whole).orElse(null);
        if (dataset == null) {
            try {
                system.callingUser().checkTraverse(OPERATION, path);
            } catch (UnresolvedLinkException e) {
                // a link is no dataset, wherever it leads
            }
            return new PlanAnswer.NoDataset();
        }
        system.checkAccess(OPERATION, dataset.path(), FsAction.READ_EXECUTE);
        PlanRequest request = PlanRules.known(dataset, asked.get());
        counters.increment(Counter.PLANS);
        long start = system.clock().monotonicNowNanos();
        try {
            return request.from().isPresent()
                    ? furtherPages.page(dataset, request, request.from().getAsLong(), deadline)
                    : first(dataset, request, deadline);
        } catch (WorkLimit.Overrun e) {
            return tooLong(dataset, request, e);
        } finally {
            counters.planTook(TimeUnit.NANOSECONDS.toMillis(system.clock().monotonicNowNanos() - start));
        }
    }

    /**
     * Checks that this NameNode may answer. A standby or observer answers only requests that ask for one, and only if
     * it has applied their transaction.
     */
    private void checkServes(OptionalLong standbyTransaction) throws IOException {
        if (standbyTransaction.isEmpty()) {
            system.checkActive();
        } else if (system.ha().isActive() || system.ha().appliedTransaction() < standbyTransaction.getAsLong()) {
            throw new StandbyException("this NameNode is active, or does not know transaction "
                    + standbyTransaction.getAsLong() + " yet; ask another one");
        } else {
            activation.follow();
        }
    }

    /**
     * An index, with what of it can be read.
     *
     * @param denied why the caller is told nothing of it; null if the caller is told
     * @param past the earlier state that is planned; null for another plan
     */
    private record Ground(
            DatasetIndex index,
            @Nullable String denied,
            Usability usable,
            @Nullable PastState past) {}

    private PlanAnswer first(DatasetRecord dataset, PlanRequest request, CallDeadline deadline) throws IOException {
        Optional<Ground> ground = locks.undisturbed(dataset, deadline::leftNs, () -> {
            DatasetIndex index = indexes.of(dataset);
            deadline.check();
            String denied = readers.denied(OPERATION, dataset);
            Usability usable = denied == null ? usableGroups.of(dataset, index, request.read()) : Usability.NONE;
            AsOf asOf = request.read().asOf();
            return new Ground(
                    index, denied, usable, asOf == null || denied != null ? null : pastStates.at(dataset, index, asOf));
        });
        if (ground.isEmpty()) {
            deadline.check();
            counters.increment(Counter.FALLBACKS_PUBLISHED);
            return stock(dataset, request, "commits are published to the dataset all the time");
        }
        String denied = ground.get().denied();
        if (denied != null) {
            return denied(dataset, request, denied);
        }
        DatasetIndex index = ground.get().index();
        Usability usable = ground.get().usable();
        PastState past = ground.get().past();
        if (past != null) {
            return past(dataset, request, past, usable, deadline);
        }
        DatasetState seen = DatasetState.of(dataset, index, request.read().listed(), usable.ordinary());
        if (request.standbyTransaction().isPresent()
                && !seen.isOf(request.read().listed())) {
            throw new StandbyException("the state of " + dataset.path()
                    + " that was listed is not known here; the active NameNode may know it");
        }
        if (usable.stock() != null) {
            return first(dataset, seen, request, new PlanPage(usable.stock(), List.of(), null), deadline);
        }
        ByteString state = tokens.state(request, dataset, index, usable);
        if (request.token() != null && tokens.holds(request.token(), state)) {
            counters.increment(Counter.VALIDATED_PLANS);
            workload.askedAgain(dataset, index, request.read());
            countReads(request, () -> tokens.filesOf(state));
            return new PlanAnswer.Unchanged();
        }
        PlanPage page = choice.choose(dataset, seen, usable, state, request, deadline);
        return first(dataset, seen, request, page, deadline);
    }

    private PlanAnswer first(
            DatasetRecord dataset, DatasetState seen, PlanRequest request, PlanPage page, WorkLimit limit)
            throws IOException {
        if (page.plan().stock()) {
            countStock(request, page.plan().reason());
        }
        workload.asked(dataset, seen.index(), request.read(), page.plan());
        countReads(request, page.plan());
        if (page.plan().isUnion()) {
            counters.increment(Counter.UNION_PLANS);
        }
        boolean plain = page.isOfOneGroup() && seen.ordinary().deleted().isEmpty();
        OptionalLong union = plain ? OptionalLong.empty() : furtherPages.nextUnion();
        PageRules rules = new PageRules(limits.maxPageBytes(), limit);
        PlanAnswer.First first = page.first(layout, dataset, seen, request, union, rules);
        if (first.files().next() != FilePage.END) {
            furtherPages.keep(dataset, seen, page.plan(), union);
        }
        return first;
    }

    /** The plan of an earlier state. The reader's own listing is of another one, so that nothing is left to stock. */
    private PlanAnswer past(
            DatasetRecord dataset, PlanRequest request, PastState past, Usability now, CallDeadline deadline)
            throws IOException {
        Plan stock = now.stock();
        if (stock != null) {
            throw notAsOf(dataset, request, stock.reason());
        }
        DatasetState seen = DatasetState.past(dataset, past, now.ordinary());
        Usability usable = new Usability(null, now.excluded(), past.damaged(now.damaged()), now.ordinary());
        PlanPage page = choice.choose(dataset, seen, usable, ByteString.EMPTY, request, deadline);
        Plan plan = page.plan();
        if (plan.stock()) {
            throw notAsOf(dataset, request, plan.reason());
        }
        workload.asked(dataset, seen.index(), request.read(), plan);
        countReads(request, plan);
        OptionalLong union = furtherPages.nextUnion();
        PageRules rules = new PageRules(limits.maxPageBytes(), deadline);
        PlanAnswer.First first =
                new PlanPage(plan, page.files(), null).first(layout, dataset, seen, request, union, rules);
        if (first.files().next() != FilePage.END) {
            furtherPages.keep(dataset, seen, plan, union);
        }
        return first;
    }

    private void countReads(PlanRequest request, Plan plan) {
        if (plan.files().size() <= FileHeat.MOST_FILES_OF_QUERY) {
            countReads(
                    request,
                    () -> plan.files().stream().mapToLong(DataFile::fileId).toArray());
        }
    }

    /** Requests that compare files with a listing read none. */
    private void countReads(PlanRequest request, Supplier<long[]> files) {
        if (heat.isOn() && !request.read().compared()) {
            heat.read(files.get(), system.clock().now());
        }
    }

    private static IOException notAsOf(DatasetRecord dataset, PlanRequest request, String reason) {
        return new IOException(
                "cannot read " + dataset.path() + " as of " + request.read().asOf() + ": " + reason);
    }

    private void countStock(PlanRequest request, String reason) throws StandbyException {
        if (request.standbyTransaction().isPresent()) {
            throw new StandbyException(
                    "this NameNode would leave groups aside: " + reason + "; the active one may know better");
        }
        counters.increment(Counter.STOCK_PLANS);
    }

    private PlanAnswer denied(DatasetRecord dataset, PlanRequest request, String reason) throws IOException {
        if (request.read().asOf() != null) {
            throw notAsOf(dataset, request, reason);
        }
        countStock(request, reason);
        counters.increment(Counter.FALLBACKS_RIGHTS);
        return PlanAnswer.First.untold(layout, dataset, reason);
    }

    /** The plan that leaves the reader on the default representation, whatever is known of the dataset. */
    private PlanAnswer stock(DatasetRecord dataset, PlanRequest request, String reason) throws IOException {
        if (request.read().asOf() != null) {
            throw new RetriableException("cannot read " + dataset.path() + " as of "
                    + request.read().asOf() + ": " + reason + "; try again in a moment");
        }
        DatasetIndex known = indexes.known(dataset);
        String denied = readers.denied(OPERATION, dataset);
        if (denied != null) {
            return denied(dataset, request, denied);
        }
        DatasetIndex index = known == null ? DatasetIndex.empty(dataset.path(), dataset.schema()) : known;
        Plan plan = Planner.stock(dataset.defaultGroup(), List.of(), reason);
        DatasetState state = DatasetState.of(dataset, index, request.read().listed(), OrdinaryChanges.NONE);
        return first(dataset, state, request, new PlanPage(plan, List.of(), null), WorkLimit.NONE);
    }

    private PlanAnswer tooLong(DatasetRecord dataset, PlanRequest request, WorkLimit.Overrun e) throws IOException {
        counters.increment(Counter.FALLBACKS_TIME);
        if (request.from().isPresent()) {
            throw new RetriableException("no further page of the plan of " + dataset.path() + ": " + e.getMessage());
        }
        return stock(dataset, request, String.valueOf(e.getMessage()));
    }

    /** Forgets indexes for which no further pages are expected. */
    public void expirePages() {
        furtherPages.expire();
    }
}
