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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What outlives the NameNode: restarted, from a checkpoint, and on a stock NameNode and back. */
class RestartTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private static Dataset dataset;
    private static TestCommit commit;
    private static Map<String, String> allocation;
    private static LeaseRequest.DatasetRun maintained;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 6, 3);
        client = cluster.client();
        dataset = client.createDataset("/kept/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        commit.publish(client);
        maintained = new LeaseRequest.DatasetRun(dataset.id(), MaintenanceRun.started("compact", 1_000));
        client.maintain(new LeaseRequest("keeper", 60_000, false, true, List.of(maintained)));
        allocation = allocation();
        assertThat(allocation).hasSize(6).doesNotContainValue("");
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Map<String, String> allocation() throws Exception {
        Map<String, String> groups = new TreeMap<>();
        for (NodeProto node : cluster.status().getNodeList()) {
            groups.put(node.getUuid(), node.getGroup());
        }
        return groups;
    }

    private static void saveNamespace() throws Exception {
        cluster.fs().setSafeMode(SafeModeAction.ENTER);
        cluster.fs().saveNamespace();
        cluster.fs().setSafeMode(SafeModeAction.LEAVE);
    }

    private static void assertAsBefore() throws Exception {
        assertThat(allocation()).isEqualTo(allocation);
        assertThat(client.getDataset(dataset.path()).representations())
                .hasSize(3)
                .allSatisfy(r -> {
                    assertThat(r.files()).isEqualTo(1);
                    assertThat(r.content().count()).isEqualTo(10);
                    assertThat(r.unusable()).isNull();
                    assertThat(cluster.groupsBelow(r.root())).containsExactly(r.group());
                });
        assertThat(client.getDataset(dataset.path()).maintenance()).containsExactly(maintained.run());
        assertThat(cluster.status().getMaintenance().getHolder()).isEqualTo("keeper");
        assertThat(cluster.status().getMaintenance().getChecked()).isPositive();
        assertThat(client.getDataset(dataset.path()).offsets())
                .singleElement()
                .satisfies(o -> assertThat(o.end()).isEqualTo(10));
    }

    @Test
    void theEditLogKeepsTheAllocation() throws Exception {
        cluster.restartNameNode();
        assertAsBefore();
    }

    @Test
    void aCheckpointKeepsTheAllocation() throws Exception {
        saveNamespace();
        cluster.restartNameNode();
        assertAsBefore();
    }

    @Test
    void aStockNameNodeRunsOnTheSameDirectories() throws Exception {
        Configuration conf = cluster.mini().getConfiguration(0);
        TestCluster.removeMpsr(conf);
        cluster.restartNameNode();

        assertThat(cluster.mini().getNamesystem().getBlockManager().getBlockPlacementPolicy())
                .isNotInstanceOf(MpsrBlockPlacementPolicy.class);
        for (String group : dataset.groups().names()) {
            assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(commit.published(group))))
                    .hasSize(1_000);
        }
        saveNamespace(); // and what it writes, we read
        TestCluster.addMpsr(conf);
        cluster.restartNameNode();
        assertAsBefore();
    }

    @Test
    void nothingIsWrittenUntilThereIsADataset() throws Exception {
        try (TestCluster fresh = TestCluster.start(TestCluster.threeGroups(), 3, 1)) {
            assertThat(fresh.status().getState()).isEqualTo("ready");
            fresh.restartNameNode();
            assertThat(fresh.fs().exists(new Path("/.mpsr"))).isFalse();
        }
    }
}
