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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.NodeAllocation;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;

/** What an operator should look at although MPSR works. */
final class Warnings {
    private final MpsrConfig config;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Health health;
    private final SafeModeExit safeModeExit;

    Warnings(MpsrConfig config, Allocation allocation, Datasets datasets, Health health, SafeModeExit safeModeExit) {
        this.config = config;
        this.allocation = allocation;
        this.datasets = datasets;
        this.health = health;
        this.safeModeExit = safeModeExit;
    }

    /**
     * One line each; empty when all is well. Of datasets that the caller may not read it tells only that there is
     * something.
     */
    List<String> get() {
        List<String> warnings = new ArrayList<>();
        if (!safeModeExit.reason().isEmpty()) {
            warnings.add(safeModeExit.reason());
        }
        addNodes(warnings);
        Map<String, String> aboutPaths = new LinkedHashMap<>();
        health.findings().forEach(f -> aboutPaths.put(f.text(), f.dataset()));
        datasets.orphans()
                .forEach(dir -> aboutPaths.put(
                        dir + " belongs to no dataset directory; delete it when that will not come back", dir));
        int all = aboutPaths.size();
        aboutPaths.values().removeIf(path -> !datasets.mayRead(path));
        warnings.addAll(aboutPaths.keySet());
        if (aboutPaths.size() < all) {
            warnings.add((all - aboutPaths.size()) + " about datasets that you may not read; a superuser sees them");
        }
        return warnings;
    }

    private void addNodes(List<String> warnings) {
        List<Node> live = allocation.live();
        Map<String, String> recorded = allocation.recorded();
        Set<String> alive = new HashSet<>();
        live.forEach(node -> alive.add(recorded.getOrDefault(node.uuid(), "")));
        List<String> names =
                config.declared().stream().map(ReplicaGroup::name).distinct().toList();
        for (String group : names) {
            if (recorded.containsValue(group) && !alive.contains(group)) {
                warnings.add("replica group '" + group + "' has no live DataNode: its files cannot be read or written;"
                        + " start one of its nodes, or add a node, which will join it");
            }
        }
        NodeAllocation.sharedRacks(names, recorded, live)
                .forEach((rack, groups) -> warnings.add("rack " + rack + " holds nodes of the replica groups " + groups
                        + ": to lose it may be to lose several copies; move nodes so that each rack has one group"));
    }
}
