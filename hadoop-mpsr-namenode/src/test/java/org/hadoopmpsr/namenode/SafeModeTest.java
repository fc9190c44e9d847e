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
import java.time.LocalDate;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The NameNode is restarted while DataNodes are gone. */
class SafeModeTest {
    private TestCluster cluster;
    private MpsrClient client;
    private Dataset dataset;
    private TestCommit commit;

    @BeforeEach
    void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.safemode.quiet.seconds", 1);
        // so that connections from before a restart do no harm
        conf.setBoolean("dfs.client.retry.policy.enabled", true);
        conf.set("dfs.client.retry.policy.spec", "100,20");
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        dataset = client.createDataset("/safe/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        commit.publish(client);
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private boolean isInSafeMode() {
        return cluster.mini().getNameNode().isInSafeMode();
    }

    private DataNodeProperties stopNodeOf(String group) throws Exception {
        Path file = new Path(commit.published(group));
        return cluster.mini()
                .stopDataNode(cluster.fs().getFileBlockLocations(file, 0, 1)[0].getNames()[0]);
    }

    private void restartNameNode() throws Exception {
        cluster.mini().restartNameNode(0, false);
        assertThat(isInSafeMode()).isTrue();
    }

    @Test
    void safeModeEndsWhereOtherGroupsHoldWhatIsMissing() throws Exception {
        // also a commit that is only staged: its records are still where they came from
        new TestCommit(dataset, 10, 20).stage(client, cluster.fs());
        stopNodeOf("signal");
        restartNameNode();

        await().atMost(Duration.ofSeconds(30)).until(() -> !isInSafeMode());

        assertThat(client.plan(dataset.path(), Filter.ALL, null).orElseThrow()).satisfies(plan -> {
            assertThat(plan.stock()).isFalse();
            assertThat(plan.group()).isNotEqualTo("signal");
        });
        await().untilAsserted(() -> assertThat(cluster.status().getWarningList())
                .anyMatch(w -> w.startsWith("replica group 'signal' has no live DataNode")));
    }

    @Test
    void safeModeStaysWhereSomebodyHasChangedTheOtherGroups() throws Exception {
        TestCommit second =
                new TestCommit(dataset, "t-0-10", new CommitSource("t", 0, 10, 20), "PT", LocalDate.of(2014, 5, 1), 3);
        second.stage(client, cluster.fs()).publish(client);
        for (String group : List.of("time", "device")) {
            DFSTestUtil.appendFile(cluster.pastMpsr(), new Path(second.published(group)), 10);
        }
        stopNodeOf("signal");
        restartNameNode();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(cluster.status().getWarningList())
                                .anyMatch(
                                        w -> w.startsWith(
                                                "safe mode stays: the NameNode waits for 3 more block(s); of the missing"
                                                        + " ones 1 can be rebuilt from other replica groups and 3 of datasets cannot")));
        assertThat(isInSafeMode()).isTrue();
    }

    @Test
    void safeModeStaysAndSaysWhyWhereARecordIsInNoGroup() throws Exception {
        DataNodeProperties one = stopNodeOf("signal");
        stopNodeOf("device");
        stopNodeOf("time");
        cluster.mini().restartDataNode(one, true);
        restartNameNode();
        await().untilAsserted(() ->
                assertThat(cluster.mini().getNamesystem().getNumLiveDataNodes()).isEqualTo(1));

        // one group is whole, so what the two others miss can be rebuilt
        await().atMost(Duration.ofSeconds(30)).until(() -> !isInSafeMode());

        DFSTestUtil.createFile(cluster.fs(), new Path("/plain"), 10, (short) 1, 1);
        cluster.mini().stopDataNode(0);
        restartNameNode();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(cluster.status().getWarningList())
                                .anyMatch(
                                        w -> w.startsWith(
                                                "safe mode stays: the NameNode waits for 3 more block(s); of the missing"
                                                        + " ones 0 can be rebuilt from other replica groups and 3 of datasets cannot")));
        assertThat(isInSafeMode()).isTrue();
    }
}
