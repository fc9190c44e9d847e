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

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.staging.OpenCommits;
import org.hadoopmpsr.namenode.staging.StagingExpiry;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.writer.CommitKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * However large what MPSR works on, one hold of the namesystem's lock makes few edits and looks at few inodes. An edit
 * takes some 30 microseconds, a look about one.
 *
 * <p>{@code -Dmpsr.days=1000} publishes so many files for each group.
 */
class LockWorkTest {
    private static final Logger LOG = LoggerFactory.getLogger(LockWorkTest.class);
    /** More than one hold takes of anything. */
    private static final int MANY = 1_100;
    /** More files of the default group than appear at once. */
    private static final int DAYS = Integer.getInteger("mpsr.days", 130);

    private static final int MOST_EDITS = 200;
    /** The last look at the staged files sees them all, with their directories. */
    private static final int MOST_LOOKS = 2_500 + 4 * DAYS;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static MpsrNamesystem system;
    private static Mpsr parts;
    private static long laterMs;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
        client.createDataset("/work/first", TestCluster.SCHEMA); // nodes have groups from here on
        system = new MpsrNamesystem(cluster.mini().getNameNode(), new Timer() {
            @Override
            public long now() {
                return super.now() + laterMs;
            }
        });
        parts = Wiring.connect(system, MpsrConfig.read(key -> system.conf().getTrimmed(key)));
        parts.activation().activate();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @AfterEach
    void littleIsDoneInEachHold() throws Exception {
        long edits = Math.max(system.holds().mostEdits(), cluster.counter("LockEditsMax"));
        long looks = Math.max(system.holds().mostLooks(), cluster.counter("LockLooksMax"));
        LOG.info(
                "at most {} edits and {} inodes; the longest hold {} ms, of a publish {} ms",
                edits,
                looks,
                cluster.counter("LockMsMax"),
                cluster.counter("PublishLockMsMax"));
        assertThat(edits).as("edits").isLessThanOrEqualTo(MOST_EDITS);
        assertThat(looks).as("inodes").isLessThanOrEqualTo(MOST_LOOKS);
    }

    private static Dataset dataset(String path) throws Exception {
        Dataset dataset = client.createDataset(path, TestCluster.SCHEMA);
        parts.datasets().load();
        return dataset;
    }

    private static String store(Dataset dataset) {
        return new StoreLayout("/.mpsr").datasetDir(dataset.id());
    }

    @Test
    void aCommitOfManyFilesIsPublished() throws Exception {
        Dataset dataset = dataset("/work/published");
        TestCommit commit = new TestCommit(dataset, 0, 10);
        for (int i = 1; i < DAYS; i++) {
            commit.plus(LocalDate.of(2014, 5, 1).plusDays(i));
        }
        for (int i = 0; i < 100; i++) {
            commit.plus(new CommitSource("many", i, 5, 10));
        }
        commit.stage(client, cluster.fs());

        assertThat(commit.publish(client).outcome()).isEqualTo(PublishResult.Outcome.COMMITTED);

        assertThat(client.getDataset(dataset.path())).satisfies(now -> {
            assertThat(now.representations()).allSatisfy(r -> {
                assertThat(r.files()).isEqualTo(DAYS);
                assertThat(r.unusable()).isNull();
            });
            assertThat(now.offsets()).hasSize(101);
        });
        assertThat(cluster.fs().listStatus(new Path(store(dataset) + "/publishing")))
                .isEmpty();
        assertThat(cluster.counter("OffsetJumps")).isEqualTo(100);
        assertThat(commit.publish(client).outcome()).isEqualTo(PublishResult.Outcome.ALREADY_COMMITTED);

        client.dropDataset(dataset.path(), true);
        assertThat(cluster.fs().exists(new Path(store(dataset) + "/offsets"))).isFalse();
    }

    @Tag("long")
    @Test
    void manyFilesAreAbortedBegunAnewAndExpire() throws Exception {
        Dataset dataset = dataset("/work/staged");
        CommitKey key = new CommitKey(dataset.path(), dataset.id(), "c");
        String staging = parts.commits().begin(key, null, null).directory();
        fill(staging + "/time");
        assertThat(parts.commits().begin(key, null, null).directory()).isEqualTo(staging);
        assertThat(cluster.fs().listStatus(new Path(staging + "/time"))).isEmpty();
        fill(staging + "/signal");
        parts.commits().abort(key);
        assertThat(cluster.fs().exists(new Path(staging))).isFalse();

        parts.commits().begin(key, null, null);
        fill(staging + "/signal/deep");
        Namespace namespace = new Namespace(system);
        StagingExpiry expiry = new StagingExpiry(
                system,
                namespace,
                new StoreLayout("/.mpsr"),
                parts.datasets(),
                parts.counters(),
                new OpenCommits(10, 10),
                new Deletion(system, namespace),
                24,
                10);
        laterMs = TimeUnit.MINUTES.toMillis(11);
        try {
            expiry.deleteExpired();
        } finally {
            laterMs = 0;
        }
        assertThat(cluster.fs().exists(new Path(staging))).isFalse();
    }

    /** Directories and files, one of them hidden. */
    private static void fill(String directory) throws Exception {
        DistributedFileSystem fs = cluster.fs();
        for (int i = 0; i < MANY; i++) {
            fs.mkdirs(new Path(directory + "/d" + i % 30 + "/e" + i));
        }
        fs.mkdirs(new Path(directory + "/.hidden"));
    }

    @Test
    void manyOffsetsAreShownAndReset() throws Exception {
        Dataset dataset = dataset("/work/offsets");
        DistributedFileSystem fs = cluster.pastMpsr();
        List<OffsetReset> resets = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Path record =
                    new Path(store(dataset) + "/offsets/" + new CommittedOffset("t", i, 10, "c-" + i).directoryName());
            fs.mkdirs(record);
            fs.setXAttr(record, "trusted.mpsr.topic", "id".getBytes(StandardCharsets.UTF_8));
            resets.add(new OffsetReset("t", i, 10, i % 2));
        }
        parts.datasets().load();
        assertThat(parts.infos().get(dataset.path()).offsets()).hasSize(MANY);

        List<CommittedOffset> reset = parts.offsetResets().reset(dataset.path(), dataset.id(), resets, false);

        assertThat(reset).hasSize(MANY).allSatisfy(o -> assertThat(o.end()).isEqualTo(o.partition() % 2));
        assertThat(parts.offsetResets().reset(dataset.path(), dataset.id(), resets, false))
                .as("done already")
                .isEqualTo(reset);
        assertThat(parts.counters().snapshot()).containsEntry("ResetOffsets", (long) MANY);
    }

    @Test
    void manyDatasetsAreReadAndTheirRightsForgotten() throws Exception {
        DistributedFileSystem fs = cluster.pastMpsr();
        for (int i = 0; i < MANY; i++) {
            fs.mkdirs(new Path("/.mpsr/datasets/gone-" + i));
        }
        parts.datasets().load();
        assertThat(parts.datasets().refresh()).isFalse();
        parts.rights().retain();
        assertThat(parts.datasets().orphans()).hasSize(MANY);
        for (int i = 0; i < MANY; i++) {
            fs.delete(new Path("/.mpsr/datasets/gone-" + i), true);
        }
        parts.datasets().load();
    }
}
