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

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two groups on a rack each; only one has archive storage. Cold files are to move there. */
@Tag("long")
class MoverTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int BLOCK = 10_000;

    private static TestCluster cluster;
    private static MpsrClient client;

    @TempDir
    private Path dir;

    /** A file of each group, with the policy COLD. */
    private final Map<String, String> files = new TreeMap<>();

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.replica.groups", "time,signal");
        conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setInt(DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY, 100);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 0);
        conf.setInt(DFSConfigKeys.DFS_MOVER_RETRY_MAX_ATTEMPTS_KEY, 2);
        conf.set(
                DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_MODE_KEY,
                HdfsConstants.StoragePolicySatisfierMode.EXTERNAL.toString());
        StorageType[] archive = {StorageType.DISK, StorageType.ARCHIVE};
        StorageType[] disks = {StorageType.DISK, StorageType.DISK};
        cluster = TestCluster.start(conf, 2, archive, disks, archive, disks);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void write() throws Exception {
        Dataset dataset = client.createDataset("/cold" + NAMES.incrementAndGet() + "/meas", TestCluster.SCHEMA);
        for (Dataset.Representation r : dataset.representations()) {
            String file = cluster.writableRoot(dataset, r.group()) + "/file";
            cluster.write(file, 6 * BLOCK);
            cluster.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(file), "COLD");
            files.put(r.group(), file);
        }
        assertThat(archived("time")).isZero();
    }

    /** Blocks of the group's file on archive storage. */
    private long archived(String group) throws Exception {
        long archived = 0;
        for (LocatedBlock block : cluster.fs()
                .getClient()
                .getLocatedBlocks(files.get(group), 0, Long.MAX_VALUE)
                .getLocatedBlocks()) {
            for (StorageType type : block.getStorageTypes()) {
                archived += type == StorageType.ARCHIVE ? 1 : 0;
            }
        }
        return archived;
    }

    private void assertInGroups(String said) throws Exception {
        for (Map.Entry<String, String> file : files.entrySet()) {
            assertThat(cluster.groupsBelow(file.getValue())).as(said).containsExactly(file.getKey());
        }
    }

    private String move(String name, Configuration conf) throws Exception {
        try (HdfsTool mover = new HdfsTool(
                dir.resolve(name),
                conf,
                "org.apache.hadoop.hdfs.server.mover.Mover",
                "-p",
                files.get("time"),
                files.get("signal"))) {
            return mover.finish();
        }
    }

    @Test
    void theMoverKeepsGroups() throws Exception {
        Configuration ours = cluster.mini().getConfiguration(0);
        long refused = cluster.counter("RefusedMoves");
        String said = move("ours", ours);
        assertThat(archived("time")).as(said).isEqualTo(6);
        assertThat(archived("signal")).as(said).isZero();
        assertInGroups(said);
        assertThat(cluster.counter("RefusedMoves")).as(said).isEqualTo(refused);

        String stock = move("stock", HdfsTool.withoutMpsr(ours));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(cluster.counter("RefusedMoves")).as(stock).isGreaterThan(refused));
        assertInGroups(stock);
        assertThat(archived("signal")).as(stock).isZero();
    }

    @Test
    void theStoragePolicySatisfierKeepsGroups() throws Exception {
        long refused = cluster.counter("RefusedMoves");
        try (HdfsTool satisfier = new HdfsTool(
                dir,
                cluster.mini().getConfiguration(0),
                "org.apache.hadoop.hdfs.server.sps.ExternalStoragePolicySatisfier")) {
            for (String file : files.values()) {
                cluster.fs().satisfyStoragePolicy(new org.apache.hadoop.fs.Path(file));
            }
            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                assertThat(archived("time")).as(satisfier.said()).isEqualTo(6);
                assertThat(cluster.counter("RefusedMoves")).as(satisfier.said()).isGreaterThan(refused);
            });
            assertInGroups(satisfier.said());
            assertThat(archived("signal")).isZero();
        }
    }
}
