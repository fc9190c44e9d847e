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

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.apache.hadoop.net.NetUtils;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two groups on a rack each; one is filled, and then both get an empty node. The Balancer runs as its own process. */
class MoveTest {
    private static final int BLOCK = 10_000;
    private static final long CAPACITY = 100 * BLOCK;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static String root;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.replica.groups", "time,signal");
        conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setInt(DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY, 100);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 0);
        conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
        conf.setInt(DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY, 1);
        conf.setInt(DFSConfigKeys.DFS_BALANCER_MAX_NO_MOVE_INTERVAL_KEY, 1_000);
        SimulatedFSDataset.setFactory(conf);
        conf.setLong(SimulatedFSDataset.CONFIG_PROPERTY_CAPACITY, CAPACITY);
        cluster = TestCluster.start(conf, 4, 2);
        client = cluster.client();
        root = cluster.writableRoot(client.createDataset("/moved/meas", TestCluster.SCHEMA), "signal");
        cluster.write(root + "/full", 120 * BLOCK);
        cluster.write("/stock/file", 2 * BLOCK);
        cluster.mini()
                .startDataNodes(
                        conf,
                        2,
                        true,
                        null,
                        new String[] {"/r0", "/r1"},
                        new String[] {"new0.test", "new1.test"},
                        null,
                        false);
        cluster.mini().waitActive();
        await().until(() -> cluster.groupByAddress().size() == 6);
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Map<String, Long> blocksByHost(String path) throws Exception {
        Map<String, Long> blocks = new HashMap<>();
        for (LocatedBlock block : locatedBlocks(path)) {
            assertThat(block.getLocations()).hasSize(1);
            blocks.merge(block.getLocations()[0].getHostName(), 1L, Long::sum);
        }
        return blocks;
    }

    private static List<LocatedBlock> locatedBlocks(String path) throws IOException {
        return cluster.fs()
                .getClient()
                .getLocatedBlocks(path, 0, Long.MAX_VALUE)
                .getLocatedBlocks();
    }

    /** Runs the Balancer, which moves for as long as an iteration lasts; returns what it said. */
    private static String balance(Path dir, Configuration conf) throws Exception {
        try (HdfsTool balancer = new HdfsTool(
                dir,
                conf,
                "org.apache.hadoop.hdfs.server.balancer.Balancer",
                "-idleiterations",
                "1",
                "-threshold",
                "5")) {
            return balancer.finish();
        }
    }

    @Test
    void theBalancerKeepsGroupsWhateverItsConfiguration(@TempDir Path dir) throws Exception {
        Map<String, Long> before = blocksByHost(root + "/full");
        assertThat(before).hasSize(2);
        Configuration ours = cluster.mini().getConfiguration(0);
        String said = balance(dir.resolve("stock"), HdfsTool.withoutMpsr(ours));
        // the copy that a wrong move has made may still be there
        await().untilAsserted(
                        () -> assertThat(blocksByHost(root + "/full")).as(said).isEqualTo(before));

        await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
            String now = balance(Files.createTempDirectory(dir, "ours"), ours);
            Map<String, Long> after = blocksByHost(root + "/full");
            assertThat(after).as(now).hasSize(3);
            // the Balancer ends before all nodes are equal: then it finds no pair of nodes to move between
            assertThat(after.values()).as(now).allMatch(n -> n >= 10);
        });
        assertThat(cluster.groupsBelow(root + "/full")).containsExactly("signal");
    }

    @Test
    void aMoveOutOfTheGroupIsUndone() throws Exception {
        LocatedBlock block = locatedBlocks(root + "/full").get(0);
        DatanodeInfo source = block.getLocations()[0];
        DatanodeInfo target = nodeOf("time");
        long refused = cluster.counter("RefusedMoves");

        move(block, source, target);

        await().untilAsserted(() -> {
            cluster.mini().triggerHeartbeats();
            assertThat(cluster.counter("RefusedMoves")).isEqualTo(refused + 1);
            assertThat(locatedBlocks(root + "/full").get(0).getLocations())
                    .extracting(DatanodeInfo::getDatanodeUuid)
                    .containsExactly(source.getDatanodeUuid());
            assertThat(cluster.mini()
                            .getDataNode(target.getIpcPort())
                            .getFSDataset()
                            .contains(block.getBlock()))
                    .isFalse();
        });
    }

    /** As after a move of which the NameNode heard, and stopped before the copy was deleted. */
    @Test
    void aCopyOutOfTheGroupIsFoundWhenTheNameNodeStarts() throws Exception {
        LocatedBlock block = locatedBlocks(root + "/full").get(1);
        DatanodeInfo source = block.getLocations()[0];
        DatanodeInfo target = nodeOf("time");
        DataNode holder = cluster.mini().getDataNode(target.getIpcPort());
        DataNodeTestUtils.pauseIBR(holder);
        try {
            move(block, source, target);
            assertThat(holder.getFSDataset().contains(block.getBlock())).isTrue();
            cluster.restartNameNodeWithoutReports();
        } finally {
            DataNodeTestUtils.resumeIBR(holder);
        }

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            cluster.mini().triggerHeartbeats();
            assertThat(holder.getFSDataset().contains(block.getBlock())).isFalse();
        });
        // the NameNode had two to choose from, and the right one is on the fuller node
        assertThat(locatedBlocks(root + "/full").get(1).getLocations())
                .extracting(DatanodeInfo::getDatanodeUuid)
                .containsExactly(source.getDatanodeUuid());
    }

    @Test
    void otherBlocksMoveAnywhere() throws Exception {
        LocatedBlock block = locatedBlocks("/stock/file").get(0);
        DatanodeInfo source = block.getLocations()[0];
        DatanodeInfo target =
                nodeOf(cluster.groupByAddress().get(source.getXferAddr()).equals("time") ? "signal" : "time");

        move(block, source, target);

        await().untilAsserted(() -> {
            cluster.mini().triggerHeartbeats();
            assertThat(locatedBlocks("/stock/file").get(0).getLocations())
                    .extracting(DatanodeInfo::getDatanodeUuid)
                    .containsExactly(target.getDatanodeUuid());
        });
    }

    private static DatanodeInfo nodeOf(String group) throws Exception {
        Map<String, String> groups = cluster.groupByAddress();
        for (DatanodeInfo node : cluster.fs().getClient().datanodeReport(DatanodeReportType.LIVE)) {
            if (group.equals(groups.get(node.getXferAddr()))) {
                return node;
            }
        }
        throw new AssertionError("no node of group " + group);
    }

    /** What a Balancer, a Mover and a storage policy satisfier do. */
    static void move(LocatedBlock block, DatanodeInfo source, DatanodeInfo target) throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(NetUtils.createSocketAddr(target.getXferAddr()), 10_000);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            new Sender(out)
                    .replaceBlock(
                            block.getBlock(),
                            StorageType.DEFAULT,
                            BlockTokenSecretManager.DUMMY_TOKEN,
                            source.getDatanodeUuid(),
                            source,
                            null);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            BlockOpResponseProto answer;
            do {
                answer = BlockOpResponseProto.parseDelimitedFrom(in);
            } while (answer.getStatus() == Status.IN_PROGRESS);
            assertThat(answer.getStatus()).as(answer.getMessage()).isEqualTo(Status.SUCCESS);
        }
    }
}
