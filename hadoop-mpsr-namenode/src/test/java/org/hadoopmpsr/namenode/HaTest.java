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
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRequestProto;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.LeaseRequest.DatasetRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several NameNodes: failover at any moment, and plans by those that are not active. */
class HaTest {
    private static HaCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.safemode.quiet.seconds", 1);
        cluster = HaCluster.start(conf);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        fs.close();
        cluster.close();
    }

    private static ReadPlan plan(Configuration conf, Dataset dataset) throws Exception {
        try (MpsrClient own = MpsrClient.create(conf, cluster.uri())) {
            return own.plan(dataset.path(), new Filter.Unknown(), "signal").orElseThrow();
        }
    }

    /** A plan by a client that reads from observers. Generations tell NameNodes apart. */
    private static ReadPlan planByObservers(Dataset dataset) throws Exception {
        return plan(cluster.observerClientConf(), dataset);
    }

    private static ReadPlan planByActive(Dataset dataset) throws Exception {
        return plan(cluster.clientConf(), dataset);
    }

    @Test
    void otherNameNodesPlanWhatTheyKnow() throws Exception {
        Dataset dataset = client.createDataset("/observed/meas", TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(client, fs).publish(client);

        ReadPlan behind = planByObservers(dataset);
        assertThat(behind.files()).hasSize(1);
        assertThat(behind.generation()).isEqualTo(planByActive(dataset).generation());

        cluster.catchUp(HaCluster.OBSERVER);
        ReadPlan observed = planByObservers(dataset);
        assertThat(observed.files()).isEqualTo(behind.files());
        assertThat(observed.generation()).isNotEqualTo(behind.generation());
        assertThat(planByObservers(dataset).generation()).isEqualTo(observed.generation());

        new TestCommit(dataset, 10, 20).stage(client, fs).publish(client);
        ReadPlan second = planByObservers(dataset);
        assertThat(second.files()).hasSize(2);
        assertThat(second.generation()).isEqualTo(planByActive(dataset).generation());

        cluster.catchUp(1 - cluster.active());
        ReadPlan byStandby = planByObservers(dataset);
        assertThat(byStandby.files()).hasSameElementsAs(second.files());
        assertThat(byStandby.generation()).isNotEqualTo(second.generation());
    }

    @Test
    void whoBecomesActiveKnowsAllAtOnce() throws Exception {
        Dataset dataset = client.createDataset("/over/meas", TestCluster.SCHEMA);
        TestCommit first = new TestCommit(dataset, 0, 10).stage(client, fs);
        first.publish(client);
        TestCommit second = new TestCommit(dataset, 10, 20).stage(client, fs);
        MaintenanceRun run = MaintenanceRun.started("compact", 1_000);
        DatasetRun started = new DatasetRun(dataset.id(), run);
        assertThat(client.maintain(new LeaseRequest("a", 600_000, false, false, List.of(started)))
                        .granted())
                .isTrue();

        cluster.failOver();

        LeaseAnswer other = client.maintain(new LeaseRequest("b", 600_000, false, false, List.of()));
        assertThat(other.granted()).isFalse();
        assertThat(other.reason()).isEqualTo("a maintains the cluster");
        assertThat(client.maintain(new LeaseRequest("a", 600_000, false, false, List.of()))
                        .granted())
                .isTrue();
        assertThat(client.getDataset(dataset.path()).maintenance()).containsExactly(run);

        TestCluster.write(fs, "/over/meas/day=2014-05-03/by-hand.parquet", 1_000);
        assertThat(cluster.groupsBelow("/over/meas/day=2014-05-03")).containsExactly("time");
        fs.delete(new Path("/over/meas/day=2014-05-03"), true);
        assertThat(first.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertThat(second.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertPublished(dataset, 2);
    }

    @Test
    void aStandbyLeavesSafeModeWithoutANodeToo() throws Exception {
        Dataset dataset = client.createDataset("/safe/meas", TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, fs);
        commit.publish(client);
        MiniDFSCluster mini = cluster.mini();
        Path file = new Path(commit.published("signal"));
        DataNodeProperties stopped =
                mini.stopDataNode(fs.getFileBlockLocations(file, 0, 1)[0].getNames()[0]);
        int standby = 1 - cluster.active();
        try {
            fs.rollEdits(); // what it reads when it starts
            cluster.restart(standby);
            assertThat(mini.getNamesystem(standby).isInSafeMode()).isTrue();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !mini.getNamesystem(standby).isInSafeMode());
        } finally {
            mini.restartDataNode(stopped, true);
            for (int i = 0; i < mini.getNumNameNodes(); i++) {
                mini.waitActive(i);
            }
        }
    }

    /** The order to delete the copy is lost with each NameNode that gave it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMoveOutOfTheGroupIsUndoneAfterAFailoverToo(boolean standbyKnowsTheFile) throws Exception {
        Dataset dataset = client.createDataset("/moved-" + standbyKnowsTheFile + "/meas", TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, fs);
        commit.publish(client);
        if (standbyKnowsTheFile) {
            cluster.catchUp(1 - cluster.active());
        }
        LocatedBlock block = block(commit.published("signal"));
        DatanodeInfo right = block.getLocations()[0];
        DatanodeInfo wrong = block(commit.published("device")).getLocations()[0];

        MoveTest.move(block, right, wrong);
        for (int i = 0; i < 3; i++) {
            cluster.failOver();
        }

        DataNode holder = cluster.mini().getDataNodes().stream()
                .filter(node -> node.getDatanodeUuid().equals(wrong.getDatanodeUuid()))
                .findFirst()
                .orElseThrow();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            cluster.mini().triggerHeartbeats();
            cluster.mini().triggerBlockReports();
            assertThat(holder.getFSDataset().contains(block.getBlock())).isFalse();
        });
        assertThat(block(commit.published("signal")).getLocations())
                .extracting(DatanodeInfo::getDatanodeUuid)
                .containsExactly(right.getDatanodeUuid());
    }

    /** As a client does that got no answer: with the same number, and to the NameNode that is active then. */
    private static <T> T call(int number, int repeated, RpcCall<T> call) throws Exception {
        Configuration conf = cluster.clientConf();
        RPC.setProtocolEngine(conf, MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        MpsrProtocolPB active = RPC.getProxy(
                MpsrProtocolPB.class,
                RPC.getProtocolVersion(MpsrProtocolPB.class),
                cluster.mini().getNameNode(cluster.active()).getNameNodeAddress(),
                conf);
        try {
            Client.setCallIdAndRetryCount(number, repeated, null);
            return call.on(active);
        } finally {
            RPC.stopProxy(active);
        }
    }

    private interface RpcCall<T> {
        T on(MpsrProtocolPB nameNode) throws Exception;
    }

    @Test
    void aCallThatIsRepeatedAfterAFailoverIsAnsweredAsTheFirst() throws Exception {
        CreateDatasetRequestProto create = CreateDatasetRequestProto.newBuilder()
                .setPath("/repeated/meas")
                .setSchema(TestCluster.SCHEMA.ddl())
                .build();
        int number = Client.nextCallId();
        DatasetInfoProto made = call(number, 0, n -> n.createDataset(null, create));
        Dataset dataset = client.getDataset("/repeated/meas");
        new TestCommit(dataset, 0, 10).stage(client, fs).publish(client);
        cluster.failOver();
        assertThat(call(number, 1, n -> n.createDataset(null, create)).getDataset())
                .isEqualTo(made.getDataset());

        DatasetRequestProto drop =
                DatasetRequestProto.newBuilder().setPath("/repeated/meas").build();
        int next = Client.nextCallId();
        assertThat(call(next, 0, n -> n.dropDataset(null, drop)).getFilesKept()).isEqualTo(1);
        assertThat(call(next, 1, n -> n.dropDataset(null, drop)).getFilesKept()).isEqualTo(1);
        cluster.failOver();
        assertThat(call(next, 2, n -> n.dropDataset(null, drop)).getFilesKept()).isEqualTo(1);
        assertThatThrownBy(() -> client.dropDataset("/repeated/meas", false)).hasMessageContaining("is not a dataset");
    }

    private static LocatedBlock block(String path) throws Exception {
        return fs.getClient().getLocatedBlocks(path, 0).get(0);
    }

    @Test
    void failoversLoseAndDoubleNothing() throws Exception {
        long seed = Long.getLong("mpsr.seed", 20261121);
        Random random = new Random(seed);
        Dataset dataset = client.createDataset("/seeded/meas", TestCluster.SCHEMA);
        int commits = 24;
        AtomicInteger done = new AtomicInteger();
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            Future<?> written = writer.submit(() -> {
                for (int i = 0; i < commits; i++) {
                    TestCommit commit = new TestCommit(dataset, i * 10, i * 10 + 10).stage(client, fs);
                    assertThat(commit.publish(client).outcome())
                            .as("seed %d, commit %d", seed, i)
                            .isNotEqualTo(Outcome.FENCED);
                    done.incrementAndGet();
                }
                return null;
            });
            for (int next = random.nextInt(3); next < commits; next += 1 + random.nextInt(6)) {
                int reached = next;
                await().until(() -> done.get() >= reached || written.isDone());
                cluster.failOver();
            }
            written.get();
        } finally {
            writer.shutdownNow();
        }
        assertPublished(dataset, commits);
    }

    private static void assertPublished(Dataset dataset, int commits) throws Exception {
        Dataset now = client.getDataset(dataset.path());
        assertThat(now.representations()).hasSize(3).allSatisfy(r -> {
            assertThat(r.files()).isEqualTo(commits);
            assertThat(r.content().count()).isEqualTo(10L * commits);
            assertThat(r.unusable()).isNull();
            assertThat(cluster.groupsBelow(r.root())).containsExactly(r.group());
        });
        assertThat(now.offsets()).extracting(o -> o.end()).isEqualTo(List.of(10L * commits));
    }
}
