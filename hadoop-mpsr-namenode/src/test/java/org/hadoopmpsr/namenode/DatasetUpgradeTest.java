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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.Test;

/** A dataset of format version 1 becomes one of version 2 with its first rewrite, and stays a directory for stock HDFS. */
class DatasetUpgradeTest {

    @Test
    void theFirstRewriteUpgradesAndStockHdfsReadsWhatItLeaves() throws Exception {
        try (TestCluster cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3)) {
            Configuration conf = cluster.mini().getConfiguration(0);
            Dataset dataset;
            TestCommit last;
            TestRewrite rewrite;
            try (MpsrClient client = cluster.client()) {
                dataset = client.createDataset("/old/meas", TestCluster.SCHEMA);
                TestCommit first = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
                first.publish(client);
                TestCommit second = new TestCommit(dataset, 10, 20).stage(client, cluster.fs());
                second.publish(client);
                assertThat(version(cluster, dataset)).isEqualTo(1);
                assertThat(client.getDataset(dataset.path()).changes()).isEqualTo(new Dataset.Changes(0, 2, 0, 0));

                rewrite = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
                assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

                assertThat(version(cluster, dataset)).isEqualTo(2);
                last = new TestCommit(dataset, 20, 30).stage(client, cluster.fs());
                last.publish(client);
                assertThat(client.getDataset(dataset.path()).changes().sequence())
                        .isEqualTo(2);
            }
            List<String> files = new ArrayList<>(rewrite.published("time"));
            files.add(last.published("time"));

            TestCluster.removeMpsr(conf);
            cluster.mini().restartNameNode(0, false);
            cluster.mini().waitActive();
            assertThat(cluster.filesBelow(dataset.path())).containsExactlyInAnyOrderElementsOf(files);
            assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(files.get(0))))
                    .hasSize(2_000);
            cluster.fs().setSafeMode(SafeModeAction.ENTER);
            cluster.fs().saveNamespace();
            cluster.fs().setSafeMode(SafeModeAction.LEAVE);

            TestCluster.addMpsr(conf);
            cluster.restartNameNode();
            try (MpsrClient client = cluster.client()) {
                assertThat(client.getDataset(dataset.path()).representations())
                        .allSatisfy(r -> assertThat(r.unusable()).isNull());
                assertThat(client.segments(dataset.path()).sequence()).isEqualTo(2);
                TestRewrite next = TestRewrite.of(dataset, "m2", last).stage(client, cluster.fs());
                assertThat(next.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
                assertThat(client.getDataset(dataset.path()).changes().sequence())
                        .isEqualTo(3);
            }
        }
    }

    private static int version(TestCluster cluster, Dataset dataset) throws Exception {
        return DatasetProto.parseFrom(cluster.fs().getXAttr(new Path(dataset.path()), Attributes.DATASET))
                .getFormatVersion();
    }
}
