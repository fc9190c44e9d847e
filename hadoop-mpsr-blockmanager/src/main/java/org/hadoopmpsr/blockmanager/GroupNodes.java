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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.hadoopmpsr.core.alloc.SegmentFiles;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes of one replica group that accept the group's blocks, with their load, at one moment. Immutable. {@link
 * GroupNodesCache} says how old it may be.
 */
final class GroupNodes implements BlockNodes {
    /** The number of random draws before the eligible nodes are counted. */
    private static final int DRAWS = 8;

    private final NetworkTopology topology;
    private final List<DatanodeDescriptor> members = new ArrayList<>();
    private final Set<DatanodeDescriptor> set;
    private final int racks;
    private final long staleMs;
    private final Load load;
    private final SegmentOrders orders;
    private final Map<SegmentFiles, List<DatanodeDescriptor>> homes = new ConcurrentHashMap<>();

    /**
     * @param staleMs a node without a heartbeat for so many milliseconds is the home of no segment if others can be
     * @param before the nodes of the group when they were found last, whose orders are kept if nothing changed; or null
     */
    GroupNodes(NetworkTopology topology, PlacementView view, String group, long staleMs, @Nullable GroupNodes before) {
        this.topology = topology;
        for (Node node : topology.getLeaves(NodeBase.ROOT)) {
            if (node instanceof DatanodeDescriptor member && view.takes(member.getDatanodeUuid(), group)) {
                members.add(member);
            }
        }
        set = Set.copyOf(members);
        racks = (int) members.stream()
                .map(DatanodeDescriptor::getNetworkLocation)
                .distinct()
                .count();
        load = Load.of(members);
        this.staleMs = staleMs;
        orders = SegmentOrders.of(members, before == null ? null : before.orders);
    }

    /**
     * The nodes for the blocks of a segment in this group.
     *
     * @param width the number of homes
     */
    BlockNodes homes(SegmentFiles files, int width) {
        return new HomeNodes(this, homes.computeIfAbsent(files, this::order), width);
    }

    /**
     * Nodes out of service come last, because they may be in service again before the nodes are found anew. Silent nodes do
     * too: HDFS waits long before it declares a node dead, and until then each file of a segment would be tried there first.
     */
    private List<DatanodeDescriptor> order(SegmentFiles files) {
        List<DatanodeDescriptor> order = new ArrayList<>();
        List<DatanodeDescriptor> last = new ArrayList<>();
        orders.of(files).forEach(node -> (isHome(node) ? order : last).add(node));
        order.addAll(last);
        return order;
    }

    private boolean isHome(DatanodeDescriptor node) {
        return node.isAlive() && node.isInService() && !node.isStale(staleMs);
    }

    @Override
    public boolean contains(Node node) {
        return node instanceof DatanodeDescriptor member && set.contains(member);
    }

    int racks() {
        return racks;
    }

    @Override
    public boolean prefersWriter() {
        return true;
    }

    /** Draws each of the nodes with equal probability. */
    @Override
    public @Nullable DatanodeDescriptor draw(
            String scope, @Nullable Collection<Node> excluded, @Nullable StorageType type) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < DRAWS && !members.isEmpty(); i++) {
            DatanodeDescriptor drawn = members.get(random.nextInt(members.size()));
            if (mayBeDrawn(drawn, scope, excluded, type)) {
                return drawn;
            }
        }
        List<DatanodeDescriptor> left = members.stream()
                .filter(m -> mayBeDrawn(m, scope, excluded, type))
                .toList();
        return left.isEmpty() ? null : left.get(random.nextInt(left.size()));
    }

    /** True if a node of the group is eligible for {@link #draw}. */
    boolean mayBeDrawn(
            DatanodeDescriptor node, String scope, @Nullable Collection<Node> excluded, @Nullable StorageType type) {
        return (excluded == null || !excluded.contains(node))
                && isIn(scope, node.getNetworkLocation())
                && (type == null || node.hasStorageType(type))
                && topology.contains(node); // it may have left since
    }

    private static boolean isIn(String scope, String rack) {
        return scope.startsWith("~") ? !isBelow(scope.substring(1), rack) : isBelow(scope, rack);
    }

    private static boolean isBelow(String scope, String rack) {
        return rack.startsWith(scope) && (rack.length() == scope.length() || rack.charAt(scope.length()) == '/');
    }

    /** As even as the group's racks allow, with one to spare, and never all on one rack if there are two racks. */
    @Override
    public int[] maxNodesPerRack(int chosen, int wanted) {
        int total = Math.min(chosen + wanted, members.size());
        int open = Math.max(0, total - chosen);
        if (racks <= 1 || total <= 1) {
            return new int[] {open, Math.max(total, 1)};
        }
        int even = (total + racks - 1) / racks;
        return new int[] {open, Math.min(even + 1, total - 1)};
    }

    /**
     * True if a node has more than {@code factor} times the average transfers of the group's nodes in service. Both
     * values are from the moment at which these nodes were found. Against an older average, all nodes could be too busy
     * at once when a burst of writes begins.
     */
    @Override
    public boolean isTooBusy(DatanodeDescriptor node, double factor, boolean byVolume) {
        int own = load.of(node);
        boolean busy = load.nodes > 0 && load.transfers > 0 && own > factor * load.transfers / load.nodes;
        boolean busyByVolume = byVolume
                && load.volumes > 0
                && load.transfers > 0
                && own > factor * node.getNumVolumesAvailable() * load.transfers / load.volumes;
        return busy || busyByVolume;
    }

    /** The transfers of a node when the nodes were found. */
    int transfers(DatanodeDescriptor node) {
        return load.of(node);
    }

    /** The transfers of each node, and sums over the nodes in service. */
    private record Load(Map<DatanodeDescriptor, Integer> byNode, long transfers, int nodes, int volumes) {
        static Load of(List<DatanodeDescriptor> members) {
            Map<DatanodeDescriptor, Integer> byNode = new HashMap<>();
            long transfers = 0;
            int nodes = 0;
            int volumes = 0;
            for (DatanodeDescriptor member : members) {
                int own = member.getXceiverCount();
                byNode.put(member, own);
                if (member.isInService() && member.isAlive()) {
                    nodes++;
                    transfers += own;
                    volumes += member.getNumVolumesAvailable();
                }
            }
            return new Load(byNode, transfers, nodes, volumes);
        }

        int of(DatanodeDescriptor node) {
            return byNode.getOrDefault(node, 0);
        }
    }
}
