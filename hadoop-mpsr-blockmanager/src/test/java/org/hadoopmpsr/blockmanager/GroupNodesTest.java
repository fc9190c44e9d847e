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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.Replicas;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Timer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupNodesTest {
    private final Nodes nodes = new Nodes();

    /** What is drawn in many draws. */
    private static Set<DatanodeDescriptor> drawn(GroupNodes group, String scope, Collection<Node> excluded) {
        Set<DatanodeDescriptor> drawn = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            DatanodeDescriptor node = group.draw(scope, excluded, null);
            if (node != null) {
                drawn.add(node);
            }
        }
        return drawn;
    }

    @Test
    void onlyTheGroupsNodesAreDrawn() {
        DatanodeDescriptor mine = nodes.add("/r0", "a");
        DatanodeDescriptor busy = nodes.add("/r0", "a");
        DatanodeDescriptor elsewhere = nodes.add("/r00", "a");
        DatanodeDescriptor other = nodes.add("/r1", "b");
        DatanodeDescriptor fresh = nodes.add("/r1", null);
        GroupNodes group = nodes.group("a");

        assertThat(drawn(group, NodeBase.ROOT, Set.of())).containsExactlyInAnyOrder(mine, busy, elsewhere);
        assertThat(drawn(group, NodeBase.ROOT, Set.of(busy))).containsExactlyInAnyOrder(mine, elsewhere);
        assertThat(drawn(group, "/r0", Set.of(busy))).containsExactly(mine);
        assertThat(drawn(group, "~/r0", Set.of())).containsExactly(elsewhere);
        assertThat(drawn(group, "/r1", Set.of())).isEmpty();
        assertThat(group.contains(mine)).isTrue();
        assertThat(group.contains(other)).isFalse();
        assertThat(group.contains(fresh)).isFalse();
    }

    @Test
    void theOneNodeThatIsLeftIsFound() {
        List<Node> excluded = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            excluded.add(nodes.add("/r0", "a"));
        }
        DatanodeDescriptor left = nodes.add("/r1", "a");

        assertThat(drawn(nodes.group("a"), NodeBase.ROOT, new HashSet<>(excluded)))
                .containsExactly(left);
    }

    @Test
    void aStorageOfTheTypeIsAskedFor() {
        DatanodeDescriptor disk = nodes.add("/r0", "a");
        nodes.add("/r0", "a");
        Replicas.on(disk);
        GroupNodes group = nodes.group("a");

        assertThat(group.draw(NodeBase.ROOT, null, StorageType.DISK)).isEqualTo(disk);
        assertThat(group.draw(NodeBase.ROOT, null, StorageType.SSD)).isNull();
    }

    @Test
    void aNodeThatHasGoneSinceIsNotDrawn() {
        DatanodeDescriptor gone = nodes.add("/r0", "a");
        DatanodeDescriptor stays = nodes.add("/r0", "a");
        GroupNodes group = nodes.group("a");
        nodes.topology().remove(gone);

        assertThat(drawn(group, NodeBase.ROOT, Set.of())).containsExactly(stays);
    }

    @Test
    void nodesThatComeAreFoundAtOnce() {
        GroupNodesCache cache = new GroupNodesCache(new Timer(), Nodes.STALE_MS);
        DatanodeDescriptor first = nodes.add("/r0", "a");
        PlacementView view = nodes.view();
        assertThat(cache.get(nodes.topology(), view, "a").contains(first)).isTrue();

        DatanodeDescriptor second = nodes.add("/r0", "a");
        PlacementView next = nodes.view();
        assertThat(cache.get(nodes.topology(), next, "a").contains(second)).isTrue();

        nodes.topology().remove(first);
        assertThat(cache.get(nodes.topology(), next, "a").contains(first)).isFalse();
    }

    @Test
    void aNodeThatIsToLeaveTakesNothing() {
        DatanodeDescriptor mine = nodes.add("/r0", "a");
        DatanodeDescriptor leaving = nodes.add("/r1", "a");
        nodes.drain(leaving);
        GroupNodes group = nodes.group("a");

        assertThat(group.contains(mine)).isTrue();
        assertThat(group.contains(leaving)).isFalse();
        assertThat(drawn(group, NodeBase.ROOT, Set.of())).containsExactly(mine);
        assertThat(group.racks()).isEqualTo(1);
    }

    @Test
    void aGroupWithoutNodesHasNoneToGive() {
        nodes.add("/r0", "b");

        assertThat(nodes.group("a").draw(NodeBase.ROOT, Set.of(), null)).isNull();
        assertThat(nodes.group("a").maxNodesPerRack(0, 1)[0]).isZero();
    }

    /** The most per rack lets all wanted replicas find a place, and spreads them where there are racks. */
    @ParameterizedTest
    @CsvSource({
        // nodes, racks, chosen, wanted -> open, most per rack
        "3, 1, 0, 1, 1, 1",
        "3, 1, 0, 2, 2, 2",
        "3, 1, 1, 1, 1, 2",
        "2, 1, 0, 5, 2, 2",
        "4, 2, 0, 1, 1, 1",
        "4, 2, 0, 2, 2, 1",
        "4, 2, 0, 3, 3, 2",
        "6, 3, 2, 1, 1, 2",
        "9, 3, 0, 6, 6, 3",
        "4, 2, 4, 1, 0, 3",
    })
    void replicasSpreadOverTheGroupsRacks(int members, int racks, int chosen, int wanted, int open, int most) {
        for (int i = 0; i < members; i++) {
            nodes.add("/r" + i % racks, "a");
        }
        nodes.add("/elsewhere", "b");

        assertThat(nodes.group("a").racks()).isEqualTo(racks);
        assertThat(nodes.group("a").maxNodesPerRack(chosen, wanted)).containsExactly(open, most);
    }

    @Test
    void loadIsComparedWithinTheGroup() {
        DatanodeDescriptor busy = nodes.add("/r0", "a");
        DatanodeDescriptor asBusy = nodes.add("/r0", "a");
        for (int i = 0; i < 10; i++) {
            nodes.add("/r1", "b"); // idle, and of no account
        }
        busy.setXceiverCount(40);
        asBusy.setXceiverCount(40);
        assertThat(nodes.group("a").isTooBusy(busy, 2.0, false)).isFalse();

        asBusy.setXceiverCount(0);
        assertThat(nodes.group("a").isTooBusy(busy, 1.9, false)).isTrue();
        assertThat(nodes.group("a").isTooBusy(asBusy, 1.9, false)).isFalse();
    }

    @Test
    void nodesOutOfServiceDoNotCountForTheLoad() {
        DatanodeDescriptor busy = nodes.add("/r0", "a");
        DatanodeDescriptor leaving = nodes.add("/r0", "a");
        DatanodeDescriptor dead = nodes.add("/r0", "a");
        busy.setXceiverCount(10);
        leaving.startDecommission();
        dead.setAlive(false);

        assertThat(nodes.group("a").isTooBusy(busy, 2.0, false)).isFalse();
    }

    @Test
    void nodesThatGetBusierTogetherAreNotAllTooBusy() {
        DatanodeDescriptor first = nodes.add("/r0", "a");
        DatanodeDescriptor second = nodes.add("/r1", "a");
        first.setXceiverCount(1);
        GroupNodes found = nodes.group("a");
        first.setXceiverCount(20);
        second.setXceiverCount(20);
        assertThat(found.isTooBusy(second, 1.9, false)).isFalse();
        assertThat(nodes.group("a").isTooBusy(first, 1.9, false)).isFalse();
    }
}
