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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/** The DataNodes of one replica group that take its blocks, and all others, at one moment. Immutable. */
final class GroupNodes {
    private final List<DatanodeDescriptor> members = new ArrayList<>();
    private final List<Node> others = new ArrayList<>();

    GroupNodes(NetworkTopology topology, PlacementView view, String group) {
        for (Node node : topology.getLeaves(NodeBase.ROOT)) {
            if (node instanceof DatanodeDescriptor member && view.takes(member.getDatanodeUuid(), group)) {
                members.add(member);
            } else {
                others.add(node);
            }
        }
    }

    boolean contains(Node node) {
        return node instanceof DatanodeDescriptor member && members.contains(member);
    }

    /** The nodes to leave out: those given, and all of other groups. */
    Set<Node> excluding(Collection<Node> excluded) {
        Set<Node> all = new HashSet<>(excluded);
        all.addAll(others);
        return all;
    }

    int racks() {
        return (int) members.stream()
                .map(DatanodeDescriptor::getNetworkLocation)
                .distinct()
                .count();
    }

    /**
     * The most replicas that one rack may hold, in the form that the default policy asks for.
     *
     * @return how many replicas can still be placed, and the most for a rack: as even a spread as the group's racks
     *     allow with one to spare, and never all on one rack where there are two
     */
    int[] maxNodesPerRack(int chosen, int wanted) {
        int total = Math.min(chosen + wanted, members.size());
        int open = Math.max(0, total - chosen);
        int racks = racks();
        if (racks <= 1 || total <= 1) {
            return new int[] {open, Math.max(total, 1)};
        }
        int even = (total + racks - 1) / racks;
        return new int[] {open, Math.min(even + 1, total - 1)};
    }

    /** True when a node's transfers are more than {@code factor} times the average of the group's nodes in service. */
    boolean isTooBusy(DatanodeDescriptor node, double factor, boolean byVolume) {
        long transfers = 0;
        int nodes = 0;
        int volumes = 0;
        for (DatanodeDescriptor member : members) {
            if (member.isInService() && member.isAlive()) {
                nodes++;
                transfers += member.getXceiverCount();
                volumes += member.getNumVolumesAvailable();
            }
        }
        int load = node.getXceiverCount();
        boolean busy = nodes > 0 && transfers > 0 && load > factor * transfers / nodes;
        boolean busyByVolume = byVolume
                && volumes > 0
                && transfers > 0
                && load > factor * node.getNumVolumesAvailable() * transfers / volumes;
        return busy || busyByVolume;
    }
}
