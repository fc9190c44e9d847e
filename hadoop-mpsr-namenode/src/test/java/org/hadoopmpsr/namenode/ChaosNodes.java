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

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto.Action;

/** Steps of administrators, and failures of nodes. */
final class ChaosNodes {
    private final Chaos chaos;

    ChaosNodes(Chaos chaos) {
        this.chaos = chaos;
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("stop a DataNode", 2, this::stopDataNode),
                new ChaosStep("start the DataNode", 4, this::startDataNode),
                new ChaosStep("failover", 2, this::failOver),
                new ChaosStep("restart a NameNode", 2, this::restart),
                new ChaosStep("catch up", 2, this::catchUp),
                new ChaosStep("checkpoint", 1, this::checkpoint),
                new ChaosStep("safe mode", 1, this::safeMode),
                new ChaosStep("move a block to another group", 2, this::wrongMove),
                new ChaosStep("decommission", 1, this::decommission),
                new ChaosStep("rebalance", 1, this::rebalance));
    }

    private boolean stopDataNode() throws Exception {
        if (!chaos.down().isEmpty() || chaos.datasets().isEmpty()) {
            return false;
        }
        String uuid = node();
        chaos.log("stop DataNode %s", describe(uuid));
        chaos.stopDataNode(uuid);
        return true;
    }

    /** One of the nodes: the same one of the same group in every run. */
    private String node() {
        return chaos.any(chaos.nodesOf(chaos.any(chaos.datasets().get(0).groupNames())));
    }

    private String describe(String uuid) {
        String group = chaos.allocation().get(uuid);
        return chaos.nodesOf(group).indexOf(uuid) + " of group " + group;
    }

    private boolean startDataNode() throws Exception {
        if (chaos.down().isEmpty()) {
            return false;
        }
        String uuid = chaos.any(chaos.down().keySet());
        chaos.log("start DataNode %s", describe(uuid));
        chaos.startDataNode(uuid);
        return true;
    }

    private boolean failOver() throws Exception {
        chaos.log("failover");
        chaos.cluster().failOver();
        return true;
    }

    private boolean restart() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int nameNode = chaos.random(chaos.mini().getNumNameNodes());
        boolean active = nameNode == chaos.cluster().active();
        chaos.log("restart NameNode %d, which is %sactive", nameNode, active ? "" : "not ");
        chaos.cluster().restart(active ? chaos.cluster().killActive() : nameNode);
        chaos.awaitDataNodes();
        return true;
    }

    private boolean catchUp() throws Exception {
        int nameNode =
                chaos.random(2) == 0 ? HaCluster.OBSERVER : 1 - chaos.cluster().active();
        chaos.log("NameNode %d catches up", nameNode);
        chaos.cluster().catchUp(nameNode);
        return true;
    }

    private boolean checkpoint() throws Exception {
        chaos.log("checkpoint");
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
        chaos.fs().saveNamespace();
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        return true;
    }

    private boolean safeMode() throws Exception {
        if (chaos.datasets().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(chaos.datasets());
        TestCommit commit = dataset.next(chaos.newName("w"), 1, 0).stage(chaos.client(), dataset.path(), chaos.fs());
        chaos.log("safe mode during %s to %s", commit.id(), dataset.path());
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
        assertThat(chaos.client().getDataset(dataset.path()).path()).isEqualTo(dataset.path());
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        commit.publish(chaos.client(), dataset.path());
        dataset.published(commit);
        return true;
    }

    private boolean wrongMove() throws Exception {
        List<ChaosDataset> some = chaos.datasets().stream()
                .filter(d -> !d.soundFiles("time").isEmpty())
                .toList();
        if (some.isEmpty() || !chaos.down().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(some);
        String group = chaos.any(dataset.groupNames());
        if (dataset.soundFiles(group).isEmpty()) {
            return false;
        }
        String path = dataset.root(group) + "/" + chaos.any(dataset.soundFiles(group));
        String other = chaos.any(chaos.allocation().values().stream()
                .filter(g -> !g.equals(group))
                .distinct()
                .sorted()
                .toList());
        chaos.log("move a block of %s to %s", path, other);
        LocatedBlock block = chaos.fs().getClient().getLocatedBlocks(path, 0).get(0);
        String target = chaos.nodesOf(other).get(0);
        for (DatanodeInfo node : chaos.fs().getClient().datanodeReport(DatanodeReportType.LIVE)) {
            if (node.getDatanodeUuid().equals(target)) {
                MoveTest.move(block, block.getLocations()[0], node);
            }
        }
        return true;
    }

    /** A node of a group leaves service and comes back. */
    private boolean decommission() throws Exception {
        if (!chaos.down().isEmpty() || chaos.datasets().isEmpty()) {
            return false;
        }
        String uuid = node();
        chaos.log("decommission %s", describe(uuid));
        List<DatanodeDescriptor> nodes = new ArrayList<>();
        for (int i = 0; i < chaos.mini().getNumNameNodes(); i++) {
            DatanodeManager manager =
                    chaos.mini().getNamesystem(i).getBlockManager().getDatanodeManager();
            nodes.add(manager.getDatanode(uuid));
            manager.getDatanodeAdminManager().startDecommission(nodes.get(i));
        }
        await().atMost(Chaos.LONG).until(() -> {
            chaos.mini().triggerHeartbeats();
            return nodes.get(chaos.cluster().active()).isDecommissioned();
        });
        for (int i = 0; i < nodes.size(); i++) {
            DatanodeManager manager =
                    chaos.mini().getNamesystem(i).getBlockManager().getDatanodeManager();
            manager.getDatanodeAdminManager().stopDecommission(nodes.get(i));
        }
        return true;
    }

    /** Even groups have nothing to rebalance. */
    private boolean rebalance() throws Exception {
        if (chaos.allocation().isEmpty() || !chaos.down().isEmpty()) {
            return false;
        }
        chaos.log("rebalance");
        assertThat(chaos.client().rebalance(Action.EXECUTE, 5).getMoveList()).isEmpty();
        assertThat(chaos.client().rebalance(Action.CANCEL, 5).getRunning()).isFalse();
        return true;
    }
}
