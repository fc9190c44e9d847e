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
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.SlowPeerTracker;
import org.apache.hadoop.hdfs.server.protocol.OutlierMetrics;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads turn away from DataNodes that HDFS reports as slow, where another group answers sooner. */
class SlowNodesTest {
    private @Nullable TestCluster cluster;
    private @Nullable MpsrClient client;

    @AfterEach
    void stop() {
        if (client != null) {
            client.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private Dataset start(String factor) throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setBoolean("dfs.datanode.peer.stats.enabled", true);
        conf.set("dfs.mpsr.cost.slow.node.factor", factor);
        cluster = TestCluster.start(conf, 3, 1);
        client = cluster.client();
        return TestCommit.published(client, cluster.fs(), "/cals/meas");
    }

    private ReadPlan plan(Dataset dataset, @Nullable String group) throws Exception {
        ReadRequest all = new ReadRequest(Filter.ALL, Set.of("value")).inParts();
        return client.plan(dataset.path(), all, group, List.of()).orElseThrow();
    }

    /** Another DataNode has waited for the one that has the group's first file. */
    private void reportSlow(Dataset dataset, String group) throws Exception {
        DatanodeManager nodes = cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
        SlowPeerTracker tracker = nodes.getSlowPeerTracker();
        String path = new TestCommit(dataset, 0, 10).published(group);
        String node =
                cluster.fs().getFileBlockLocations(new Path(path), 0, 1)[0].getNames()[0];
        tracker.addReport(node, "127.0.0.1:1", new OutlierMetrics(1.0, 1.0, 2.0, 50.0));
        assertThat(tracker.getReportsForNode(node)).hasSize(1);
    }

    private long avoided() throws Exception {
        return cluster.counter("AvoidedSlow");
    }

    @Test
    void anotherGroupIsReadIfItAnswersSooner() throws Exception {
        Dataset dataset = start("4");
        String cheapest = plan(dataset, null).group();
        long before = avoided();
        reportSlow(dataset, cheapest);
        ReadPlan beside = plan(dataset, null);
        assertThat(beside.group()).isNotEqualTo(cheapest);
        assertThat(beside.candidates().toString()).contains("on DataNodes that HDFS reports as slow");
        assertThat(avoided()).isEqualTo(before + 1);
        assertThat(plan(dataset, cheapest).group()).as("it is asked for").isEqualTo(cheapest);
        assertThat(avoided()).isEqualTo(before + 1);
        for (String group : dataset.groups().names()) {
            reportSlow(dataset, group);
        }
        assertThat(plan(dataset, null).group()).as("all are slow").isEqualTo(cheapest);
        assertThat(avoided()).isEqualTo(before + 1);
    }

    @Test
    void withFactorOneSlowNodesCountAsOthers() throws Exception {
        Dataset dataset = start("1");
        String cheapest = plan(dataset, null).group();
        reportSlow(dataset, cheapest);
        assertThat(plan(dataset, null).group()).isEqualTo(cheapest);
        assertThat(avoided()).isZero();
    }
}
