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

import java.net.URI;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Through a router of a federation, which does not know MPSR, datasets are as on stock HDFS, and keep their groups. */
class RouterTest {
    private static TestCluster cluster;
    private static Router router;
    private static URI uri;
    private static DistributedFileSystem fs;
    private static Dataset dataset;
    private static TestCommit commit;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        try (MpsrClient client = cluster.client()) {
            dataset = client.createDataset("/cals/meas", TestCluster.SCHEMA);
            commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
            commit.publish(client);
        }
        router = OneNamespace.router(cluster.conf(), cluster.mini().getURI().getAuthority());
        uri = URI.create("hdfs://127.0.0.1:" + router.getRpcServerAddress().getPort());
        fs = (DistributedFileSystem) FileSystem.newInstance(uri, cluster.conf());
    }

    @AfterAll
    static void stop() throws Exception {
        fs.close();
        router.stop();
        cluster.close();
    }

    @Test
    void callsToMpsrAreRefusedAsByAStockNameNode() throws Exception {
        try (MpsrClient client = MpsrClient.create(cluster.conf(), uri)) {
            assertThatThrownBy(() -> client.plan(dataset.path(), Filter.ALL, null))
                    .satisfies(e -> assertThat(MpsrClient.isWithoutMpsr(e)).isTrue());
            assertThatThrownBy(client::status)
                    .satisfies(e -> assertThat(MpsrClient.isWithoutMpsr(e)).isTrue());
        }
    }

    @Test
    void theDefaultRepresentationIsRead() throws Exception {
        assertThat(DFSTestUtil.readFileBuffer(fs, new Path(commit.published("time"))))
                .hasSize(1_000);
    }

    @Test
    void whatIsWrittenLiesInItsGroup() throws Exception {
        TestCluster.write(fs, dataset.path() + "/written", 1_000);

        assertThat(cluster.groupsBelow(dataset.path() + "/written")).containsExactly("time");
        assertThat(cluster.stat(dataset.path() + "/written").getReplication()).isEqualTo((short) 1);
    }

    @Test
    void renamesIntoADatasetAreRefused() throws Exception {
        TestCluster.write(fs, "/cals/file", 1_000);

        assertThatThrownBy(() -> fs.rename(new Path("/cals/file"), new Path(dataset.path() + "/in")))
                .hasMessageContaining("copy it instead");
    }
}
