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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From a stock NameNode by HDFS's rolling upgrade, and what can be had back. */
@Tag("long")
class RollingUpgradeTest {
    private static final Path PLAIN = new Path("/plain/file");

    private TestCluster cluster;
    private Configuration conf;

    @BeforeEach
    void upgrade() throws Exception {
        cluster = TestCluster.start(TestCluster.stock(), 3, 3);
        conf = cluster.mini().getConfiguration(0);
        cluster.write(PLAIN.toString(), 500);
        cluster.fs().setSafeMode(SafeModeAction.ENTER);
        cluster.fs().rollingUpgrade(RollingUpgradeAction.PREPARE);
        cluster.fs().setSafeMode(SafeModeAction.LEAVE);
        TestCluster.addMpsr(conf);
        cluster.mini().restartNameNode("-rollingUpgrade", "started");
        cluster.mini().waitActive();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private TestCommit publish() throws Exception {
        try (MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/new/meas", TestCluster.SCHEMA);
            TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
            commit.publish(client);
            return commit;
        }
    }

    private void restartStock(String... options) throws Exception {
        TestCluster.removeMpsr(conf);
        cluster.mini().restartNameNode(0, false, options);
        cluster.mini().restartDataNodes(); // which must not think that the upgrade goes on
        cluster.mini().waitActive();
    }

    @Test
    void rolledBackItIsTheStockClusterOfBefore() throws Exception {
        publish();
        assertThat(cluster.fs().rollingUpgrade(RollingUpgradeAction.QUERY).isFinalized())
                .isFalse();

        restartStock("-rollingUpgrade", "rollback");

        assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), PLAIN)).hasSize(500);
        assertThat(cluster.fs().exists(new Path("/new"))).isFalse();
        assertThat(cluster.fs().exists(new Path("/.mpsr"))).isFalse();
    }

    @Test
    void finalizedItStaysAndStockReadsIt() throws Exception {
        TestCommit commit = publish();
        cluster.fs().rollingUpgrade(RollingUpgradeAction.FINALIZE);

        restartStock();

        for (String group : new String[] {"time", "signal", "device"}) {
            assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(commit.published(group))))
                    .hasSize(1_000);
        }
        TestCluster.addMpsr(conf);
        cluster.restartNameNode();
        try (MpsrClient client = cluster.client()) {
            assertThat(client.getDataset("/new/meas").representations())
                    .hasSize(3)
                    .allSatisfy(r -> assertThat(r.unusable()).isNull());
        }
    }
}
