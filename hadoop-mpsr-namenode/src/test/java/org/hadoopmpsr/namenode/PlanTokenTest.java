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
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client keeps plans and uses them as long as the NameNode says that they hold: it then gets the same object again. */
class PlanTokenTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        conf.setInt("dfs.mpsr.replica.group.device.replication", 2);
        cluster = TestCluster.start(conf, 6, 3);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset published(String name) throws Exception {
        return TestCommit.published(client, fs, "/" + name + "/meas");
    }

    private static TestCommit commit(Dataset dataset, long start) {
        return new TestCommit(dataset, start, start + 10);
    }

    private static ReadPlan plan(Dataset dataset, String group) throws Exception {
        return client.plan(dataset.path(), Filter.ALL, group).orElseThrow();
    }

    private static ReadPlan planOneSignal(Dataset dataset) throws Exception {
        return client.plan(dataset.path(), new Compare(Operator.EQ, "signal", "PT-0"), null)
                .orElseThrow();
    }

    @Test
    void aPlanIsUsedUntilACommitChangesIt() throws Exception {
        Dataset dataset = published("kept");
        long validated = cluster.counter("ValidatedPlans");
        ReadPlan first = plan(dataset, "signal");
        assertThat(first.files()).hasSize(1);
        assertThat(plan(dataset, "signal")).isSameAs(first);
        assertThat(plan(dataset, "signal")).isSameAs(first);
        assertThat(cluster.counter("ValidatedPlans")).isEqualTo(validated + 2);
        assertThat(plan(dataset, "time")).isNotSameAs(first);

        TestCommit second = commit(dataset, 10).stage(client, fs);
        assertThat(plan(dataset, "signal")).isSameAs(first);
        second.publish(client);
        ReadPlan now = plan(dataset, "signal");
        assertThat(now.files()).hasSize(2);
        assertThat(plan(dataset, "signal")).isSameAs(now);
    }

    @Test
    void aDatasetOfTheSameNameIsAnotherOne() throws Exception {
        Dataset dataset = published("again");
        ReadPlan first = plan(dataset, "signal");
        client.dropDataset(dataset.path(), true);
        assertThat(client.plan(dataset.path(), Filter.ALL, "signal")).isEmpty();
        fs.delete(new Path(dataset.path()), true);
        Dataset other = published("again");

        ReadPlan now = plan(other, "signal");
        assertThat(now.root()).isNotEqualTo(first.root());
        assertThat(plan(other, "signal")).isSameAs(now);
    }

    @Test
    void aRenamedDatasetIsPlannedAnew() throws Exception {
        Dataset dataset = published("renamed");
        ReadPlan first = plan(dataset, "time");
        fs.rename(new Path(dataset.path()), new Path("/renamed/other"));
        await().until(() -> client.plan("/renamed/other", Filter.ALL, "time").isPresent());
        fs.rename(new Path("/renamed/other"), new Path(dataset.path()));
        await().until(() -> client.plan(dataset.path(), Filter.ALL, "time").isPresent());
        assertThat(plan(dataset, "time").files()).isEqualTo(first.files());
    }

    @Test
    void whoMayNotReadAnyMoreLearnsIt() throws Exception {
        Path path = new Path("/rights/meas");
        fs.mkdirs(path);
        Dataset dataset = published("rights");
        cluster.as("reader", () -> {
            try (MpsrClient reader = cluster.client()) {
                Compare filter = new Compare(Operator.EQ, "signal", "PT-0");
                ReadPlan first = reader.plan(dataset.path(), filter, null).orElseThrow();
                assertThat(reader.plan(dataset.path(), filter, null)).containsSame(first);

                Path file = new Path(new TestCommit(dataset, 0, 10).published("time"));
                FsPermission before = fs.getFileStatus(file).getPermission();
                fs.setPermission(file, new FsPermission("600"));
                ReadPlan other = reader.plan(dataset.path(), filter, null).orElseThrow();
                assertThat(other.stock()).isTrue();
                fs.setPermission(file, before);
                assertThat(reader.plan(dataset.path(), filter, null)
                                .orElseThrow()
                                .group())
                        .isEqualTo(first.group());

                fs.setPermission(path, new FsPermission("700"));
                assertThatThrownBy(() -> reader.plan(dataset.path(), filter, null))
                        .hasMessageContaining("Permission denied");
                fs.setPermission(path, new FsPermission("755"));
                assertThat(reader.plan(dataset.path(), filter, null)).isPresent();
            }
            return null;
        });
    }

    @Test
    void aChangedFileEndsIt() throws Exception {
        Dataset dataset = published("changed");
        ReadPlan first = plan(dataset, "time");
        cluster.write(dataset.path() + "/day=2020-01-01/foreign.parquet", 10);
        assertThat(plan(dataset, "time").stock()).isTrue();
        fs.delete(new Path(dataset.path() + "/day=2020-01-01"), true);
        assertThat(plan(dataset, "time").files()).isEqualTo(first.files());
    }

    @Test
    void aLostReplicaEndsItAndSoDoesItsReturn() throws Exception {
        Dataset dataset = published("lost");
        ReadPlan first = planOneSignal(dataset);
        assertThat(first.group()).isEqualTo("signal");
        assertThat(planOneSignal(dataset)).isSameAs(first);
        DataNodeProperties stopped = stop(location(first, 0));
        try {
            ReadPlan around = planOneSignal(dataset);
            assertThat(around.group()).isNotEqualTo("signal");
            // it is not kept: the better one may be back at any moment
            assertThat(planOneSignal(dataset)).isNotSameAs(around);
        } finally {
            cluster.mini().restartDataNode(stopped, true);
            cluster.mini().waitActive();
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> planOneSignal(dataset).group().equals("signal"));
        ReadPlan back = planOneSignal(dataset);
        assertThat(back.files()).isEqualTo(first.files());
        assertThat(planOneSignal(dataset)).isSameAs(back);
    }

    /** Long before HDFS calls a node dead its files are not read, where others have the records; a kept plan does not hold. */
    @Test
    void aSilentNodeIsReadAroundUntilItIsHeardOf() throws Exception {
        Dataset dataset = published("silent");
        ReadPlan first = planOneSignal(dataset);
        assertThat(planOneSignal(dataset)).isSameAs(first);
        DatanodeInfo node = location(first, 0);
        DataNode silenced = cluster.mini().getDataNodes().stream()
                .filter(d -> d.getXferPort() == node.getXferPort())
                .findAny()
                .orElseThrow();
        silence(List.of(silenced));
        try {
            ReadPlan around = planOneSignal(dataset);
            assertThat(around.group()).isNotEqualTo("signal");
            assertThat(around.candidates())
                    .filteredOn(c -> c.group().equals("signal"))
                    .singleElement()
                    .satisfies(c -> assertThat(c.excluded()).contains("not heard of for a while"));
            // who asks for the group gets the records from another one too
            ReadPlan asked = plan(dataset, "signal");
            assertThat(asked.group()).isNotEqualTo("signal");
            assertThat(asked.reason()).contains("group signal, which the reader asked for, cannot be read");
        } finally {
            hearAgain(List.of(silenced));
        }
        await().until(() -> planOneSignal(dataset).group().equals("signal"));
    }

    /** Files whose nodes may still be there are better than none. */
    @Test
    void filesOnSilentNodesAreReadWhereNothingElseHasTheRecords() throws Exception {
        Dataset dataset = published("mute");
        ReadPlan first = plan(dataset, "signal");
        List<DataNode> all = List.copyOf(cluster.mini().getDataNodes());
        silence(all);
        try {
            assertThat(plan(dataset, "signal").files()).isEqualTo(first.files());
        } finally {
            hearAgain(all);
        }
    }

    /** What the NameNode last heard of the nodes is a minute old. */
    private static void silence(List<DataNode> nodes) throws Exception {
        for (DataNode node : nodes) {
            DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
            lastHeard(node.getDatanodeId(), -60_000);
        }
    }

    private static void hearAgain(List<DataNode> nodes) throws Exception {
        for (DataNode node : nodes) {
            DataNodeTestUtils.setHeartbeatsDisabledForTests(node, false);
            DataNodeTestUtils.triggerHeartbeat(node);
        }
    }

    private static void lastHeard(DatanodeID node, long offsetMs) throws Exception {
        DFSTestUtil.resetLastUpdatesWithOffset(
                cluster.mini()
                        .getNamesystem()
                        .getBlockManager()
                        .getDatanodeManager()
                        .getDatanode(node),
                offsetMs);
    }

    /** One of two: nothing is lost, but readers would look for it where it is not. */
    @Test
    void aReplicaThatIsElsewhereIsTold() throws Exception {
        Dataset dataset = published("placed");
        ReadPlan first = plan(dataset, "device");
        assertThat(first.files().get(0).blocks().get(0).hosts()).hasSize(2);
        DatanodeInfo node = location(first, 1);
        DataNodeProperties stopped = stop(node);
        try {
            assertThat(plan(dataset, "device").files().get(0).blocks().get(0).hosts())
                    .hasSize(1)
                    .doesNotContain(node.getHostName());
        } finally {
            cluster.mini().restartDataNode(stopped, true);
            cluster.mini().waitActive();
        }
    }

    private static DatanodeInfo location(ReadPlan plan, int replica) throws Exception {
        LocatedBlock block =
                fs.getClient().getLocatedBlocks(plan.files().get(0).path(), 0).get(0);
        return block.getLocations()[replica];
    }

    private static DataNodeProperties stop(DatanodeInfo node) throws Exception {
        DataNodeProperties stopped = cluster.mini().stopDataNode(node.getXferAddr());
        cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
        return stopped;
    }

    @Test
    void aNameNodeThatWasRestartedPlansAnew() throws Exception {
        Dataset dataset = published("restarted");
        ReadPlan first = plan(dataset, "signal");
        cluster.restartNameNode();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(plan(dataset, "signal").stock()).isFalse());
        ReadPlan now = plan(dataset, "signal");
        assertThat(now).isNotSameAs(first);
        assertThat(now.files()).isEqualTo(first.files());
        assertThat(plan(dataset, "signal")).isSameAs(now);
    }
}
