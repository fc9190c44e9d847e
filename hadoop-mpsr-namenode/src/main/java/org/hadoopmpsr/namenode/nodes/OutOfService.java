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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.alloc.Member;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.slf4j.Logger;

/**
 * The replica groups that have live DataNodes, and none in service: all are decommissioned, leave, or are in maintenance. HDFS asks
 * nobody when it starts with such lists of hosts, or when a node dies that was the last one beside those. Thread-safe.
 */
public final class OutOfService {
    private static final Logger LOG = PrintableLog.of(OutOfService.class);

    private final MpsrConfig config;
    private final Allocation allocation;
    private volatile Set<String> seen = Set.of();

    public OutOfService(MpsrConfig config, Allocation allocation) {
        this.config = config;
        this.allocation = allocation;
    }

    /** The names of the groups, of those that are configured. */
    public Set<String> now() {
        Map<String, Boolean> serves = new TreeMap<>();
        for (Member member : allocation.members()) {
            serves.merge(member.group(), member.inService(), Boolean::logicalOr);
        }
        List<String> names = config.declared().stream().map(ReplicaGroup::name).toList();
        return serves.entrySet().stream()
                .filter(entry -> !entry.getValue() && names.contains(entry.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The number of these groups at the last {@link #check}. */
    public int count() {
        return seen.size();
    }

    /** What such a group lacks, and what to do. */
    public static String text(String group) {
        return "replica group '" + group
                + "' has no DataNode in service, all are decommissioned or in maintenance: its files"
                + " can be read, but no dataset can be written, and a node that has the only copy of a block is never"
                + " decommissioned: do not stop it; put one of its nodes into service, or add a node, which will join it";
    }

    /** Logs what has changed since the last look. Called by one thread. */
    public void check() {
        Set<String> now = now();
        for (String group : now) {
            if (!seen.contains(group)) {
                LOG.warn("MPSR: {}", text(group));
            }
        }
        for (String group : seen) {
            if (!now.contains(group)) {
                LOG.info("MPSR: replica group '{}' has a DataNode in service again, or no live one", group);
            }
        }
        seen = now;
    }
}
