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

import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The files of a segment lie on their homes: one node of five for the group signal, two of five for the group time. */
class SegmentPlacementTest {
    private static final int BLOCK = 200;
    private static final int NODES = 10;
    private static final Duration LONG = Duration.ofSeconds(60);

    private static Configuration conf() {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.replica.groups", "time,signal");
        conf.set("dfs.mpsr.segment.nodes", "2");
        conf.set("dfs.mpsr.replica.group.signal.segment.nodes", "1");
        conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 0);
        conf.setInt(DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY, 100);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 1);
        return conf;
    }

    private static Set<String> nodesOf(TestCluster cluster, String... paths) throws IOException {
        Set<String> nodes = new HashSet<>();
        for (String path : paths) {
            for (BlockLocation block : cluster.fs().getFileBlockLocations(new Path(path), 0, Long.MAX_VALUE)) {
                nodes.addAll(List.of(block.getNames()));
            }
        }
        return nodes;
    }

    private static String staging(MpsrClient client, Dataset dataset, String segment) throws IOException {
        client.beginCommit(dataset.path(), dataset.id(), segment).require();
        return "/.mpsr/datasets/" + dataset.id() + "/staging/" + segment + "/signal/";
    }

    private static DatanodeDescriptor descriptor(TestCluster cluster, String name) {
        return datanodes(cluster).getDatanodeByXferAddr("127.0.0.1", Integer.parseInt(name.substring(10)));
    }

    private static DatanodeManager datanodes(TestCluster cluster) {
        return cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
    }

    @Test
    void theBlocksOfASegmentLieOnItsHomes() throws Exception {
        try (TestCluster cluster = TestCluster.start(conf(), NODES, 2);
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/placed/meas", TestCluster.SCHEMA);
            Set<String> all = new HashSet<>();
            List<TestCommit> commits = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                CommitSource source = new CommitSource("t", 0, i, i + 1);
                TestCommit commit = new TestCommit(dataset, "t-0-" + i, source, "s", LocalDate.of(2014, 5, 1), 4);
                commit.stage(client, cluster.fs()).publish(client);
                commits.add(commit);
                for (String group : List.of("time", "signal")) {
                    Set<String> homes = nodesOf(cluster, files(commit, dataset, group));
                    assertThat(homes).hasSize(group.equals("time") ? 2 : 1);
                    all.addAll(homes);
                }
            }
            assertThat(all).as("segments have different homes").hasSizeGreaterThan(4);

            // a node that leaves is emptied to the next in order, so that a segment stays together
            String home = nodesOf(cluster, files(commits.get(0), dataset, "signal"))
                    .iterator()
                    .next();
            datanodes(cluster).getDatanodeAdminManager().startDecommission(descriptor(cluster, home));
            await().atMost(LONG).until(() -> descriptor(cluster, home).isDecommissioned());
            for (TestCommit commit : commits) {
                Set<String> homes = nodesOf(cluster, files(commit, dataset, "signal"));
                homes.remove(home);
                assertThat(homes).hasSize(1);
            }

            // a rebuilt file has the homes of its segment
            TestCommit last = commits.get(11);
            TestRebuild rebuild =
                    TestRebuild.of(cluster, dataset, "r1", "signal", last).stage(client, cluster.fs());
            Set<String> homes = nodesOf(cluster, files(last, dataset, "signal"));
            homes.remove(home);
            assertThat(rebuild.publish(client).isCommitted()).isTrue();
            assertThat(nodesOf(cluster, rebuild.published().toArray(String[]::new)))
                    .isEqualTo(homes);

            // what others write lies anywhere in the group
            cluster.write("/placed/meas/x=1/foreign", 40 * BLOCK);
            assertThat(nodesOf(cluster, "/placed/meas/x=1/foreign")).hasSizeGreaterThan(2);
        }
    }

    private static String[] files(TestCommit commit, Dataset dataset, String group) {
        String root = dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
        return commit.files().stream()
                .filter(f -> f.group().equals(group))
                .map(f -> root + "/" + f.relativePath())
                .toArray(String[]::new);
    }

    @Test
    void theNextNodeTakesOverWhereTheHomeIsDead() throws Exception {
        try (TestCluster cluster = TestCluster.start(conf(), NODES, 2);
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/placed/meas", TestCluster.SCHEMA);
            String staging = staging(client, dataset, "c1");
            cluster.write(staging + "1", 5 * BLOCK);
            String home = nodesOf(cluster, staging + "1").iterator().next();
            cluster.restartNameNode();
            cluster.write(staging + "2", 5 * BLOCK);
            assertThat(nodesOf(cluster, staging + "2")).containsExactly(home);

            DataNodeProperties stopped = cluster.mini().stopDataNode(home);
            cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
            cluster.write(staging + "3", 5 * BLOCK);
            cluster.write(staging + "4", 5 * BLOCK);
            assertThat(nodesOf(cluster, staging + "3", staging + "4"))
                    .hasSize(1)
                    .doesNotContain(home);

            cluster.mini().restartDataNode(stopped, true);
            cluster.mini().waitActive();
            List<String> later = new ArrayList<>();
            await().atMost(LONG).untilAsserted(() -> {
                later.add(staging + "later" + later.size());
                cluster.write(later.get(later.size() - 1), 5 * BLOCK);
                assertThat(nodesOf(cluster, later.get(later.size() - 1))).containsExactly(home);
            });
        }
    }

    @Tag("long")
    @Test
    void theNextNodeTakesOverWhereTheHomeIsBusy() throws Exception {
        try (TestCluster cluster = TestCluster.start(conf(), NODES, 2)) {
            // the mini cluster turns it off, real clusters have it on
            cluster.mini().getConfiguration(0).setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, true);
            cluster.restartNameNode();
            String staging;
            try (MpsrClient client = cluster.client()) {
                staging = staging(client, client.createDataset("/placed/meas", TestCluster.SCHEMA), "c1");
            }
            List<FSDataOutputStream> open = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                open.add(begin(cluster, staging + "few" + i));
            }
            cluster.mini().triggerHeartbeats();
            open.add(begin(cluster, staging + "few"));
            Set<String> home = nodesOf(cluster, staging + "few", staging + "few0");
            assertThat(home).as("busier than the others, and not too busy").hasSize(1);

            for (int i = 0; i < 20; i++) {
                open.add(begin(cluster, staging + "many" + i));
            }
            cluster.mini().triggerHeartbeats();
            await().atMost(LONG).untilAsserted(() -> {
                String path = staging + "more" + open.size();
                open.add(begin(cluster, path));
                assertThat(nodesOf(cluster, path)).doesNotContainAnyElementsOf(home);
            });
            for (FSDataOutputStream out : open) {
                out.close();
            }
        }
    }

    private static FSDataOutputStream begin(TestCluster cluster, String path) throws IOException {
        FSDataOutputStream out = cluster.fs().create(new Path(path));
        out.write(1);
        out.hflush();
        return out;
    }

    @Tag("long")
    @Test
    void theNextNodeTakesOverWhereTheHomeIsFull() throws Exception {
        Configuration conf = conf();
        SimulatedFSDataset.setFactory(conf);
        MiniDFSCluster.Builder builder = MiniCluster.builder(conf, NODES, 2).hosts(MiniCluster.hosts(NODES));
        long[] room = new long[NODES];
        Arrays.fill(room, 10L * BLOCK);
        try (TestCluster cluster = TestCluster.start(builder.simulatedCapacities(room), conf);
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/placed/meas", TestCluster.SCHEMA);
            String staging = staging(client, dataset, "c1");
            List<String> nodes = new ArrayList<>();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            cluster.write(staging + i, 4 * BLOCK);
                            nodes.addAll(nodesOf(cluster, staging + i));
                            cluster.mini().triggerHeartbeats();
                        }
                    })
                    .hasMessageContaining("could only be written to 0 of the 1 minReplication nodes");
            assertThat(nodes.subList(0, 2)).as("the home has room").containsOnly(nodes.get(0));
            assertThat(new HashSet<>(nodes))
                    .as("all nodes of the group are full")
                    .hasSize(NODES / 2);
        }
    }
}
