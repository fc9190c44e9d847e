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
package org.hadoopmpsr.namenode.nodes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.alloc.NodeAllocation;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.core.group.ReplicaGroup;

/** Checks whether there are enough DataNodes for the groups. */
final class AllocationProblems {

    private AllocationProblems() {}

    /** The problems that keep the groups from working with the recorded or live nodes. */
    static List<ConfigProblem> of(Allocation allocation, List<ReplicaGroup> groups) {
        List<String> names = groups.stream().map(ReplicaGroup::name).distinct().toList();
        if (names.isEmpty()) {
            return List.of();
        }
        Map<String, String> all = new HashMap<>(allocation.recorded());
        all.putAll(NodeAllocation.allocate(names, allocation.recorded(), allocation.live()));
        List<ConfigProblem> problems = new ArrayList<>();
        if (names.size() > all.size()) {
            problems.add(new ConfigProblem(
                    ConfigKeys.GROUPS.name(),
                    String.join(",", names),
                    names.size() + " replica groups, but only " + all.size() + " DataNodes",
                    "start more DataNodes or configure fewer groups"));
        }
        for (ReplicaGroup group : groups) {
            long nodes = all.values().stream().filter(group.name()::equals).count();
            if (nodes == 0 && names.size() <= all.size()) {
                problems.add(new ConfigProblem(
                        ConfigKeys.GROUPS.name(),
                        group.name(),
                        "replica group '" + group.name() + "' has no DataNode: all are allocated to other groups",
                        "start more DataNodes, or see hdfs mpsr groups rebalance"));
            } else if (nodes > 0 && nodes < group.replication()) {
                problems.add(new ConfigProblem(
                        ConfigKeys.REPLICATION.of(group.name()),
                        String.valueOf(group.replication()),
                        "replica group '" + group.name() + "' has only " + nodes + " DataNodes",
                        "start more DataNodes or set it to " + nodes + " or less"));
            }
        }
        return problems;
    }
}
