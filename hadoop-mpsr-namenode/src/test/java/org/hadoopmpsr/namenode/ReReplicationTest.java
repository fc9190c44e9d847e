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

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A group with two copies of each block loses a node, idle and while it is written to. */
class ReReplicationTest {
    private static final int BLOCK = 1 << 20;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static String root;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.replica.groups", "time,signal");
        conf.setInt("dfs.mpsr.replica.group.signal.replication", 2);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        cluster = TestCluster.start(conf, 8, 2);
        client = cluster.client();
        Dataset dataset = client.createDataset("/lost/meas", TestCluster.SCHEMA);
        root = cluster.writableRoot(dataset, "signal");
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static void awaitTwoCopies(Path path, String without) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            BlockLocation[] blocks = cluster.fs().getFileBlockLocations(path, 0, Long.MAX_VALUE);
            assertThat(blocks)
                    .isNotEmpty()
                    .allSatisfy(b -> assertThat(b.getNames()).hasSize(2).doesNotContain(without));
        });
    }

    @Test
    void lostCopiesAreMadeAgainInTheGroup() throws Exception {
        Path path = new Path(root + "/file");
        cluster.write(path.toString(), 5 * BLOCK);
        String node = nodesOf(path)[0];
        Map<String, String> groups = cluster.groupByAddress();

        DataNodeProperties stopped = cluster.mini().stopDataNode(node);
        cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());

        awaitTwoCopies(path, node);
        for (BlockLocation block : cluster.fs().getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
            assertThat(block.getNames()).allSatisfy(n -> assertThat(groups).containsEntry(n, "signal"));
        }
        cluster.mini().restartDataNode(stopped, true);
        cluster.mini().waitActive();
    }

    @Test
    void aPipelineIsRepairedInTheGroup() throws Exception {
        Path path = new Path(root + "/written");
        Configuration conf = new Configuration(cluster.conf());
        conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "ALWAYS");
        Map<String, String> groups = cluster.groupByAddress();
        String node;
        DataNodeProperties stopped;
        try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), conf);
                FSDataOutputStream out = fs.create(path)) {
            out.write(new byte[1_000]);
            out.hflush();
            node = nodesOf(path)[0];
            stopped = cluster.mini().stopDataNode(node);
            out.write(new byte[BLOCK]);
        }

        // a file may be closed before its second copy was reported
        awaitTwoCopies(path, node);
        for (BlockLocation block : cluster.fs().getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
            assertThat(block.getNames()).allSatisfy(n -> assertThat(groups).containsEntry(n, "signal"));
        }
        cluster.mini().restartDataNode(stopped, true);
        cluster.mini().waitActive();
    }

    private static String[] nodesOf(Path path) throws IOException {
        return cluster.fs().getFileBlockLocations(path, 0, 1)[0].getNames();
    }
}
