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
package org.hadoopmpsr.namenode.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Namespace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The quotas of a dataset directory, and of those above it, hold for staged files and for all groups together. */
class DatasetQuotasTest {
    private static final long NONE = HdfsConstants.QUOTA_DONT_SET;
    private static final int BLOCK = 1 << 20;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    private Dataset dataset;
    private Path directory;
    private Path above;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void create(TestInfo test) throws Exception {
        above = new Path("/" + test.getTestMethod().orElseThrow().getName());
        directory = new Path(above, "deep/meas");
        dataset = client.createDataset(directory.toString(), TestCluster.SCHEMA);
    }

    private BegunCommit begin(String id) throws Exception {
        return client.beginCommit(dataset.path(), dataset.id(), id);
    }

    private static void write(String path, int bytes) throws Exception {
        // not with resources: HDFS fails write and close with one exception, which cannot be added to itself
        OutputStream out = fs.create(new Path(path));
        try {
            out.write(new byte[bytes]);
        } finally {
            out.close();
        }
    }

    /** What stock HDFS would count: the directory and the store together. */
    private long space() throws Exception {
        ContentSummary own = fs.getContentSummary(directory);
        ContentSummary store = fs.getContentSummary(new Path("/.mpsr/datasets/" + dataset.id()));
        return own.getSpaceConsumed() + store.getSpaceConsumed();
    }

    @Test
    void stagedBytesCountBeforeTheyAreWritten() throws Exception {
        for (Path limited : new Path[] {directory, above}) {
            fs.setQuota(limited, NONE, 2L * BLOCK);
            String staging = begin("c" + limited.depth()).require().stagingDir();
            write(staging + "/signal/x/1", BLOCK);
            write(staging + "/time/x/1", BLOCK);
            assertThatThrownBy(() -> write(staging + "/device/x/1", 1))
                    .hasMessageContaining(
                            "The DiskSpace quota of " + limited + " is exceeded: quota = 2097152 B = 2 MB");
            assertThat(space()).isEqualTo(2 * BLOCK);
            client.abortCommit(dataset.path(), dataset.id(), "c" + limited.depth());
            fs.setQuota(limited, NONE, HdfsConstants.QUOTA_RESET);
        }
    }

    @Test
    void allGroupsCountTogether() throws Exception {
        fs.setQuota(directory, NONE, BLOCK + 5_000);
        new TestCommit(dataset, 0, 10).stage(client, fs).publish(client);
        assertThat(space()).isEqualTo(3_000);
        TestCommit second = new TestCommit(dataset, 10, 20);
        second.stage(client, fs);

        fs.setQuota(directory, NONE, 5_000);
        assertThat(client.publish(
                                dataset.path(),
                                dataset.id(),
                                second.id(),
                                List.of(new org.hadoopmpsr.core.commit.CommitSource("t", 0, 10, 20)),
                                second.files())
                        .refusal())
                .satisfies(refusal -> {
                    assertThat(refusal.kind()).isEqualTo(Kind.NO_SPACE);
                    assertThat(refusal.reason())
                            .contains("The DiskSpace quota of " + directory + " is exceeded: quota = 5000 B");
                });
        assertThat(begin("another").refusal())
                .satisfies(refusal -> assertThat(refusal.kind()).isEqualTo(Kind.NO_SPACE));

        fs.setQuota(directory, NONE, 6_000);
        second.publish(client);
        assertThat(space()).isEqualTo(6_000);
        assertThat(client.getDataset(dataset.path()).store().space()).isEqualTo(4_000);
    }

    /** Blocks that are checked at one time and then allocated together, as on a NameNode that checks none. */
    @Test
    void whatIsStagedBeyondAQuotaIsNotPublished() throws Exception {
        fs.setQuota(directory, NONE, 3L * BLOCK);
        TestCommit fits = new TestCommit(dataset, 0, 10).stage(client, fs);
        String staging = begin("large").require().stagingDir();
        for (int i = 0; i < 4; i++) {
            try (OutputStream out = cluster.pastMpsr().create(new Path(staging + "/signal/" + i))) {
                out.write(new byte[BLOCK]);
            }
        }
        assertThat(space()).isGreaterThan(4 * BLOCK);

        assertThatThrownBy(() -> fits.publish(client)).hasMessageContaining("The DiskSpace quota of " + directory);
        assertThat(begin("another").refusal().kind()).isEqualTo(Kind.NO_SPACE);
        assertThatThrownBy(() -> write(staging + "/signal/more", 1)).hasMessageContaining("The DiskSpace quota of");
        assertThat(client.getDataset(dataset.path()).representations()).allMatch(r -> r.files() == 0);

        client.abortCommit(dataset.path(), dataset.id(), "large");
        fits.publish(client);
        assertThat(space()).isEqualTo(3 * TestCommit.BYTES);
    }

    @Test
    void writersAtOneTimeStageAtMostABlockEachBeyondAQuota() throws Exception {
        int writers = 6;
        fs.setQuota(directory, NONE, 2L * BLOCK);
        String staging = begin("c").require().stagingDir();
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Callable<Boolean>> writes = new ArrayList<>();
            for (int i = 0; i < 2 * writers; i++) {
                String file = staging + "/signal/" + i;
                writes.add(() -> {
                    try {
                        write(file, BLOCK);
                        return true;
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("The DiskSpace quota of " + directory + " is exceeded");
                        return false;
                    }
                });
            }
            int written = 0;
            for (Future<Boolean> write : threads.invokeAll(writes)) {
                written += write.get() ? 1 : 0;
            }
            assertThat(written).isBetween(1, 2 + writers - 1);
            assertThat(space()).isEqualTo((long) written * BLOCK);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void namesCount() throws Exception {
        Dataset.StoreUse now = client.getDataset(dataset.path()).store();
        // a commit begins with four directories
        fs.setQuota(directory, 1 + now.names() + 4 + 2, NONE);
        String staging = begin("c").require().stagingDir();
        assertThat(begin("d").refusal()).satisfies(refusal -> {
            assertThat(refusal.kind()).isEqualTo(Kind.NO_SPACE);
            assertThat(refusal.reason())
                    .contains("The NameSpace quota (directories and files) of directory " + directory);
        });
        write(staging + "/signal/x", 1);
        assertThatThrownBy(() -> write(staging + "/signal/y/x", 1)).hasMessageContaining("NameSpace quota");
        assertThatThrownBy(() -> fs.mkdirs(new Path(staging + "/signal/y/z"))).hasMessageContaining("NameSpace quota");
        assertThat(fs.mkdirs(new Path(staging + "/signal/y"))).isTrue();
        assertThat(fs.mkdirs(new Path(staging + "/signal/y"))).as("is there").isTrue();
    }

    @Test
    void storageTypesCount() throws Exception {
        // HDFS counts only files with a policy
        fs.setStoragePolicy(new Path("/.mpsr/datasets/" + dataset.id()), "HOT");
        fs.setQuotaByStorageType(directory, StorageType.DISK, BLOCK);
        String staging = begin("c").require().stagingDir();
        write(staging + "/signal/1", BLOCK);
        assertThatThrownBy(() -> write(staging + "/device/1", 1))
                .hasMessageContaining("Quota by storage type : DISK on path : " + directory + " is exceeded");
    }

    @Test
    void otherDatasetsAndDirectoriesAreNotConcerned() throws Exception {
        Dataset other = client.createDataset(above + "/deep/other", TestCluster.SCHEMA);
        fs.setQuota(directory, NONE, 1);
        new TestCommit(other, 0, 10).stage(client, fs).publish(client);
        fs.setQuota(above, NONE, 3_000 + BLOCK - 1);
        String staging = begin("c").refusal() == null ? "" : "refused";
        assertThat(staging).as("nothing is exceeded yet").isEmpty();
        assertThatThrownBy(() -> new TestCommit(other, 10, 20).stage(client, fs))
                .as("both datasets count above them")
                .hasMessageContaining("The DiskSpace quota of " + above + " is exceeded");
        write("/elsewhere" + directory, BLOCK);
    }

    /** One that an older version made is counted from then on. */
    @Test
    void aStoreThatIsNotCountedCountsToo() throws Exception {
        Path store = new Path("/.mpsr/datasets/" + dataset.id());
        cluster.pastMpsr().setQuota(store, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
        assertThat(client.getDataset(dataset.path()).store().names()).isZero();
        fs.setQuota(directory, 8, NONE);
        assertThat(begin("c").refusal().kind()).isEqualTo(Kind.NO_SPACE);

        MpsrNamesystem system = new MpsrNamesystem(cluster.mini().getNameNode());
        Namespace namespace = new Namespace(system);
        StoreLayout layout = new StoreLayout("/.mpsr");
        Datasets datasets = new Datasets(system, namespace, layout);
        datasets.load();
        new DatasetQuotas(system, namespace, layout, datasets, new StoreUse(system, namespace, layout)).countLimited();
        assertThat(client.getDataset(dataset.path()).store().names()).isPositive();
        assertThat(begin("c").refusal().kind()).isEqualTo(Kind.NO_SPACE);
    }
}
