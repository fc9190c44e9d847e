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

import static org.awaitility.Awaitility.await;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/** Steps of DataNodes that go and come, and of blocks that others move. */
final class ChaosNodes {
    private final Chaos chaos;

    ChaosNodes(Chaos chaos) {
        this.chaos = chaos;
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("stop a DataNode", 2, this::stopDataNode),
                new ChaosStep("start the DataNode", 4, this::startDataNode),
                new ChaosStep("move a block to another group", 2, this::wrongMove),
                new ChaosStep("decommission", 1, this::decommission));
    }

    private boolean stopDataNode() throws Exception {
        if (!chaos.dataNodes().down().isEmpty() || chaos.datasets().isEmpty()) {
            return false;
        }
        String uuid = node();
        if (chaos.groups().nodesOf(chaos.groups().all().get(uuid)).size() < 2) {
            return false; // nothing could be written
        }
        chaos.log("stop DataNode %s", describe(uuid));
        chaos.dataNodes().stop(uuid);
        return true;
    }

    /** One of the nodes: the same one of the same group in every run. */
    private String node() {
        return chaos.any(
                chaos.groups().nodesOf(chaos.any(chaos.datasets().get(0).groupNames())));
    }

    private String describe(String uuid) {
        String group = chaos.groups().all().get(uuid);
        return chaos.groups().nodesOf(group).indexOf(uuid) + " of group " + group;
    }

    private boolean startDataNode() throws Exception {
        if (chaos.dataNodes().down().isEmpty()) {
            return false;
        }
        String uuid = chaos.any(chaos.dataNodes().down());
        chaos.log("start DataNode %s", describe(uuid));
        chaos.dataNodes().start(uuid);
        return true;
    }

    private boolean wrongMove() throws Exception {
        List<ChaosDataset> some = chaos.datasets().stream()
                .filter(d -> !d.soundFiles("time").isEmpty())
                .toList();
        if (some.isEmpty() || !chaos.dataNodes().down().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(some);
        String group = chaos.any(dataset.groupNames());
        if (dataset.soundFiles(group).isEmpty()) {
            return false;
        }
        String path = dataset.root(group) + "/" + chaos.any(dataset.soundFiles(group));
        String other = chaos.any(chaos.groups().all().values().stream()
                .filter(g -> !g.equals(group))
                .distinct()
                .sorted()
                .toList());
        chaos.log("move a block of %s to %s", path, other);
        LocatedBlock block = chaos.fs().getClient().getLocatedBlocks(path, 0).get(0);
        String target = chaos.groups().nodesOf(other).get(0);
        for (DatanodeInfo node : chaos.fs().getClient().datanodeReport(DatanodeReportType.LIVE)) {
            if (node.getDatanodeUuid().equals(target)) {
                MoveTest.move(block, block.getLocations()[0], node);
                chaos.dataNodes().moved(block.getBlock(), target);
            }
        }
        return true;
    }

    /** A node of a group leaves service and comes back. */
    private boolean decommission() throws Exception {
        if (!chaos.dataNodes().down().isEmpty() || chaos.datasets().isEmpty()) {
            return false;
        }
        String uuid = node();
        String group = chaos.groups().all().get(uuid);
        if (chaos.groups().nodesOf(group).size() <= chaos.datasets().get(0).replication(group)) {
            return false; // its blocks have no other place
        }
        chaos.log("decommission %s", describe(uuid));
        for (int i = 0; i < chaos.mini().getNumNameNodes(); i++) {
            decommission(i, uuid, true);
        }
        await().atMost(Chaos.LONG).until(() -> {
            chaos.mini().triggerHeartbeats();
            return chaos.mini()
                    .getNamesystem(chaos.cluster().active())
                    .getBlockManager()
                    .getDatanodeManager()
                    .getDatanode(uuid)
                    .isDecommissioned();
        });
        for (int i = 0; i < chaos.mini().getNumNameNodes(); i++) {
            decommission(i, uuid, false);
        }
        return true;
    }

    private void decommission(int nameNode, String uuid, boolean start) throws Exception {
        FSNamesystem namesystem = chaos.mini().getNamesystem(nameNode);
        DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
        namesystem.writeLock();
        try {
            if (start) {
                nodes.getDatanodeAdminManager().startDecommission(nodes.getDatanode(uuid));
            } else {
                nodes.getDatanodeAdminManager().stopDecommission(nodes.getDatanode(uuid));
            }
        } finally {
            namesystem.writeUnlock("chaos");
        }
    }
}
