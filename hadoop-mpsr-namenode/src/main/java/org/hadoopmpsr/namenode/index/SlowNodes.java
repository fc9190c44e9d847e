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
package org.hadoopmpsr.namenode.index;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.SlowPeerTracker;

/**
 * The DataNodes that HDFS reports as slow, because others have waited for them lately; none unless {@code dfs.datanode.peer.stats.enabled} is true. HDFS itself tells
 * DataNodes by their host, which several of them may share. Safe for use by several threads.
 */
public final class SlowNodes {
    /** None is slow. */
    public static final SlowNodes NONE = new SlowNodes(Set.of());

    private final Set<String> addresses;
    private final Map<String, Boolean> slowByUuid = new ConcurrentHashMap<>();

    /** @param addresses under which others know the nodes: host and port of data, HTTP or HTTPS */
    SlowNodes(Set<String> addresses) {
        this.addresses = Set.copyOf(addresses);
    }

    /** Those of now; takes no lock. */
    static SlowNodes of(DatanodeManager nodes) {
        SlowPeerTracker tracker = nodes.getSlowPeerTracker();
        return tracker == null
                ? NONE
                : new SlowNodes(tracker.getReportsForAllDataNodes().keySet());
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return addresses.isEmpty();
    }

    /** Whether the DataNode is one of them. The addresses of a node are looked at once: callers hold the lock of the NameNode. */
    boolean has(DatanodeID node) {
        return !isEmpty() && slowByUuid.computeIfAbsent(node.getDatanodeUuid(), uuid -> isSlow(node));
    }

    private boolean isSlow(DatanodeID node) {
        return Stream.of(node.getXferAddr(), node.getInfoAddr(), node.getInfoSecureAddr())
                .anyMatch(addresses::contains);
    }
}
