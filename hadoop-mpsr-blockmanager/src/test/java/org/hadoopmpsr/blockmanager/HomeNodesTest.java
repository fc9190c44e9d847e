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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.Replicas;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.core.alloc.SegmentFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HomeNodesTest {
    private static final SegmentFiles FILES = new SegmentFiles("meas-1", "c1", "a");

    private final Nodes nodes = new Nodes();

    @BeforeEach
    void aGroupOnTwoRacks() {
        for (int i = 0; i < 6; i++) {
            nodes.add("/r" + i % 2, "a");
            nodes.add("/r2", "b");
        }
    }

    private BlockNodes homes(int homes) {
        return nodes.group("a").homes(FILES, homes);
    }

    /** All nodes in the order in which they are drawn where there is one home. */
    private List<DatanodeDescriptor> order() {
        Set<Node> excluded = new HashSet<>();
        BlockNodes homes = homes(1);
        return IntStream.range(0, 6)
                .mapToObj(i -> {
                    DatanodeDescriptor node = homes.draw(NodeBase.ROOT, excluded, null);
                    excluded.add(node);
                    return node;
                })
                .toList();
    }

    private static Set<DatanodeDescriptor> drawn(BlockNodes homes, String scope, Set<Node> excluded) {
        Set<DatanodeDescriptor> drawn = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            DatanodeDescriptor node = homes.draw(scope, excluded, null);
            if (node != null) {
                drawn.add(node);
            }
        }
        return drawn;
    }

    @Test
    void theHomesAreDrawnAndThenTheNextInOrder() {
        List<DatanodeDescriptor> order = order();
        assertThat(order).doesNotContainNull().doesNotHaveDuplicates();

        assertThat(drawn(homes(1), NodeBase.ROOT, Set.of())).containsExactly(order.get(0));
        assertThat(drawn(homes(2), NodeBase.ROOT, Set.of())).containsExactlyInAnyOrder(order.get(0), order.get(1));
        assertThat(drawn(homes(2), NodeBase.ROOT, Set.of(order.get(0)))).containsExactly(order.get(1));
        assertThat(drawn(homes(2), NodeBase.ROOT, Set.of(order.get(0), order.get(1))))
                .containsExactly(order.get(2));
        assertThat(drawn(homes(9), NodeBase.ROOT, Set.of())).hasSize(6);
        assertThat(drawn(homes(1), NodeBase.ROOT, new HashSet<>(order))).isEmpty();
    }

    @Test
    void copiesOnAnotherRackKeepTheOrder() {
        DatanodeDescriptor home = order().get(0);
        String rack = home.getNetworkLocation();
        DatanodeDescriptor next = order().stream()
                .filter(n -> !n.getNetworkLocation().equals(rack))
                .findFirst()
                .orElseThrow();

        assertThat(drawn(homes(1), "~" + rack, Set.of(home))).containsExactly(next);
    }

    @Test
    void aHomeWithoutTheStorageTypeIsPassedOver() {
        List<DatanodeDescriptor> order = order();
        Replicas.on(order.get(3));

        assertThat(homes(2).draw(NodeBase.ROOT, Set.of(), StorageType.DISK)).isEqualTo(order.get(3));
    }

    @Test
    void nodesThatDrainOrLeaveAreNoHomes() {
        List<DatanodeDescriptor> order = order();
        nodes.drain(order.get(0));
        order.get(1).startDecommission();
        order.get(2).setAlive(false);

        assertThat(drawn(homes(1), NodeBase.ROOT, Set.of())).containsExactly(order.get(3));
    }

    @Test
    void aNodeThatCameIntoServiceMeanwhileIsDrawnWhereNoOtherIs() {
        List<DatanodeDescriptor> order = order();
        order.get(0).startDecommission();
        BlockNodes homes = homes(1);
        order.get(0).stopDecommission();

        assertThat(drawn(homes, NodeBase.ROOT, Set.of())).containsExactly(order.get(1));
        assertThat(drawn(homes, NodeBase.ROOT, new HashSet<>(order.subList(1, 6))))
                .containsExactly(order.get(0));
    }

    @Test
    void aNodeThatIsSilentIsTheLastInOrder() {
        List<DatanodeDescriptor> order = order();
        order.forEach(node -> node.setLastUpdateMonotonic(Time.monotonicNow()));
        order.get(0).setLastUpdateMonotonic(Time.monotonicNow() - 2 * Nodes.STALE_MS);

        assertThat(drawn(homes(1), NodeBase.ROOT, Set.of())).containsExactly(order.get(1));
        assertThat(drawn(homes(1), NodeBase.ROOT, new HashSet<>(order.subList(1, 6))))
                .containsExactly(order.get(0));
    }

    @Test
    void aHomeIsBusyOnlyWithManyTransfers() {
        DatanodeDescriptor home = order().get(0);
        home.setXceiverCount(HomeNodes.TRANSFERS_PER_VOLUME);
        assertThat(nodes.group("a").isTooBusy(home, 2.0, false)).isTrue();
        assertThat(homes(1).isTooBusy(home, 2.0, false)).isFalse();

        home.setXceiverCount(HomeNodes.TRANSFERS_PER_VOLUME + 1);
        assertThat(homes(1).isTooBusy(home, 2.0, false)).isTrue();

        order().forEach(node -> node.setXceiverCount(HomeNodes.TRANSFERS_PER_VOLUME + 1));
        assertThat(homes(1).isTooBusy(home, 2.0, false)).as("all are as busy").isFalse();
    }

    @Test
    void ordersAreKeptWhileTheNodesAreTheSame() {
        List<DatanodeDescriptor> order = order();
        SegmentOrders first = SegmentOrders.of(order, null);
        assertThat(SegmentOrders.of(List.copyOf(order), first)).isSameAs(first);

        SegmentOrders fewer = SegmentOrders.of(order.subList(1, 6), first);
        assertThat(fewer).isNotSameAs(first);
        assertThat(fewer.of(FILES)).isEqualTo(order.subList(1, 6));
        for (int i = 0; i < 3_000; i++) {
            assertThat(first.of(new SegmentFiles("meas-1", "c" + i, "a"))).hasSize(6);
        }
        assertThat(first.of(FILES)).isEqualTo(order);
    }

    @Test
    void whereTheWriterRunsDoesNotCount() {
        assertThat(homes(1).prefersWriter()).isFalse();
        assertThat(nodes.group("a").prefersWriter()).isTrue();
    }
}
