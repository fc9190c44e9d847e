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
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeMoveProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ProblemProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto.Action;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.verify.PlacementCheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes are given another group. */
class RebalanceTest {
    private static final int BLOCK = 10_000;
    private static final int BLOCKS = 12;

    private static final Duration LONG = Duration.ofSeconds(90);

    /** A cluster with two groups whose nodes are recorded before there is a dataset: the i-th of {@code groups}. */
    private static TestCluster start(int racks, String... groups) throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.replica.groups", "time,signal");
        conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 0);
        conf.setInt(DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY, 100);
        TestCluster cluster = TestCluster.start(conf, groups.length, racks);
        for (int i = 0; i < groups.length; i++) {
            String uuid = cluster.mini().getDataNodes().get(i).getDatanodeUuid();
            cluster.pastMpsr().mkdirs(new Path("/.mpsr/nodes/" + groups[i] + "/" + uuid));
        }
        cluster.restartNameNode();
        return cluster;
    }

    private static List<String> moves(RebalanceResponseProto answer) {
        return answer.getMoveList().stream()
                .map(m -> m.getStep() + " " + m.getNode().getHost() + " "
                        + m.getNode().getGroup() + ">" + m.getTo())
                .toList();
    }

    private static Map<String, String> groupByHost(TestCluster cluster) throws IOException {
        Map<String, String> groups = new TreeMap<>();
        for (NodeProto node : cluster.status().getNodeList()) {
            groups.put(node.getHost(), node.getGroup());
        }
        return groups;
    }

    private static Map<String, Set<String>> groupsByRack(TestCluster cluster) throws IOException {
        Map<String, Set<String>> groups = new TreeMap<>();
        for (NodeProto node : cluster.status().getNodeList()) {
            groups.computeIfAbsent(node.getRack(), r -> new TreeSet<>()).add(node.getGroup());
        }
        return groups;
    }

    private static void assertEveryBlockIsInItsGroup(TestCluster cluster, MpsrClient client, Dataset dataset)
            throws IOException {
        PlacementCheck.Result result = PlacementCheck.run(
                client, cluster.mini().getConfiguration(0), cluster.mini().getURI(), dataset.path());
        assertThat(result.violations()).isEmpty();
        assertThat(result.blocks()).isPositive();
    }

    private static List<String> write(TestCluster cluster, Dataset dataset, String name) throws IOException {
        List<String> files = new ArrayList<>();
        DistributedFileSystem past = cluster.pastMpsr();
        for (Dataset.Representation r : dataset.representations()) {
            Path file = new Path(r.root() + "/x=1/" + name);
            Path written = new Path(cluster.writableRoot(dataset, r.group()) + "/_written/" + name);
            DFSTestUtil.createFile(cluster.fs(), written, BLOCKS * BLOCK, (short) 1, name.hashCode());
            past.mkdirs(file.getParent());
            past.delete(file, false);
            assertThat(past.rename(written, file)).isTrue();
            files.add(file.toString());
        }
        return files;
    }

    /** The same, again and again until the first file has blocks on all of these nodes. */
    private static List<String> writeOn(Set<String> nodes, TestCluster cluster, Dataset dataset) throws IOException {
        List<String> files;
        do {
            files = write(cluster, dataset, "before");
        } while (!hosts(cluster, files.get(0)).containsAll(nodes));
        return files;
    }

    private static FSDataOutputStream open(TestCluster cluster, String path, DataNode node) throws IOException {
        FSDataOutputStream out = cluster.fs()
                .create(
                        new Path(path),
                        FsPermission.getFileDefault(),
                        true,
                        512,
                        (short) 1,
                        BLOCK,
                        null,
                        new InetSocketAddress[] {node.getXferAddress()});
        out.write(new byte[BLOCK / 2]);
        out.hflush();
        return out;
    }

    private static Set<String> hosts(TestCluster cluster, String file) throws IOException {
        Set<String> hosts = new TreeSet<>();
        for (LocatedBlock block : blocks(cluster, file)) {
            for (var node : block.getLocations()) {
                hosts.add(node.getHostName());
            }
        }
        return hosts;
    }

    private static List<LocatedBlock> blocks(TestCluster cluster, String file) throws IOException {
        return cluster.fs()
                .getClient()
                .getLocatedBlocks(file, 0, Long.MAX_VALUE)
                .getLocatedBlocks();
    }

    private static void awaitCopies(TestCluster cluster, String file, int copies) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(blocks(cluster, file))
                        .allSatisfy(block -> assertThat(block.getLocations()).hasSize(copies)));
    }

    /** When the copies of a file's blocks on a node were written. */
    private static List<FileTime> copiesOn(int node, TestCluster cluster, String file) throws IOException {
        List<FileTime> written = new ArrayList<>();
        for (LocatedBlock block : blocks(cluster, file)) {
            java.nio.file.Path copy =
                    cluster.mini().getBlockFile(node, block.getBlock()).toPath();
            written.add(Files.getLastModifiedTime(copy));
        }
        return written;
    }

    /** Fails at once when an invariant does not hold on the way. */
    private static void awaitEnd(TestCluster cluster, MpsrClient client, Dataset dataset) {
        await().atMost(LONG).untilAsserted(() -> {
            try {
                assertEveryBlockIsInItsGroup(cluster, client, dataset);
                assertRacksAreDisjoint(cluster);
            } catch (AssertionError e) {
                throw new IllegalStateException(e);
            }
            RebalanceResponseProto state = client.rebalance(Action.SHOW, 1);
            assertThat(state.getRunning()).as(state.toString()).isFalse();
        });
    }

    @Tag("long")
    @Test
    void nodesAreEmptiedOneAfterTheOtherAlsoOverARestart() throws Exception {
        try (TestCluster cluster = start(1, "time", "time", "time", "time", "time", "signal");
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/even/meas", TestCluster.SCHEMA);
            List<String> files = writeOn(Set.of("dn0.test", "dn1.test"), cluster, dataset);
            // on all nodes, so that the NameNode finds no other place for copies that it does not know yet after its
            // start
            DFSTestUtil.createFile(cluster.fs(), new Path("/stock"), BLOCKS * BLOCK, (short) 6, 1);
            awaitCopies(cluster, "/stock", 6);
            List<FileTime> stockCopies = copiesOn(0, cluster, "/stock");
            assertThat(moves(client.rebalance(Action.SHOW, 1)))
                    .containsExactly("1 dn0.test time>signal", "2 dn1.test time>signal");
            assertThatThrownBy(() -> cluster.as("nobody", () -> {
                        try (MpsrClient own = cluster.client()) {
                            return own.rebalance(Action.EXECUTE, 1);
                        }
                    }))
                    .hasMessageContaining("Superuser privilege is required for operation mpsrRebalance");

            FSDataOutputStream out = open(
                    cluster,
                    "/even/meas/x=1/open",
                    cluster.mini().getDataNodes().get(0));
            RebalanceResponseProto started = client.rebalance(Action.EXECUTE, 3);
            assertThat(started.getRunning()).isTrue();
            assertThat(started.getMoveList())
                    .extracting(NodeMoveProto::getDraining)
                    .containsExactly(true, false);
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(client.rebalance(Action.SHOW, 1).getWaiting())
                                    .isEqualTo("/even/meas/x=1/open is being written to DataNode dn0.test"));
            assertThat(hosts(cluster, files.get(0))).doesNotContain("dn0.test").contains("dn1.test");
            assertThat(cluster.counter("DrainedBlocks")).isPositive();

            cluster.restartNameNode();
            write(cluster, dataset, "after").forEach(file -> {
                try {
                    assertThat(hosts(cluster, file)).doesNotContain("dn0.test");
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(client.rebalance(Action.SHOW, 1).getWaiting())
                                    .contains("is being written to DataNode dn0.test"));
            assertThat(groupByHost(cluster)).containsEntry("dn0.test", "time");
            assertThat(cluster.status().getWarningList())
                    .contains("the rebalance waits: /even/meas/x=1/open is being written to DataNode dn0.test");
            out.close();

            awaitEnd(cluster, client, dataset);
            assertThat(groupByHost(cluster))
                    .containsExactly(
                            Map.entry("dn0.test", "signal"),
                            Map.entry("dn1.test", "signal"),
                            Map.entry("dn2.test", "time"),
                            Map.entry("dn3.test", "time"),
                            Map.entry("dn4.test", "time"),
                            Map.entry("dn5.test", "signal"));
            assertThat(hosts(cluster, "/even/meas/x=1/open")).doesNotContain("dn0.test");
            awaitCopies(cluster, "/stock", 6);
            assertThat(copiesOn(0, cluster, "/stock")).as("other files stay").isEqualTo(stockCopies);
            for (String file : files) {
                assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(file)))
                        .hasSize(BLOCKS * BLOCK);
            }
            write(cluster, dataset, "new");
            assertThat(hosts(cluster, dataset.representations().get(1).root() + "/x=1/new"))
                    .containsAnyOf("dn0.test", "dn1.test");
            assertThat(client.rebalance(Action.EXECUTE, 1).getMoveList()).isEmpty();

            // a copy of a block of its old group, ordered before, arrives late
            reportReceived(cluster, cluster.mini().getDataNodes().get(0), firstBlock(cluster, files.get(0)));
            assertThat(cluster.counter("RefusedMoves")).isEqualTo(1);
            assertThat(hosts(cluster, files.get(0))).doesNotContain("dn0.test");
        }
    }

    private static ExtendedBlock firstBlock(TestCluster cluster, String file) throws IOException {
        return cluster.fs().getClient().getLocatedBlocks(file, 0).get(0).getBlock();
    }

    private static void reportReceived(TestCluster cluster, DataNode node, ExtendedBlock block) throws IOException {
        String pool = block.getBlockPoolId();
        ReceivedDeletedBlockInfo received =
                new ReceivedDeletedBlockInfo(block.getLocalBlock(), BlockStatus.RECEIVED_BLOCK, "");
        DatanodeStorage storage = node.getFSDataset().getStorageReports(pool)[0].getStorage();
        try (DatanodeProtocolClientSideTranslatorPB nameNode = new DatanodeProtocolClientSideTranslatorPB(
                cluster.mini().getNameNode().getNameNodeAddress(),
                cluster.mini().getConfiguration(0))) {
            nameNode.blockReceivedAndDeleted(
                    node.getDNRegistrationForBP(pool), pool, new StorageReceivedDeletedBlocks[] {
                        new StorageReceivedDeletedBlocks(storage, new ReceivedDeletedBlockInfo[] {received})
                    });
        }
    }

    @Test
    void aCancelledRunLeavesNodesInTheirGroups() throws Exception {
        try (TestCluster cluster = start(1, "time", "time", "time", "signal");
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/cancel/meas", TestCluster.SCHEMA);
            try (FSDataOutputStream out = open(
                    cluster,
                    "/cancel/meas/x=1/open",
                    cluster.mini().getDataNodes().get(0))) {
                assertThat(moves(client.rebalance(Action.EXECUTE, 1))).containsExactly("1 dn0.test time>signal");
                await().atMost(LONG)
                        .untilAsserted(() -> assertThat(
                                        client.rebalance(Action.SHOW, 1).getWaiting())
                                .contains("is being written"));
                assertThat(client.rebalance(Action.CANCEL, 1).getRunning()).isFalse();
                out.write(1);
            }
            open(
                            cluster,
                            "/cancel/meas/x=1/again",
                            cluster.mini().getDataNodes().get(0))
                    .close();
            assertThat(hosts(cluster, "/cancel/meas/x=1/again")).containsExactly("dn0.test");
            cluster.restartNameNode();
            assertThat(client.rebalance(Action.SHOW, 1).getRunning()).isFalse();
            assertThat(groupByHost(cluster)).containsEntry("dn0.test", "time");
            assertEveryBlockIsInItsGroup(cluster, client, dataset);
        }
    }

    @Tag("long")
    @Test
    void aRackChangesItsGroupAsAWhole() throws Exception {
        // racks /r0 and /r1 and /r2 belong to time, /r3 to signal
        try (TestCluster cluster = start(4, "time", "time", "time", "signal", "time", "time", "time", "signal");
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/rack/meas", TestCluster.SCHEMA);
            write(cluster, dataset, "file");
            try (FSDataOutputStream out = open(
                    cluster,
                    "/rack/meas/x=1/on-dn0",
                    cluster.mini().getDataNodes().get(0))) {
                out.write(new byte[(BLOCKS - 1) * BLOCK]);
            }

            assertThatThrownBy(() -> client.rebalance(Action.EXECUTE, 100, -1))
                    .hasMessageContaining("cannot copy -1 bytes per second");
            long start = System.nanoTime();
            assertThat(moves(client.rebalance(Action.EXECUTE, 100, 2 * BLOCK)))
                    .containsExactlyInAnyOrder("1 dn0.test time>signal", "1 dn4.test time>signal");

            awaitEnd(cluster, client, dataset);
            assertThat(cluster.counter("DrainedBlocks")).isGreaterThanOrEqualTo(BLOCKS);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("two blocks in a second, the first at once, the last not whole")
                    .isGreaterThanOrEqualTo(Duration.ofMillis((BLOCKS - 2) * 500));
            assertThat(groupsByRack(cluster))
                    .isEqualTo(Map.of(
                            "/r0", Set.of("signal"),
                            "/r1", Set.of("time"),
                            "/r2", Set.of("time"),
                            "/r3", Set.of("signal")));
            assertThat(cluster.counter("MovedNodes")).isEqualTo(2);
        }
    }

    @Test
    void aNewGroupGetsItsNodesFromTheOthers() throws Exception {
        try (TestCluster cluster = start(1, "time", "time", "signal");
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/more/meas", TestCluster.SCHEMA);
            List<String> files = write(cluster, dataset, "file");
            assertThat(hosts(cluster, files.get(0))).contains("dn0.test");
            cluster.mini().getConfiguration(0).set("dfs.mpsr.replica.groups", "time,signal,device");
            cluster.restartNameNode();
            assertThat(cluster.status().getProblemList())
                    .extracting(ProblemProto::getCause, ProblemProto::getFix)
                    .containsExactly(tuple(
                            "replica group 'device' has no DataNode: all are allocated to other groups",
                            "start more DataNodes, or see hdfs mpsr groups rebalance"));

            assertThat(moves(client.rebalance(Action.EXECUTE, 5))).containsExactly("1 dn0.test time>device");
            awaitEnd(cluster, client, dataset);

            assertThat(hosts(cluster, files.get(0))).containsExactly("dn1.test");
            assertThat(cluster.status().getState()).isEqualTo("ready");
        }
    }

    @Tag("long")
    @Test
    void aDeadNodeIsWaitedForOrForgotten() throws Exception {
        try (TestCluster cluster = start(1, "time", "time", "time", "signal");
                MpsrClient client = cluster.client()) {
            client.createDataset("/dead/meas", TestCluster.SCHEMA);
            DataNode node = cluster.mini().getDataNodes().get(0);
            String alive = cluster.mini().getDataNodes().get(1).getDatanodeUuid();
            cluster.mini().stopDataNode(0);
            assertThat(moves(client.rebalance(Action.EXECUTE, 1))).containsExactly("1 dn0.test time>signal");
            cluster.mini().setDataNodeDead(node.getDatanodeId());

            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(
                                    client.rebalance(Action.SHOW, 1).getWaiting())
                            .isEqualTo("DataNode dn0.test is not alive; start it, or forget it when it will not come"
                                    + " back, or cancel"));

            assertThatThrownBy(() -> client.forgetNodes(List.of(node.getDatanodeUuid(), alive)))
                    .hasMessageContaining("cannot forget dn1.test (" + alive + "): alive");
            assertThat(client.forgetNodes(List.of(node.getDatanodeUuid(), "never-seen")))
                    .extracting(NodeProto::getUuid, NodeProto::getGroup)
                    .containsExactly(tuple(node.getDatanodeUuid(), "time"));
            assertThat(client.forgetNodes(List.of(node.getDatanodeUuid()))).isEmpty();
            assertThat(client.rebalance(Action.SHOW, 1)).satisfies(now -> {
                assertThat(now.getRunning()).isFalse();
                assertThat(now.getMoveList()).as("two to one is even enough").isEmpty();
            });
            cluster.restartNameNode();
            assertThat(cluster.status().getNodeList())
                    .hasSize(3)
                    .extracting(NodeProto::getUuid)
                    .contains(alive);
        }
    }

    private static void assertRacksAreDisjoint(TestCluster cluster) throws IOException {
        Map<String, Set<String>> groups = groupsByRack(cluster);
        if (groups.size() > 1) {
            assertThat(groups.values()).allMatch(g -> g.size() == 1);
        }
    }
}
