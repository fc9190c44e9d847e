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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeMoveProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto.Action;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes come, go and leave for good. */
class NodesTest {
    @TempDir
    private static Path dir;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static Map<String, String> roots;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 1);
        conf.set(
                DFSConfigKeys.DFS_HOSTS_EXCLUDE,
                Files.createFile(dir.resolve("exclude")).toString());
        cluster = TestCluster.start(conf, 6, 3);
        client = cluster.client();
        roots = new TreeMap<>();
        Dataset dataset = client.createDataset("/nodes/meas", TestCluster.SCHEMA);
        for (String group : dataset.groups().names()) {
            roots.put(group, cluster.writableRoot(dataset, group));
        }
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static NodeProto node(String host) throws Exception {
        return cluster.status().getNodeList().stream()
                .filter(n -> n.getHost().equals(host))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no live node " + host));
    }

    private static String groupOfRack(String rack) throws Exception {
        return cluster.status().getNodeList().stream()
                .filter(n -> n.getRack().equals(rack) && n.hasGroup())
                .findFirst()
                .orElseThrow()
                .getGroup();
    }

    @Test
    void aNewNodeJoinsTheGroupOfItsRack() throws Exception {
        cluster.mini()
                .startDataNodes(
                        cluster.conf(), 1, true, null, new String[] {"/r1"}, new String[] {"late.test"}, null, false);
        cluster.mini().waitActive();

        await().untilAsserted(() -> assertThat(node("late.test").getGroup()).isEqualTo(groupOfRack("/r1")));
        String group = groupOfRack("/r1");
        for (int i = 0; i < 4; i++) {
            cluster.write(roots.get(group) + "/late/" + i, 3 << 20);
        }
        assertThat(cluster.groupsBelow(roots.get(group) + "/late")).containsExactly(group);
    }

    @Tag("long")
    @Test
    void aDecommissionedNodesBlocksStayInTheGroup() throws Exception {
        NodeProto leaving = node("dn0.test");
        String root = roots.get(leaving.getGroup());
        for (int i = 0; i < 6; i++) {
            cluster.write(root + "/leaving/" + i, 1_000);
        }
        String address = cluster.mini().getDataNodes().get(0).getDatanodeId().getXferAddr();
        Files.writeString(dir.resolve("exclude"), address + "\n");
        cluster.mini()
                .getNamesystem()
                .getBlockManager()
                .getDatanodeManager()
                .refreshNodes(cluster.mini().getConfiguration(0));

        await().atMost(Duration.ofSeconds(60)).until(() -> isDecommissioned(leaving.getUuid()));

        assertThat(cluster.groupsBelow(root + "/leaving")).containsExactly(leaving.getGroup());
        Files.writeString(dir.resolve("exclude"), "");
        cluster.mini()
                .getNamesystem()
                .getBlockManager()
                .getDatanodeManager()
                .refreshNodes(cluster.mini().getConfiguration(0));
    }

    @Test
    void aNodeInMaintenanceIsCopiedWithinTheGroup() throws Exception {
        NodeProto resting = node("dn1.test");
        String root = roots.get(resting.getGroup()) + "/resting";
        int files = 0;
        while (files < 6 || !copies(root).contains("dn1.test")) {
            cluster.write(root + "/" + files++, 1_000);
        }
        DatanodeManager nodes = cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
        DatanodeDescriptor descriptor = nodes.getDatanode(resting.getUuid());
        int written = files;

        nodes.getDatanodeAdminManager().startMaintenance(descriptor, Time.now() + 3_600_000);
        await().atMost(Duration.ofSeconds(60)).until(descriptor::isInMaintenance);
        assertThat(copies(root)).doesNotContain("dn1.test").hasSize(written);
        assertThat(cluster.groupsBelow(root)).containsExactly(resting.getGroup());

        cluster.mini().getNamesystem().writeLock();
        try {
            nodes.getDatanodeAdminManager().stopMaintenance(descriptor);
        } finally {
            cluster.mini().getNamesystem().writeUnlock();
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(copies(root)).hasSize(written));
        assertThat(cluster.groupsBelow(root)).containsExactly(resting.getGroup());
    }

    /** The host of each copy of each block below a path. */
    private static List<String> copies(String path) throws Exception {
        List<String> hosts = new ArrayList<>();
        for (String file : cluster.filesBelow(path)) {
            for (LocatedBlock block : cluster.fs()
                    .getClient()
                    .getLocatedBlocks(file, 0, Long.MAX_VALUE)
                    .getLocatedBlocks()) {
                for (DatanodeInfo holder : block.getLocations()) {
                    hosts.add(holder.getHostName());
                }
            }
        }
        return hosts;
    }

    @Test
    void aNodeOnAnotherRackKeepsItsGroup() throws Exception {
        NodeProto moved = node("dn5.test");
        String root = roots.get(moved.getGroup()) + "/moved";
        for (int i = 0; i < 6; i++) {
            cluster.write(root + "/" + i, 1_000);
        }
        changeRack("/r0", moved.getUuid());
        try {
            assertThat(node("dn5.test").getGroup()).isEqualTo(moved.getGroup());
            assertThat(cluster.status().getWarningList())
                    .anySatisfy(w -> assertThat(w)
                            .startsWith("rack /r0 holds nodes of the replica groups")
                            .endsWith("see hdfs mpsr groups rebalance"));
            assertThat(client.rebalance(Action.SHOW, 1).getMoveList())
                    .filteredOn(m -> m.getNode().getHost().equals("dn5.test"))
                    .extracting(NodeMoveProto::getTo)
                    .containsExactly(groupOfRack("/r0", "dn5.test"));
            assertThat(cluster.groupsBelow(root)).containsExactly(moved.getGroup());
            cluster.write(root + "/new", 1_000);
            assertThat(cluster.groupsBelow(root)).containsExactly(moved.getGroup());
        } finally {
            changeRack("/r2", moved.getUuid());
        }
        assertThat(cluster.status().getWarningList()).noneMatch(w -> w.startsWith("rack "));
    }

    @Test
    void aNodeOnAnotherHostKeepsItsGroup() throws Exception {
        NodeProto before = node("dn3.test");
        String root = roots.get(before.getGroup()) + "/host";
        for (int i = 0; i < 6; i++) {
            cluster.write(root + "/" + i, 1_000);
        }
        StaticMapping.addNodeToRack("other.test", before.getRack());
        changeHost(before.getUuid(), "other.test");
        try {
            NodeProto after = node("other.test");
            assertThat(after.getUuid()).isEqualTo(before.getUuid());
            assertThat(after.getGroup()).isEqualTo(before.getGroup());
            cluster.write(root + "/new", 1_000);
            assertThat(cluster.groupsBelow(root)).containsExactly(before.getGroup());
        } finally {
            changeHost(before.getUuid(), "dn3.test");
        }
    }

    private static void changeHost(String uuid, String host) throws Exception {
        DataNodeProperties stopped = cluster.mini().stopDataNode(indexOf(cluster, uuid));
        Field conf = DataNodeProperties.class.getDeclaredField("conf");
        conf.setAccessible(true);
        ((Configuration) conf.get(stopped)).set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, host);
        cluster.mini().restartDataNode(stopped, true);
        cluster.mini().waitActive();
        await().untilAsserted(() -> assertThat(node(host).getUuid()).isEqualTo(uuid));
    }

    private static void changeRack(String rack, String uuid) throws Exception {
        StaticMapping.addNodeToRack("dn5.test", rack);
        DataNodeProperties stopped = cluster.mini().stopDataNode(indexOf(cluster, uuid));
        cluster.mini().restartDataNode(stopped, true);
        cluster.mini().waitActive();
        await().untilAsserted(() -> assertThat(node("dn5.test").getRack()).isEqualTo(rack));
    }

    private static String groupOfRack(String rack, String without) throws Exception {
        return cluster.status().getNodeList().stream()
                .filter(n -> n.getRack().equals(rack) && !n.getHost().equals(without))
                .findFirst()
                .orElseThrow()
                .getGroup();
    }

    private static boolean isDecommissioned(String uuid) throws Exception {
        for (DatanodeInfo node : cluster.fs().getClient().datanodeReport(DatanodeReportType.ALL)) {
            if (node.getDatanodeUuid().equals(uuid)) {
                return node.isDecommissioned();
            }
        }
        throw new AssertionError("no node " + uuid);
    }

    @Test
    void aGroupWithoutANodeInServiceIsAnAlarm() throws Exception {
        try (TestCluster small = smallCluster();
                MpsrClient own = small.client()) {
            Dataset served = own.createDataset("/served/meas", TestCluster.SCHEMA);
            new TestCommit(served, 0, 10).stage(own, small.fs()).publish(own);
            NodeProto resting = small.status().getNodeList().stream()
                    .filter(n -> n.getGroup().equals("signal"))
                    .findFirst()
                    .orElseThrow();
            DatanodeManager nodes =
                    small.mini().getNamesystem().getBlockManager().getDatanodeManager();
            DatanodeDescriptor node = nodes.getDatanode(resting.getUuid());
            nodes.getDatanodeAdminManager().startDecommission(node);

            String group = "replica group 'signal' has no DataNode in service";
            await().untilAsserted(
                            () -> assertThat(small.status().getWarningList()).anyMatch(w -> w.startsWith(group)));
            await().untilAsserted(() ->
                    assertThat(small.counter("GroupsOutOfService")).isEqualTo(1));
            String staging = own.beginCommit(served.path(), served.id(), "c").stagingDir();
            assertThatThrownBy(() -> small.write(staging + "/signal/new", 10))
                    .hasMessageContaining("cannot write " + staging + "/signal/new: its replica group 'signal' has no"
                            + " DataNode in service; start one of its nodes or put one into service");
            small.write(staging + "/device/new", 10);
            for (int i = 0; i < 3; i++) {
                BlockManagerTestUtil.recheckDecommissionState(nodes);
                assertThat(node.isDecommissionInProgress())
                        .as("it has the only copy of a block")
                        .isTrue();
            }

            nodes.getDatanodeAdminManager().stopDecommission(node);
            assertThat(small.status().getWarningList()).noneMatch(w -> w.startsWith(group));
            small.write(staging + "/signal/new2", 10);
        }
    }

    @Test
    void aGroupWithoutLiveNodesIsAnAlarmAndNotACrash() throws Exception {
        try (TestCluster small = smallCluster();
                MpsrClient own = small.client()) {
            Map<String, String> root = new TreeMap<>();
            Dataset dataset = own.createDataset("/small/meas", TestCluster.SCHEMA);
            for (String group : dataset.groups().names()) {
                root.put(group, small.writableRoot(dataset, group));
            }
            NodeProto lost = small.status().getNodeList().stream()
                    .filter(n -> n.getGroup().equals("signal"))
                    .findFirst()
                    .orElseThrow();
            int index = indexOf(small, lost.getUuid());
            DataNodeProperties stopped = small.mini().stopDataNode(index);
            small.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());

            await().untilAsserted(() -> assertThat(small.status().getWarningList())
                    .contains("replica group 'signal' has no live DataNode: its files cannot be read or written; start"
                            + " one of its nodes, or add a node, which will join it"));
            assertThat(small.status().getNodeList())
                    .filteredOn(n -> !n.getAlive())
                    .as("the dead node, with host and rack")
                    .containsExactly(lost.toBuilder().setAlive(false).build());
            assertThatThrownBy(() -> small.write(root.get("signal") + "/x", 10))
                    .hasMessageContaining("could only be written to 0 of the 1 minReplication nodes");
            small.write(root.get("time") + "/x", 10);
            small.write("/elsewhere", 10);

            // the same machine, formatted: a new uuid
            for (int i = 0; i < 2; i++) {
                FileUtils.cleanDirectory(small.mini().getInstanceStorageDir(index, i));
            }
            small.mini().restartDataNode(stopped, true);
            await().untilAsserted(() ->
                    assertThat(small.status().getWarningList()).noneMatch(w -> w.contains("no live DataNode")));
            assertThat(small.status().getNodeList())
                    .filteredOn(n -> n.getGroup().equals("signal"))
                    .as("the old uuid and the new one")
                    .hasSize(2);
            assertThat(small.status().getWarningList())
                    .contains(
                            "DataNode " + lost.getUuid() + " of replica group 'signal' is unknown to HDFS; start it, or"
                                    + " when it will not come back: hdfs mpsr groups forget " + lost.getUuid());
            assertThat(own.forgetNodes(List.of(lost.getUuid())))
                    .extracting(NodeProto::getGroup)
                    .containsExactly("signal");
            assertThat(small.status().getWarningList()).noneMatch(w -> w.contains("unknown to HDFS"));
            small.write(root.get("signal") + "/y", 10);
            assertThat(small.groupsBelow(root.get("signal") + "/y")).isEqualTo(Set.of("signal"));
        }
    }

    private static TestCluster smallCluster() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        return TestCluster.start(conf, 3, 1);
    }

    private static int indexOf(TestCluster cluster, String uuid) {
        for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
            if (cluster.mini().getDataNodes().get(i).getDatanodeUuid().equals(uuid)) {
                return i;
            }
        }
        throw new AssertionError("no node " + uuid);
    }
}
