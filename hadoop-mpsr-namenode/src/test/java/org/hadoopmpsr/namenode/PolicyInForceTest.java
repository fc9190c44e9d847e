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

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The placement policy that is in force is another one for a while, or MPSR is out: seen, told, and put right. */
class PolicyInForceTest {
    private TestCluster cluster;
    private MpsrClient client;
    private Dataset dataset;
    private TestCommit commit;

    @BeforeEach
    void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        conf.setBoolean("dfs.client.retry.policy.enabled", true);
        conf.set("dfs.client.retry.policy.spec", "100,20");
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        dataset = client.createDataset("/policy/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        commit.publish(client);
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    /** What {@code dfsadmin -reconfig} does with the file that it reads. */
    private void reconfigure(Class<?> policy) throws Exception {
        Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
        conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, policy.getName());
        cluster.mini().getNamesystem().getBlockManager().refreshBlockPlacementPolicy(conf);
    }

    @Test
    void anotherPolicyStopsCommitsUntilOursIsBack() throws Exception {
        TestCommit staged = new TestCommit(dataset, 10, 20).stage(client, cluster.fs());
        reconfigure(BlockPlacementPolicyDefault.class);

        String problem = "dfs.block.replicator.classname = '" + BlockPlacementPolicyDefault.class.getName()
                + "': this policy does not keep representations on their nodes; set it to "
                + MpsrBlockPlacementPolicy.class.getName()
                + " and make it effective with hdfs dfsadmin -reconfig namenode HOST:PORT start";
        assertThatThrownBy(() -> staged.publish(client)).hasMessageContaining(problem);
        assertThatThrownBy(() ->
                        client.beginCommit(dataset.path(), dataset.id(), "c").require())
                .hasMessageContaining(problem);
        assertThatThrownBy(() -> cluster.write(dataset.path() + "/new", 10)).hasMessageContaining(problem);
        assertThat(cluster.status().getState()).isEqualTo("off");
        cluster.write("/elsewhere/file", 10);

        reconfigure(MpsrBlockPlacementPolicy.class);

        assertThat(cluster.status().getState()).isEqualTo("ready");
        staged.publish(client);
        assertThat(cluster.groupsBelow("/.mpsr/datasets/" + dataset.id() + "/signal"))
                .containsExactly("signal");
    }

    /** MPSR is taken out, a block is moved and a file gets copies; then MPSR is back, at first under another policy. */
    @Test
    void whatLiesWrongIsToldAndPutRight() throws Exception {
        String moved = commit.published("signal");
        String copied = commit.published("time");
        DatanodeInfo wrong = block(commit.published("device")).getLocations()[0];
        Configuration conf = cluster.mini().getConfiguration(0);
        TestCluster.removeMpsr(conf);
        cluster.restartNameNode();
        MoveTest.move(block(moved), block(moved).getLocations()[0], wrong);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            cluster.mini().triggerHeartbeats();
            assertThat(block(moved).getLocations())
                    .extracting(DatanodeInfo::getDatanodeUuid)
                    .containsExactly(wrong.getDatanodeUuid());
        });
        cluster.fs().setReplication(new Path(copied), (short) 3);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(block(copied).getLocations()).hasSize(3));

        TestCluster.addMpsr(conf);
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        conf.unset(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
        cluster.restartNameNode();
        assertThat(cluster.status().getState()).isEqualTo("off");
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(cluster.status().getWarningList())
                    .contains(
                            dataset.path() + ", group 'signal': 1 block(s) on DataNodes outside the group; MPSR copies"
                                    + " them back while it is ready")
                    .anyMatch(w -> w.startsWith(dataset.path() + ", group 'time': ")
                            && w.contains("1 file(s) with another number of copies than the group's"));
            assertThat(cluster.counter("MisplacedBlocks")).isGreaterThanOrEqualTo(2);
        });

        reconfigure(MpsrBlockPlacementPolicy.class);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            cluster.mini().triggerHeartbeats();
            assertThat(cluster.stat(copied).getReplication()).isEqualTo((short) 1);
            assertThat(groups(copied)).containsExactly("time");
            assertThat(groups(moved)).containsExactly("signal");
            assertThat(cluster.status().getWarningList()).noneMatch(w -> w.startsWith(dataset.path()));
        });
    }

    private LocatedBlock block(String file) throws Exception {
        return cluster.fs()
                .getClient()
                .getLocatedBlocks(file, 0)
                .getLocatedBlocks()
                .get(0);
    }

    private List<String> groups(String file) throws Exception {
        return Arrays.stream(block(file).getLocations())
                .map(node -> groupOf(node.getXferAddr()))
                .toList();
    }

    private String groupOf(String address) {
        try {
            return cluster.groupByAddress().getOrDefault(address, "none");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
