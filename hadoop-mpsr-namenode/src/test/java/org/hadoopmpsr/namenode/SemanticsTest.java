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
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The outcomes that docs/semantics.md states. */
class SemanticsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    private Dataset dataset;
    private TestCommit commit;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("fs.trash.interval", 60);
        cluster = TestCluster.start(conf, 6, 3);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void publish() throws Exception {
        dataset = client.createDataset("/d" + NAMES.incrementAndGet() + "/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, fs);
        commit.publish(client);
    }

    private Path path(String name) {
        return new Path(dataset.path(), name);
    }

    private String root(String group) {
        return dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
    }

    private ReadPlan plan() throws Exception {
        return client.plan(dataset.path(), Filter.ALL, null).orElseThrow();
    }

    private void assertStock(String reason) throws Exception {
        assertThat(plan().stock()).isTrue();
        assertThat(plan().reason()).contains(reason);
    }

    private static void assertInGroup(Path path, String group) throws Exception {
        assertThat(cluster.groupsBelow(path.toString())).containsExactly(group);
        assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 1);
    }

    // ---- renames

    @Test
    void aFileFromOutsideIsCopiedNotRenamed() throws Exception {
        Path outside = new Path("/outside" + dataset.path());
        DFSTestUtil.createFile(fs, outside, 1_000, (short) 3, 1);
        String refusal = "the target belongs to replica group 'time', but " + outside
                + " has 3 copies of each block and not 1; copy it instead";

        assertThatThrownBy(() -> fs.rename(outside, path("in"))).hasMessageContaining(refusal);
        assertThatThrownBy(() -> fs.rename(outside, new Path(dataset.path()))).hasMessageContaining(refusal);
        assertThatThrownBy(() -> fs.rename(outside.getParent(), path("in"))).hasMessageContaining(refusal);
        assertThatThrownBy(() -> FileContext.getFileContext(fs.getUri(), cluster.conf())
                        .rename(outside, path("in"), Rename.OVERWRITE))
                .hasMessageContaining(refusal);
        assertThatThrownBy(() -> fs.rename(outside, new Path("/.reserved/raw" + dataset.path() + "/in")))
                .hasMessageContaining(refusal);

        assertThat(FileUtil.copy(fs, outside, fs, path("in"), false, cluster.conf()))
                .isTrue();
        assertInGroup(path("in"), "time");
    }

    @Test
    void aFileWithTheRightNumberOfCopiesInTheWrongPlaceIsNotRenamed() throws Exception {
        String source = cluster.writableRoot(dataset, "signal") + "/made-here";
        cluster.write(source, 1_000);
        Path outside = new Path("/outside" + dataset.path());
        fs.mkdirs(outside.getParent());
        assertThat(cluster.pastMpsr().rename(new Path(source), outside)).isTrue();
        assertThat(fs.getFileStatus(outside).getReplication()).isEqualTo((short) 1);

        assertThatThrownBy(() -> fs.rename(outside, path("in")))
                .hasMessageContaining("has a block on")
                .hasMessageContaining("which is not of that group");
        assertThat(fs.rename(outside, new Path(dataset.path() + "-other"))).isTrue();
    }

    @Test
    void renamesWithinARepresentationAreFree() throws Exception {
        cluster.write(dataset.path() + "/_temporary/0/part", 1_000);
        assertThat(fs.rename(path("_temporary/0/part"), path("part"))).isTrue();
        assertInGroup(path("part"), "time");
    }

    @Test
    void aFileOfAnotherGroupIsNotRenamed() {
        assertThatThrownBy(() -> fs.rename(new Path(commit.published("signal")), path("in")))
                .hasMessageContaining("it holds the records of MPSR; leave /.mpsr where it is, with all that is in it");
        assertThatThrownBy(() -> fs.rename(new Path(commit.published("time")), new Path(root("signal") + "/in")))
                .hasMessageContaining("/.mpsr is MPSR's own; files get there by commits only");
    }

    @Test
    void datasetsFollowRenamesAndDoNotNest() throws Exception {
        Path away = new Path(dataset.path() + "-renamed");
        assertThat(fs.rename(new Path(dataset.path()), away)).isTrue();
        assertThat(client.getDataset(away.toString()).id()).isEqualTo(dataset.id());
        cluster.write(away + "/new", 1_000);
        assertInGroup(new Path(away, "new"), "time");

        Dataset other = client.createDataset("/other" + dataset.path(), TestCluster.SCHEMA);
        assertThatThrownBy(() -> fs.rename(away, new Path(other.path())))
                .hasMessageContaining("a dataset cannot lie within another one");
        assertThatThrownBy(() -> fs.rename(away, new Path("/.mpsr"))).hasMessageContaining("/.mpsr is MPSR's own");
        assertThatThrownBy(() -> fs.rename(new Path("/.mpsr"), new Path("/elsewhere")))
                .hasMessageContaining("it holds the records of MPSR");
    }

    @Test
    void aDeletedDatasetDirectoryLeavesItsStore() throws Exception {
        String store = "/.mpsr/datasets/" + dataset.id();
        String warning = store + " belongs to no dataset directory, and may hold the last copies of records; bring the"
                + " directory back, for example from the trash, or delete this for good with hdfs dfs -rm -r -skipTrash "
                + store;
        assertThat(fs.delete(new Path(dataset.path()), true)).isTrue();

        await().untilAsserted(
                        () -> assertThat(cluster.status().getWarningList()).contains(warning));
        assertThatThrownBy(() -> client.getDataset(dataset.path())).hasMessageContaining(dataset.path());
        assertThat(client.plan(dataset.path(), Filter.ALL, null)).isEmpty();
        assertThat(fs.exists(new Path(commit.published("signal")))).isTrue();
        Dataset again = client.createDataset(dataset.path(), TestCluster.SCHEMA);
        assertThat(again.id()).isNotEqualTo(dataset.id());
        assertThat(again.representations()).allMatch(r -> r.files() == 0);

        assertThat(fs.delete(new Path(store), true)).isTrue();
        await().untilAsserted(
                        () -> assertThat(cluster.status().getWarningList()).doesNotContain(warning));
    }

    /** As Spark does without MPSR when it overwrites all of a directory. */
    @Test
    void aDirectoryThatAJobDeletesAndMakesAnewIsTheDatasetsAgain() throws Exception {
        Path directory = new Path(dataset.path());
        List<CommittedOffset> offsets = client.getDataset(dataset.path()).offsets();
        assertThat(fs.delete(directory, true)).isTrue();
        assertThat(fs.mkdirs(new Path(directory, "_temporary/0"))).isTrue();
        Dataset again = client.getDataset(dataset.path());
        assertThat(again.id()).isEqualTo(dataset.id());
        assertThat(again.offsets()).isEqualTo(offsets);
        assertThat(plan().files()).isEmpty();
        cluster.write(dataset.path() + "/day=2014-05-01/part-0.parquet", 1_000);
        assertInGroup(path("day=2014-05-01/part-0.parquet"), "time");
        assertThat(client.untracked(dataset.path())).hasSize(1);
        assertThat(new TestCommit(again, 10, 20)
                        .stage(client, fs)
                        .publish(client)
                        .isCommitted())
                .isTrue();
        cluster.restartNameNode();
        assertThat(client.getDataset(dataset.path()).id()).isEqualTo(dataset.id());
        assertThat(client.segments(dataset.path()).segments()).hasSize(2);
    }

    /** Also by the NameNode that takes over in between. */
    @Test
    void whoeverElseMakesTheDirectoryAnewHasAnOrdinaryOne() throws Exception {
        Path directory = new Path(dataset.path());
        assertThat(fs.delete(directory, true)).isTrue();
        assertThat(fs.mkdirs(directory)).isTrue();
        await().untilAsserted(() ->
                assertThatThrownBy(() -> client.getDataset(dataset.path())).hasMessageContaining("is not a dataset"));
        fs.setPermission(directory, FsPermission.createImmutable((short) 0777));
        cluster.as("other", () -> {
            try (FileSystem by = FileSystem.newInstance(fs.getUri(), cluster.conf())) {
                return by.mkdirs(new Path(directory, "_temporary/0"));
            }
        });
        assertThatThrownBy(() -> client.getDataset(dataset.path())).hasMessageContaining("is not a dataset");
        cluster.restartNameNode();
        assertThat(fs.mkdirs(new Path(directory, "_temporary/1"))).isTrue();
        assertThat(client.getDataset(dataset.path()).id()).isEqualTo(dataset.id());
    }

    @Test
    void linksAreResolvedFirst() throws Exception {
        FileSystem.enableSymlinks();
        FileContext context = FileContext.getFileContext(fs.getUri(), cluster.conf());
        Path link = new Path("/links" + dataset.path());
        context.createSymlink(new Path(dataset.path()), link, true);

        cluster.write(link + "/through", 1_000);
        assertInGroup(path("through"), "time");
        assertThat(client.plan(link.toString(), Filter.ALL, null)).isEmpty();
        Path outside = new Path("/outside" + dataset.path());
        DFSTestUtil.createFile(fs, outside, 1_000, (short) 3, 1);
        assertThatThrownBy(() -> fs.rename(outside, new Path(link, "in")))
                .hasMessageContaining("the target belongs to replica group 'time'");
        assertThatThrownBy(() -> context.rename(outside, new Path(link, "in")))
                .hasMessageContaining("the target belongs to replica group 'time'");
        assertThat(fs.delete(path("through"), false)).isTrue();

        context.createSymlink(outside, path("day=1/link"), true);
        assertThat(plan().stock()).as("a link is no file of the dataset").isFalse();
        assertThat(fs.delete(link, false)).isTrue();
        assertThat(client.getDataset(dataset.path()).id()).isEqualTo(dataset.id());
    }

    @Test
    void whatWasMovedToTheTrashCanBeMovedBack() throws Exception {
        Path file = new Path(commit.published("time"));
        Trash trash = new Trash(fs, cluster.conf());
        assertThat(trash.moveToTrash(file)).isTrue();
        assertStock("have vanished");

        Path inTrash = Path.mergePaths(new Path(fs.getTrashRoot(file), "Current"), file);
        assertThat(fs.rename(inTrash, file)).isTrue();
        assertInGroup(file, "time");
        assertThat(plan().stock()).isFalse();
    }

    // ---- changes of published files

    @Test
    void anAppendedFileStaysInItsGroupAndLeavesThePlan() throws Exception {
        Path file = new Path(commit.published("time"));
        DFSTestUtil.appendFile(fs, file, 3 << 20);
        assertInGroup(file, "time");
        assertStock("was changed after it was published");
    }

    @Test
    void aTruncatedFileStaysInItsGroupAndLeavesThePlan() throws Exception {
        Path file = new Path(commit.published("time"));
        if (!fs.truncate(file, 500)) {
            await().until(() -> fs.isFileClosed(file));
        }
        assertThat(fs.getFileStatus(file).getLen()).isEqualTo(500);
        assertInGroup(file, "time");
        assertStock("was changed after it was published");
    }

    @Test
    void concatenatedFilesStayInTheirGroupAndLeaveThePlan() throws Exception {
        Path file = new Path(commit.published("time"));
        Path more = new Path(file.getParent(), "more");
        cluster.write(more.toString(), 1_000);
        fs.concat(file, new Path[] {more});
        assertThat(fs.getFileStatus(file).getLen()).isEqualTo(2_000);
        assertInGroup(file, "time");
        assertStock("was changed after it was published");
    }

    // ---- policies and limits

    @Test
    void aDatasetWithTooManyColumnsLeavesNothing() throws Exception {
        StringBuilder columns = new StringBuilder(TestCluster.SCHEMA.ddl());
        for (int i = 0; i < 700; i++) {
            columns.append(", a_column_of_many_").append(i).append(" bigint");
        }
        assertThatThrownBy(() -> client.createDataset("/wide/deep/meas", Schema.parse(columns.toString())))
                .hasMessageContaining(
                        "cannot create a dataset at '/wide/deep/meas' with 705 columns: the extended attribute"
                                + " trusted.mpsr.dataset of /wide/deep/meas would take ")
                .hasMessageContaining(
                        "dfs.namenode.fs-limits.max-xattr-size = 16384 leaves for the value; raise the key in"
                                + " the NameNode's hdfs-site.xml, to at most 32768, or use fewer columns or shorter names");
        assertThat(fs.exists(new Path("/wide"))).isFalse();
        assertThat(fs.listStatus(new Path("/.mpsr/datasets")))
                .extracting(store -> store.getPath().getName())
                .containsExactlyInAnyOrderElementsOf(
                        client.listDatasets().stream().map(Dataset::id).toList());
    }

    @Test
    void filesAreNeverErasureCoded() throws Exception {
        fs.enableErasureCodingPolicy("XOR-2-1-1024k");
        fs.setErasureCodingPolicy(new Path(dataset.path()), "XOR-2-1-1024k");
        cluster.write(dataset.path() + "/coded", 1_000);
        assertThat(fs.getFileStatus(path("coded")).isErasureCoded()).isFalse();
        assertInGroup(path("coded"), "time");

        Path outside = new Path("/coded" + dataset.path() + "/file");
        fs.mkdirs(outside.getParent());
        fs.setErasureCodingPolicy(outside.getParent(), "XOR-2-1-1024k");
        cluster.write(outside.toString(), 1_000);
        assertThat(fs.getFileStatus(outside).isErasureCoded()).isTrue();
        assertThatThrownBy(() -> fs.rename(outside, path("in"))).hasMessageContaining("is erasure-coded");
    }

    @Test
    void aStoragePolicyChoosesWithinTheGroup() throws Exception {
        for (String policy : List.of("ALL_SSD", "ONE_SSD", "COLD", "WARM")) {
            fs.setStoragePolicy(new Path(dataset.path()), policy);
            String file = dataset.path() + "/" + policy;
            if (policy.equals("COLD")) {
                assertThatThrownBy(() -> cluster.write(file, 1_000)).hasMessageContaining("could only be written to 0");
            } else {
                cluster.write(file, 1_000);
                assertInGroup(new Path(file), "time");
            }
        }
    }

    @Test
    void quotasCountTheGroupsCopies() throws Exception {
        long used = fs.getContentSummary(new Path(dataset.path())).getSpaceConsumed();
        fs.setQuota(new Path(dataset.path()), HdfsConstants.QUOTA_DONT_SET, used + (1 << 20) + 500);
        try (FSDataOutputStream out = fs.create(path("fits"), (short) 3)) {
            out.write(new byte[1_000]); // one copy of a block fits, three would not
        }
        assertThatThrownBy(() -> cluster.write(dataset.path() + "/full", 2_000)).hasMessageContaining("quota");
    }

    @Test
    void snapshotsKeepTheirBlocksInTheGroup() throws Exception {
        Path directory = new Path(dataset.path());
        fs.allowSnapshot(directory);
        fs.createSnapshot(directory, "s");
        Path file = new Path(commit.published("time"));
        fs.delete(file, false);
        assertStock("have vanished");

        Path kept = new Path(dataset.path() + "/.snapshot/s"
                + file.toUri().getPath().substring(dataset.path().length()));
        assertInGroup(kept, "time");
        assertThat(FileUtil.copy(fs, kept, fs, file, false, cluster.conf())).isTrue();
        assertInGroup(file, "time");
    }

    @Test
    void defaultReplicationIsStillTheClustersOutside() throws Exception {
        cluster.write("/plain" + dataset.path(), 10);
        assertThat(fs.getFileStatus(new Path("/plain" + dataset.path())).getReplication())
                .isEqualTo((short) cluster.conf().getInt(DFSConfigKeys.DFS_REPLICATION_KEY, 0));
    }
}
