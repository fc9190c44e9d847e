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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopology;

/** DataNodes in service with a terabyte of room each, without a cluster, for a placement policy to choose from. */
public final class PlacementNodes {
    private static final long ROOM = 1L << 40;

    private final NetworkTopology topology = DFSNetworkTopology.getInstance(new Configuration(false));
    private final Host2NodesMap byHost = new Host2NodesMap();
    private final Map<String, Integer> rackByUuid = new LinkedHashMap<>();

    public PlacementNodes(int nodes, int racks) {
        for (int i = 0; i < nodes; i++) {
            int rack = i % racks;
            String address = "10." + rack + "." + i / 250 + "." + i % 250;
            DatanodeDescriptor node =
                    new DatanodeDescriptor(new DatanodeID(address, "h" + i, "u" + i, 9866, 1, 1, 1), "/r" + rack);
            DatanodeStorage storage = new DatanodeStorage("s" + i);
            node.updateStorage(storage);
            node.updateHeartbeatState(
                    new StorageReport[] {new StorageReport(storage, false, ROOM, 0, ROOM, 0, 0)}, 0, 0, 0, 0, null);
            node.setAlive(true);
            topology.add(node);
            byHost.add(node);
            rackByUuid.put("u" + i, rack);
        }
    }

    public NetworkTopology topology() {
        return topology;
    }

    /** The rack's number of each node. */
    public Map<String, Integer> rackByUuid() {
        return rackByUuid;
    }

    /** Lets a policy choose from these nodes. */
    public void initialize(BlockPlacementPolicy policy, Configuration conf) {
        policy.initialize(conf, new Idle(rackByUuid.size()), topology, byHost);
    }

    /** A cluster without load. */
    private record Idle(int nodes) implements FSClusterStats {
        @Override
        public int getTotalLoad() {
            return 0;
        }

        @Override
        public boolean isAvoidingStaleDataNodesForWrite() {
            return false;
        }

        @Override
        public int getNumDatanodesInService() {
            return nodes;
        }

        @Override
        public double getInServiceXceiverAverage() {
            return 0;
        }

        @Override
        public double getInServiceXceiverAverageForVolume() {
            return 0;
        }

        @Override
        public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
            return Map.of();
        }
    }
}
