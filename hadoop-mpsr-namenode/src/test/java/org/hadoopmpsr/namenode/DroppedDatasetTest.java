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

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DroppedProto;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who was told to read a group's files of a dataset still can for a while after that is dropped. */
class DroppedDatasetTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        TestClock.use(conf);
        conf.setInt("dfs.mpsr.safemode.quiet.seconds", 1);
        conf.setBoolean("dfs.client.retry.policy.enabled", true);
        conf.set("dfs.client.retry.policy.spec", "100,20");
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset published(String path) throws Exception {
        return TestCommit.published(client, cluster.fs(), path);
    }

    private static String planned(Dataset dataset) throws Exception {
        ReadPlan plan = client.plan(dataset.path(), Filter.ALL, "signal").orElseThrow();
        return plan.files().get(0).path();
    }

    private static boolean exists(String path) throws Exception {
        return cluster.fs().exists(new Path(path));
    }

    @Test
    void itsFilesCanBeReadUntilTheTimeIsOver() throws Exception {
        Dataset dataset = published("/dropped/meas");
        String file = planned(dataset);
        new TestCommit(dataset, 10, 20).stage(client, cluster.fs());
        long before = new TestClock().now();

        DropDatasetResponseProto answer = client.dropDataset(dataset.path(), false);
        DroppedProto dropped = answer.getDropped();
        assertThat(answer.getFilesKept()).isEqualTo(1);
        assertThat(dropped.getPath()).isEqualTo(dataset.path());
        assertThat(file).startsWith(dropped.getStoreDir() + "/");
        assertThat(dropped.getFiles()).isEqualTo(2);
        assertThat(dropped.getStoredBytes()).isEqualTo(2_000);
        assertThat(dropped.getDeletedAt()).isBetween(before + 3_600_000, new TestClock().now() + 3_600_000);
        assertThat(DFSTestUtil.readFileAsBytes(cluster.fs(), new Path(file))).hasSize(1_000);
        assertThat(exists(dropped.getStoreDir() + "/staging")).isFalse();

        // nothing else takes it for a dataset or for what one left behind
        assertThat(client.plan(dataset.path(), Filter.ALL, null)).isEmpty();
        assertThat(client.listDatasets()).noneMatch(d -> d.path().equals(dataset.path()));
        assertThat(cluster.status().getWarningList()).noneMatch(w -> w.contains(dropped.getStoreDir()));
        assertThat(cluster.status().getDroppedList()).contains(dropped);
        assertThat(cluster.counter("DroppedStores")).isPositive();
        assertThat(cluster.counter("OrphanedStores")).isZero();
        assertThat(cluster.call("stranger", c -> c.status().getDroppedCount())).isEqualTo(0);

        cluster.fs().delete(new Path(dataset.path()), true);
        Dataset next = published(dataset.path());
        assertThat(next.id()).isNotEqualTo(dataset.id());
        assertThat(DFSTestUtil.readFileAsBytes(cluster.fs(), new Path(file))).hasSize(1_000);

        cluster.restartNameNode();
        assertThat(DFSTestUtil.readFileAsBytes(cluster.fs(), new Path(file))).hasSize(1_000);
        assertThat(cluster.status().getDroppedList()).contains(dropped);
        assertThat(planned(next)).isNotEqualTo(file);

        TestClock.advance(Duration.ofHours(1));
        await().atMost(Duration.ofSeconds(30)).until(() -> !exists(dropped.getStoreDir()));
        await().untilAsserted(
                        () -> assertThat(cluster.status().getDroppedList()).doesNotContain(dropped));
        assertThat(exists(planned(next))).isTrue();
    }

    @Test
    void whatNobodyReadsIsDeletedAtOnce() throws Exception {
        Dataset empty = client.createDataset("/empty/meas", TestCluster.SCHEMA);
        assertThat(client.dropDataset(empty.path(), false).hasDropped()).isFalse();
        Dataset full = published("/now/meas");
        String file = planned(full);
        client.dropDataset(full.path(), true);
        await().atMost(Duration.ofSeconds(30)).until(() -> !exists(file));
        assertThat(cluster.filesBelow("/.mpsr/datasets/" + empty.id())).isEmpty();
    }

    /** The other representations are the only other copies until then. */
    @Test
    void theOthersStayUntilWhatIsKeptHasItsCopies() throws Exception {
        Dataset dataset = published("/copies/meas");
        String kept = new TestCommit(dataset, 0, 10).published("time");
        String other = planned(dataset);
        var stopped = cluster.mini()
                .stopDataNode(cluster.fs()
                        .getFileBlockLocations(new Path(other), 0, 1)[0]
                        .getNames()[0]);
        cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
        try {
            DroppedProto dropped = client.dropDataset(dataset.path(), true).getDropped();
            assertThat(dropped.getLackingFiles()).isEqualTo(1);
            DFSTestUtil.waitReplication(cluster.fs(), new Path(kept), (short) 2);
            cluster.restartNameNodeAlone();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(cluster.status().getDroppedList())
                            .filteredOn(d -> d.getPath().equals(dataset.path()))
                            .singleElement()
                            .satisfies(d -> assertThat(d.getLackingFiles()).isEqualTo(1)));
            assertThat(exists(dropped.getStoreDir())).isTrue();
        } finally {
            cluster.mini().restartDataNode(stopped, true);
            cluster.mini().waitActive();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> !exists("/.mpsr/datasets/" + dataset.id()));
        assertThat(cluster.fs().getFileBlockLocations(new Path(kept), 0, 1)[0].getNames())
                .hasSize(3);
    }

    @Test
    void whatIsKeptHasNoAttributeOfOurs() throws Exception {
        Dataset dataset = published("/unmarked/meas");
        Path kept = new Path(new TestCommit(dataset, 0, 10).published("time"));
        assertThat(cluster.fs().getXAttrs(kept)).containsKey(Attributes.FILE);

        client.dropDataset(dataset.path(), true);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(cluster.fs().getXAttrs(kept)).isEmpty());
    }

    @Test
    void whoDeletesItByHandIsNotMissed() throws Exception {
        Dataset dataset = published("/byhand/meas");
        DroppedProto dropped = client.dropDataset(dataset.path(), false).getDropped();
        cluster.pastMpsr().delete(new Path(dropped.getStoreDir()), true);
        await().untilAsserted(
                        () -> assertThat(cluster.status().getDroppedList()).doesNotContain(dropped));
    }

    /** A crash in the middle of a drop: the mark alone is nothing. */
    @Test
    void aMarkAloneDropsNothing() throws Exception {
        Dataset dataset = published("/marked/meas");
        String store = "/.mpsr/datasets/" + dataset.id();
        cluster.pastMpsr()
                .setXAttr(
                        new Path(store),
                        Attributes.DROPPED,
                        DropProto.newBuilder()
                                .setPath(dataset.path())
                                .setTime(1)
                                .setFiles(2)
                                .setStoredBytes(2_000)
                                .build()
                                .toByteArray());
        cluster.restartNameNode();
        assertThat(client.listDatasets()).anyMatch(d -> d.id().equals(dataset.id()));
        new TestCommit(dataset, 10, 20).stage(client, cluster.fs()).publish(client);
        assertThat(List.of(
                        client.dropDataset(dataset.path(), false).getDropped().getFiles()))
                .containsExactly(4L);
        assertThat(exists(store)).isTrue();
    }

    @Test
    void safeModeDoesNotWaitForItsBlocks() throws Exception {
        Dataset dataset = published("/safe/meas");
        String file = planned(dataset);
        client.dropDataset(dataset.path(), false);
        var stopped = cluster.mini()
                .stopDataNode(cluster.fs()
                        .getFileBlockLocations(new Path(file), 0, 1)[0]
                        .getNames()[0]);
        try {
            cluster.mini().restartNameNode(0, false);
            assertThat(cluster.mini().getNameNode().isInSafeMode()).isTrue();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !cluster.mini().getNameNode().isInSafeMode());
        } finally {
            cluster.mini().restartDataNode(stopped, true);
            cluster.mini().waitActive();
        }
    }
}
