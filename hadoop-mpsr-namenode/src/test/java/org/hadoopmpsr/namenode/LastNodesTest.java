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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An administrator has HDFS read the lists of hosts again ({@code hdfs dfsadmin -refreshNodes}). */
class LastNodesTest {
    private static final String RESOURCE = "last-nodes-test.xml";

    @TempDir
    private static Path dir;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        // HDFS reads its configuration files again for this call, and none of what a test sets
        Files.writeString(resource(), "<configuration/>");
        Configuration.addDefaultResource(RESOURCE);
        Configuration conf = TestCluster.threeGroups();
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        cluster = TestCluster.start(conf, 4, 4);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        Files.writeString(resource(), "<configuration/>");
    }

    private static Path resource() throws Exception {
        return Path.of(Objects.requireNonNull(LastNodesTest.class.getResource("/"))
                        .toURI())
                .resolve(RESOURCE);
    }

    /** Names the nodes on the list of those that leave, and has HDFS read it. */
    private void exclude(List<DataNode> nodes) throws Exception {
        List<String> addresses =
                nodes.stream().map(n -> n.getDatanodeId().getXferAddr()).toList();
        Path list = Files.write(dir.resolve("exclude"), addresses);
        Files.writeString(
                resource(),
                "<configuration><property><name>" + DFSConfigKeys.DFS_HOSTS_EXCLUDE + "</name><value>" + list
                        + "</value></property></configuration>");
        assertThat(new HdfsConfiguration().get(DFSConfigKeys.DFS_HOSTS_EXCLUDE)).isEqualTo(list.toString());
        cluster.fs().refreshNodes();
    }

    private List<DataNode> nodesOf(String group) throws Exception {
        List<String> uuids = cluster.status().getNodeList().stream()
                .filter(n -> n.getGroup().equals(group))
                .map(n -> n.getUuid())
                .toList();
        return cluster.mini().getDataNodes().stream()
                .filter(n -> uuids.contains(n.getDatanodeUuid()))
                .toList();
    }

    private DatanodeDescriptor descriptor(DataNode node) {
        DatanodeManager nodes = cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
        return nodes.getDatanode(node.getDatanodeUuid());
    }

    @Test
    void theLastNodeInServiceOfAGroupStaysInService() throws Exception {
        try (MpsrClient client = cluster.client()) {
            client.createDataset("/last/meas", TestCluster.SCHEMA);
        }
        await().until(() -> cluster.status().getNodeList().stream().allMatch(n -> n.hasGroup()));
        List<String> groups = List.of("time", "signal", "device");
        String two = groups.stream().filter(g -> size(g) == 2).findFirst().orElseThrow();
        String one = groups.stream().filter(g -> size(g) == 1).findFirst().orElseThrow();
        DataNode last = nodesOf(one).get(0);

        assertThatThrownBy(() -> exclude(List.of(last)))
                .hasMessageContaining("the lists of hosts are not taken over: replica group '" + one
                        + "' would lose its last DataNode in service ("
                        + descriptor(last).getHostName() + ")")
                .hasMessageContaining("add a DataNode to the group");
        assertThat(descriptor(last).isInService()).isTrue();
        assertThat(cluster.counter("RefusedDecommissions")).isEqualTo(1);

        exclude(nodesOf(two).subList(0, 1));
        assertThat(descriptor(nodesOf(two).get(0)).isInService()).isFalse();
        assertThatThrownBy(() -> exclude(nodesOf(two)))
                .hasMessageContaining("replica group '" + two + "' would lose its last DataNode in service");
        assertThat(descriptor(nodesOf(two).get(1)).isInService()).isTrue();

        // the other one comes back as this one leaves
        exclude(nodesOf(two).subList(1, 2));
        assertThat(descriptor(nodesOf(two).get(0)).isInService()).isTrue();
        assertThat(descriptor(nodesOf(two).get(1)).isInService()).isFalse();
        exclude(List.of());
        assertThat(cluster.counter("GroupsOutOfService")).isZero();
    }

    private int size(String group) {
        try {
            return nodesOf(group).size();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClusterWithoutDatasetsMayDecommissionAllItsNodes() throws Exception {
        exclude(cluster.mini().getDataNodes());
        for (DataNode node : cluster.mini().getDataNodes()) {
            assertThat(descriptor(node).isInService()).isFalse();
        }
    }
}
