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
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.alloc.Member;
import org.hadoopmpsr.core.assign.LocalShare;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.MissingSegments;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.RepresentationName;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.plan.UsableGroups.Usability;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the groups to read: the cheapest ones whose planned files have live replicas, if possible on DataNodes with
 * recent heartbeats, and not on slow ones if others answer sooner.
 */
final class GroupChoice {
    private final Allocation allocation;
    private final FileBlocks fileBlocks;
    private final PlanTokens tokens;
    private final Counters counters;
    private final CostModel costs;
    private final SlowPlans slowPlans;

    GroupChoice(
            Allocation allocation,
            FileBlocks fileBlocks,
            PlanTokens tokens,
            Counters counters,
            CostModel costs,
            SlowReads slowReads) {
        this.allocation = allocation;
        this.fileBlocks = fileBlocks;
        this.tokens = tokens;
        this.counters = counters;
        this.costs = costs;
        this.slowPlans = new SlowPlans(fileBlocks, slowReads, counters);
    }

    /**
     * The plan of a request, with its first page. A reader that can read segments from several groups gets the segments that the
     * chosen group cannot serve from others; for any other reader a group that lacks one needed segment is set aside. Files on slow
     * DataNodes are planned if nothing else answers sooner, and always in a group that the request names.
     *
     * @param usable the groups to choose from
     * @param state what a token of the plan is of
     * @param limit ends the work
     */
    PlanPage choose(
            DatasetRecord dataset,
            DatasetState seen,
            Usability usable,
            ByteString state,
            PlanRequest request,
            WorkLimit limit)
            throws IOException {
        ReadRequest readRequest = request.read();
        Gaps gaps = new Gaps(usable.damaged(), dataset, usable.ordinary());
        List<Member> nodes = readRequest.hosts().isEmpty() ? List.of() : allocation.members();
        boolean fresh = !readRequest.compared();
        boolean avoided = false;
        @Nullable SlowPlan slow = null;
        while (true) {
            Plan plan = Planner.plan(
                    dataset.schema(),
                    offered(dataset, seen, usable, gaps, nodes, readRequest),
                    dataset.defaultGroup(),
                    readRequest,
                    costs.forTasks(readRequest.parallelism()),
                    request.group(),
                    limit);
            if (plan.stock() && slow != null) {
                return slow.page();
            }
            if (plan.stock() && gaps.forgetSilent()) {
                // nothing else has the records: files whose nodes may still be there are better than none
                fresh = false;
                continue;
            }
            // none where files were turned away from that may be readable again at any moment
            ByteString token = plan.stock() || avoided ? null : tokens.issue(state, plan.files());
            List<LocatedFile> files =
                    fresh ? fileBlocks.fresh(plan.files(), limit) : fileBlocks.of(plan.files(), readRequest, limit);
            if (plan.stock()) {
                counters.increment(Counter.FALLBACKS_NO_GROUP);
                return new PlanPage(plan, files, token);
            }
            List<PlannedFile> unreadable = unreadable(plan, files, gaps, readRequest);
            if (unreadable.isEmpty()) {
                PlanPage page = new PlanPage(plan, files, token);
                SlowPlan found =
                        fresh && request.group() == null ? slowPlans.of(page, limit) : slowPlans.notLookedAt(page);
                if (slow != null) {
                    return slowPlans.sooner(slow, found).page();
                }
                if (found.files().isEmpty()) {
                    return found.page();
                }
                found.files().forEach(file -> gaps.add(file.group(), file.file().file(), Gaps.Kind.SLOW));
                slow = found;
                avoided = true;
                continue;
            }
            counters.increment(Counter.AVOIDED_DEGRADED);
            avoided |= add(unreadable, gaps, fresh, limit);
        }
    }

    private static List<PlannedFile> unreadable(
            Plan plan, List<LocatedFile> files, Gaps gaps, ReadRequest readRequest) {
        return PlannedFile.those(
                plan,
                files,
                (group, file) -> !readRequest.compared() && !file.isReadable() || gaps.isDamaged(group, file.file()));
    }

    /** @return true if a file lacks replicas, which may come back */
    private boolean add(List<PlannedFile> unreadable, Gaps gaps, boolean fresh, WorkLimit limit) throws IOException {
        List<DataFile> files = unreadable.stream().map(u -> u.file().file()).toList();
        List<LocatedFile> atAll = fresh
                ? fileBlocks.of(files, limit)
                : unreadable.stream().map(PlannedFile::file).toList();
        boolean replicas = false;
        for (int i = 0; i < files.size(); i++) {
            String group = unreadable.get(i).group();
            boolean damaged = gaps.isDamaged(group, files.get(i));
            Gaps.Kind lack = atAll.get(i).isReadable() ? Gaps.Kind.SILENT : Gaps.Kind.LOST;
            gaps.add(group, files.get(i), damaged ? Gaps.Kind.DAMAGED : lack);
            replicas |= !damaged;
        }
        return replicas;
    }

    /** @param nodes the nodes of all groups */
    private static List<GroupFiles> offered(
            DatasetRecord dataset,
            DatasetState seen,
            Usability usable,
            Gaps gaps,
            List<Member> nodes,
            ReadRequest readRequest) {
        return dataset.groups().groups().stream()
                .map(g -> {
                    MissingSegments missing = gaps.of(g.name());
                    boolean aside = !readRequest.parts() && !missing.ids().isEmpty();
                    return new GroupFiles(
                            g,
                            seen.partitions(g.name()),
                            usable.excluded().getOrDefault(g.name(), aside ? missing.reason() : null),
                            aside ? MissingSegments.NONE : missing,
                            localShare(g, nodes, readRequest));
                })
                .toList();
    }

    private static double localShare(ReplicaGroup group, List<Member> nodes, ReadRequest readRequest) {
        List<String> hosts = nodes.stream()
                .filter(n -> n.group().equals(RepresentationName.group(group.name())))
                .map(n -> n.node().host())
                .toList();
        return LocalShare.of(hosts, readRequest.hosts(), group.replication());
    }
}
