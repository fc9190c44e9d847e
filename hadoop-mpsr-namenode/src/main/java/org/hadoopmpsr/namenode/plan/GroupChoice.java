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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.alloc.Member;
import org.hadoopmpsr.core.assign.LocalShare;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.plan.CostModel;
import org.hadoopmpsr.core.plan.GroupFiles;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;

/**
 * Chooses the group to read: the cheapest group whose planned files have live replicas, if possible on DataNodes with
 * recent heartbeats.
 */
final class GroupChoice {
    private final Allocation allocation;
    private final FileBlocks fileBlocks;
    private final PlanTokens tokens;
    private final Counters counters;
    private final CostModel costs;

    GroupChoice(Allocation allocation, FileBlocks fileBlocks, PlanTokens tokens, Counters counters, CostModel costs) {
        this.allocation = allocation;
        this.fileBlocks = fileBlocks;
        this.tokens = tokens;
        this.counters = counters;
        this.costs = costs;
    }

    /**
     * The plan of a request, with its first page.
     *
     * @param excluded why groups are not chosen from
     * @param state what a token of the plan is of
     * @param limit ends the work
     */
    PlanPage choose(
            DatasetRecord dataset,
            DatasetState seen,
            Map<String, String> excluded,
            ByteString state,
            PlanRequest request,
            WorkLimit limit)
            throws IOException {
        ReadRequest readRequest = request.read();
        Map<String, String> aside = new HashMap<>(excluded);
        Set<String> silent = new HashSet<>();
        List<Member> nodes = readRequest.hosts().isEmpty() ? List.of() : allocation.members();
        boolean fresh = !readRequest.compared();
        boolean avoided = false;
        while (true) {
            Plan plan = Planner.plan(
                    dataset.schema(),
                    offered(dataset, seen, aside, nodes, readRequest),
                    dataset.defaultGroup(),
                    readRequest,
                    costs.forTasks(readRequest.parallelism()),
                    request.group(),
                    limit);
            if (plan.stock() && !silent.isEmpty()) {
                // no other group: one whose nodes may still be there is better than none
                aside.keySet().removeAll(silent);
                silent.clear();
                fresh = false;
                continue;
            }
            // none where a group was turned away from, which is to be chosen again as soon as it can be
            ByteString token = plan.stock() || avoided ? null : tokens.issue(state, plan.files());
            List<LocatedFile> files =
                    fresh ? fileBlocks.fresh(plan.files(), limit) : fileBlocks.of(plan.files(), readRequest, limit);
            long lost = FileBlocks.lost(files, readRequest);
            if (plan.stock()) {
                counters.increment(Counter.FALLBACKS_NO_GROUP);
            }
            if (plan.stock() || lost == 0) {
                return new PlanPage(plan, files, token);
            }
            counters.increment(Counter.AVOIDED_DEGRADED);
            avoided = true;
            long dead = fresh ? FileBlocks.lost(fileBlocks.of(plan.files(), limit), readRequest) : lost;
            if (dead > 0) {
                aside.put(plan.group(), "degraded: " + dead + " files without a live replica");
            } else {
                aside.put(plan.group(), lost + " files on DataNodes that were not heard of for a while");
                silent.add(plan.group());
            }
        }
    }

    /** @param nodes the nodes of all groups */
    private static List<GroupFiles> offered(
            DatasetRecord dataset,
            DatasetState seen,
            Map<String, String> aside,
            List<Member> nodes,
            ReadRequest readRequest) {
        return dataset.groups().groups().stream()
                .map(g -> new GroupFiles(
                        g, seen.partitions(g.name()), aside.get(g.name()), localShare(g, nodes, readRequest)))
                .toList();
    }

    private static double localShare(ReplicaGroup group, List<Member> nodes, ReadRequest readRequest) {
        List<String> hosts = nodes.stream()
                .filter(n -> n.group().equals(group.name()))
                .map(n -> n.node().host())
                .toList();
        return LocalShare.of(hosts, readRequest.hosts(), group.replication());
    }
}
