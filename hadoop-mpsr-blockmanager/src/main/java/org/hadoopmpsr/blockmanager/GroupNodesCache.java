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
package org.hadoopmpsr.blockmanager;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.Timer;

/**
 * The nodes of each group. They are found anew when the allocation or the number of nodes changes, and every quarter of
 * a second for their load. A choice of nodes therefore does not visit all nodes of the cluster. Thread-safe.
 */
final class GroupNodesCache {
    private static final long AGE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Timer clock;
    private final long staleMs;
    private final Map<String, Entry> byGroup = new ConcurrentHashMap<>();

    /** @param staleMs a node without a heartbeat for so many milliseconds is the home of no segment if others can be */
    GroupNodesCache(Timer clock, long staleMs) {
        this.clock = clock;
        this.staleMs = staleMs;
    }

    private record Entry(NetworkTopology topology, PlacementView view, int leaves, long foundAt, GroupNodes nodes) {
        boolean isFresh(NetworkTopology topologyNow, PlacementView viewNow, long now) {
            return topology == topologyNow
                    && view == viewNow
                    && leaves == topologyNow.getNumOfLeaves()
                    && now - foundAt < AGE_NS;
        }
    }

    GroupNodes get(NetworkTopology topology, PlacementView view, String group) {
        Entry entry = byGroup.get(group);
        long now = clock.monotonicNowNanos();
        if (entry == null || !entry.isFresh(topology, view, now)) {
            int leaves = topology.getNumOfLeaves();
            GroupNodes before = entry == null ? null : entry.nodes();
            entry = new Entry(topology, view, leaves, now, new GroupNodes(topology, view, group, staleMs, before));
            byGroup.put(group, entry);
        }
        return entry.nodes();
    }
}
