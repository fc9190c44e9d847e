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
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.DroppedProto;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Plans that clients keep, and dropped datasets, with several NameNodes. */
class HaPlansTest {
    private static HaCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        TestClock.use(conf);
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

    private static Dataset published(String path) throws Exception {
        return TestCommit.published(client, fs, path);
    }

    private static void commit(Dataset dataset, long start) throws Exception {
        new TestCommit(dataset, start, start + 10).stage(client, fs).publish(client);
    }

    private static ReadPlan plan(MpsrClient client, Dataset dataset) throws Exception {
        return client.plan(dataset.path(), Filter.ALL, "signal").orElseThrow();
    }

    @Test
    void aPlanIsMadeAnewAfterAFailover() throws Exception {
        Dataset dataset = published("/over/meas");
        ReadPlan first = plan(client, dataset);
        assertThat(plan(client, dataset)).isSameAs(first);

        cluster.failOver();
        ReadPlan second = plan(client, dataset);
        assertThat(second.files()).isEqualTo(first.files());
        assertThat(second.generation()).isNotEqualTo(first.generation());
        assertThat(plan(client, dataset)).isSameAs(second);

        commit(dataset, 10);
        cluster.failOver();
        assertThat(plan(client, dataset).files()).hasSize(2);
    }

    /** The standby, the observer, and the active NameNode. */
    @Test
    void aStandbyAnswersByHttpAsWebHdfsDoes() throws Exception {
        Dataset dataset = published("/http/meas");
        String plan = "{\"path\": \"" + dataset.path() + "\"}";
        for (int index = 0; index < 3; index++) {
            HttpApiClient api = new HttpApiClient(cluster.mini().getNameNode(index), "user.name=ann");
            if (index == cluster.active()) {
                assertThat(api.plan(plan).ok().get("files").size()).isEqualTo(1);
                continue;
            }
            for (HttpApiClient.Answer answer : List.of(
                    api.plan(plan), api.get("/mpsr/v1/datasets"), api.get("/mpsr/v1/datasets" + dataset.path()))) {
                assertThat(answer.error()).startsWith("403 StandbyException: ");
            }
        }
    }

    @Test
    void whoeverAnswersSaysWhetherAPlanHolds() throws Exception {
        Dataset dataset = published("/observed/meas");
        cluster.catchUp(HaCluster.OBSERVER);
        try (MpsrClient observing = MpsrClient.create(cluster.observerClientConf(), cluster.uri())) {
            ReadPlan observed = plan(observing, dataset);
            assertThat(observed.generation()).isNotEqualTo(plan(client, dataset).generation());
            assertThat(plan(observing, dataset)).isSameAs(observed);

            // the observer does not know it yet: the active NameNode plans
            commit(dataset, 10);
            ReadPlan byActive = plan(observing, dataset);
            assertThat(byActive.files()).hasSize(2);
            assertThat(byActive.generation()).isEqualTo(plan(client, dataset).generation());
            assertThat(plan(observing, dataset)).isSameAs(byActive);
        }
    }

    @Test
    void alteredGroupsAreKnownToWhoeverAnswers() throws Exception {
        Dataset dataset = published("/altered/meas");
        cluster.catchUp(HaCluster.OBSERVER);
        try (MpsrClient observing = MpsrClient.create(cluster.observerClientConf(), cluster.uri())) {
            assertThat(plan(observing, dataset).groups().names()).containsExactly("time", "signal", "device");
            client.alterations().drop(dataset.path(), null, "device");
            cluster.catchUp(HaCluster.OBSERVER);
            await().untilAsserted(() ->
                    assertThat(plan(observing, dataset).groups().names()).containsExactly("time", "signal"));
        }
        cluster.failOver();
        assertThat(plan(client, dataset).groups().names()).containsExactly("time", "signal");
        commit(client.getDataset(dataset.path()), 10);
        assertThat(plan(client, dataset).files()).hasSize(2);
    }

    @Test
    void aDroppedDatasetIsDeletedByWhoeverIsActiveThen() throws Exception {
        Dataset dataset = published("/dropped/meas");
        Path file = new Path(plan(client, dataset).files().get(0).path());
        DroppedProto dropped = client.dropDataset(dataset.path(), false).getDropped();

        cluster.failOver();
        assertThat(client.status().getDroppedList()).containsExactly(dropped);
        assertThat(DFSTestUtil.readFileAsBytes(fs, file)).hasSize(1_000);

        TestClock.advance(Duration.ofHours(1));
        cluster.failOver();
        await().atMost(Duration.ofSeconds(30)).until(() -> !fs.exists(new Path(dropped.getStoreDir())));
        await().untilAsserted(() -> assertThat(client.status().getDroppedList()).isEmpty());
        cluster.failOver();
        assertThat(client.status().getDroppedList()).isEmpty();
    }
}
