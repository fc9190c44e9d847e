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
package org.hadoopmpsr.namenode.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CommitTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset dataset(String name) throws Exception {
        return client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
    }

    private static TestCommit staged(Dataset dataset, long start, long end) throws Exception {
        return new TestCommit(dataset, start, end).stage(client, cluster.fs());
    }

    private static void assertNothingPublished(Dataset dataset) throws Exception {
        for (Dataset.Representation representation : dataset.representations()) {
            assertThat(cluster.filesBelow(representation.root())).isEmpty();
        }
        assertThat(client.getDataset(dataset.path()).offsets()).isEmpty();
    }

    @Test
    void aCommitIsPublishedInAllGroups() throws Exception {
        Dataset dataset = dataset("published");
        TestCommit commit = staged(dataset, 0, 10);

        assertThat(commit.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        for (String group : dataset.groups().names()) {
            assertThat(cluster.stat(commit.published(group)).getReplication()).isEqualTo((short) 1);
            assertThat(cluster.groupsBelow(commit.published(group))).containsExactly(group);
        }
        Dataset after = client.getDataset(dataset.path());
        assertThat(after.representations()).allSatisfy(r -> {
            assertThat(r.files()).isEqualTo(1);
            assertThat(r.content().count()).isEqualTo(10);
            assertThat(r.unusable()).isNull();
        });
        assertThat(after.offsets()).singleElement().satisfies(o -> {
            assertThat(o.end()).isEqualTo(10);
            assertThat(o.commitId()).isEqualTo(commit.id());
        });
        assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/staging"))
                .isEmpty();
    }

    /** What a writer commits that found only bad records. */
    @Test
    void aCommitWithoutFilesMovesTheOffsets() throws Exception {
        Dataset dataset = dataset("offsets");
        staged(dataset, 0, 10).publish(client);
        CommitSource source = new CommitSource("t", 0, 10, 20);
        TestCommit none = new TestCommit(dataset, "t-0-10-20", source, "PT-1", LocalDate.EPOCH, 0);
        none.stage(client, cluster.fs());

        assertThat(none.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        assertThat(none.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        Dataset after = client.getDataset(dataset.path());
        assertThat(after.offsets())
                .singleElement()
                .satisfies(o -> assertThat(o.end()).isEqualTo(20));
        assertThat(after.representations())
                .allSatisfy(r -> assertThat(r.files()).isEqualTo(1));
    }

    @Test
    void theSameCommitTwiceIsASuccessWithoutEffect() throws Exception {
        Dataset dataset = dataset("repeated");
        TestCommit commit = staged(dataset, 0, 10);
        commit.publish(client);

        PublishResult again = commit.publish(client);

        assertThat(again.outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertThat(again.offsets())
                .singleElement()
                .satisfies(o -> assertThat(o.end()).isEqualTo(10));
        assertThat(client.getDataset(dataset.path()).representations())
                .allSatisfy(r -> assertThat(r.files()).isEqualTo(1));
    }

    @Test
    void aWriterThatWasReplacedIsFenced() throws Exception {
        Dataset dataset = dataset("fenced");
        staged(dataset, 0, 10).publish(client);
        TestCommit late = staged(dataset, 0, 8);
        TestCommit gap = staged(dataset, 12, 20);

        assertThat(late.publish(client).outcome()).isEqualTo(Outcome.FENCED);
        PublishResult result = gap.publish(client);
        assertThat(result.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(result.reason()).contains("go on from offset 10");
        assertThat(result.offsets())
                .singleElement()
                .satisfies(o -> assertThat(o.end()).isEqualTo(10));
        assertThat(staged(dataset, 10, 20).publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(client.getDataset(dataset.path()).representations())
                .allSatisfy(r -> assertThat(r.files()).isEqualTo(2));
    }

    @Test
    void aMissingFileRefusesAll() throws Exception {
        Dataset dataset = dataset("missing");
        TestCommit commit = staged(dataset, 0, 10);
        String staging = "/.mpsr/datasets/" + dataset.id() + "/staging/" + commit.id();
        cluster.fs()
                .delete(new Path(staging + "/device/" + commit.file("device").relativePath()), false);

        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("does not exist");
        assertNothingPublished(dataset);
    }

    @Test
    void anOpenFileRefusesAll() throws Exception {
        Dataset dataset = dataset("open");
        TestCommit commit = staged(dataset, 0, 10);
        Path file = new Path("/.mpsr/datasets/" + dataset.id() + "/staging/" + commit.id() + "/signal/"
                + commit.file("signal").relativePath());
        try (FSDataOutputStream out = cluster.fs().append(file)) {
            assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("still open");
        }
        assertNothingPublished(dataset);
    }

    @Test
    void otherContentInOneGroupRefusesAll() throws Exception {
        Dataset dataset = dataset("content");
        TestCommit commit = staged(dataset, 0, 10);
        StagedFile file = commit.file("signal");
        FileStatistics s = file.statistics();
        for (ContentHash other : List.of(
                new ContentHash(
                        s.content().count(), s.content().high(), s.content().low() + 1),
                new ContentHash(
                        s.content().count() + 1, s.content().high(), s.content().low()))) {
            commit.files()
                    .replaceAll(f -> f.group().equals("signal")
                            ? new StagedFile(
                                    "signal",
                                    file.relativePath(),
                                    new FileStatistics(s.commitId(), other, s.partition(), s.columns()))
                            : f);
            assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("do not hold the same records");
        }
        assertNothingPublished(dataset);
    }

    @Test
    void aFileMustHaveTheLengthThatItsWriterStates() throws Exception {
        Dataset dataset = dataset("length");
        TestCommit commit = staged(dataset, 0, 10);
        for (long length : new long[] {TestCommit.BYTES - 1, TestCommit.BYTES + 1, 0, -2}) {
            stateLength(commit, length);
            assertThatThrownBy(() -> commit.publish(client))
                    .hasMessageContaining(
                            length < 0
                                    ? "a length of -2 bytes"
                                    : "has 1000 bytes, and the commit states " + length + ": it is not what");
        }
        assertNothingPublished(dataset);

        stateLength(commit, TestCommit.BYTES);
        assertThat(commit.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    private static void stateLength(TestCommit commit, long length) {
        commit.files()
                .replaceAll(f -> f.group().equals("signal")
                        ? new StagedFile(f.group(), f.relativePath(), f.statistics(), length)
                        : f);
    }

    @Test
    void everyGroupMustBePresent() throws Exception {
        Dataset dataset = dataset("absent");
        TestCommit commit = new TestCommit(dataset, 0, 10);
        commit.files().removeIf(f -> f.group().equals("device"));
        commit.stage(client, cluster.fs());

        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("group 'device' has no file");
        assertNothingPublished(dataset);
    }

    @Test
    void aFileThatTheCommitDoesNotNameRefusesAll() throws Exception {
        Dataset dataset = dataset("unnamed");
        TestCommit commit = staged(dataset, 0, 10);
        cluster.write("/.mpsr/datasets/" + dataset.id() + "/staging/" + commit.id() + "/signal/more", 10);

        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("is not named in the commit");
        assertNothingPublished(dataset);
    }

    @Test
    void aFileMustLieWhereItsPartitionBelongs() throws Exception {
        Dataset dataset = dataset("misplaced");
        TestCommit commit = staged(dataset, 0, 10);
        List<StagedFile> right = new ArrayList<>(commit.files());
        String name = commit.id() + "-0.parquet";
        for (String path : List.of("../../x/" + name, "/" + name, name, "day=2020-01-01/" + name)) {
            commit.files().clear();
            right.forEach(f ->
                    commit.files().add(f.group().equals("time") ? new StagedFile("time", path, f.statistics()) : f));
            assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("must lie in day=");
        }
        assertNothingPublished(dataset);
    }

    @Test
    void aQuotaThatIsTooSmallRefusesAll() throws Exception {
        Dataset dataset = dataset("quota");
        TestCommit commit = staged(dataset, 0, 10);
        DistributedFileSystem fs = cluster.fs();
        fs.setQuota(new Path(dataset.path()), HdfsConstants.QUOTA_DONT_SET, 500);

        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("quota");
        assertNothingPublished(dataset);

        fs.setQuota(new Path(dataset.path()), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
        assertThat(commit.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    /** The lock is let go between the check and the commit: the last look finds what was done meanwhile. */
    @Test
    void whatIsDoneBetweenCheckAndCommitRefusesAll() throws Exception {
        Dataset dataset = dataset("between");
        TestCommit commit = staged(dataset, 0, 10);
        DistributedFileSystem fs = cluster.fs();
        Path directory = new Path("/.mpsr/datasets/" + dataset.id() + "/staging/" + commit.id());
        Path file = new Path(directory, "signal/" + commit.file("signal").relativePath());
        StagedLook look = new StagedLook(cluster, dataset, commit);
        assertThatCode(look::again).doesNotThrowAnyException();

        try (FSDataOutputStream out = fs.append(file)) {
            assertThatThrownBy(look::again).hasMessageContaining("was changed while it was published");
            out.write(1);
        }
        assertThatThrownBy(look::again).hasMessageContaining("was changed while it was published");
        fs.delete(file, false);
        assertThatThrownBy(look::again).hasMessageContaining("signal").hasMessageContaining("does not exist");
        cluster.write(file.toString(), 1_000);
        assertThatThrownBy(look::again).hasMessageContaining("was changed while it was published");

        commit.publish(client);
        TestCommit next = staged(dataset, 10, 20);
        StagedLook second = new StagedLook(cluster, dataset, next);
        cluster.write("/.mpsr/datasets/" + dataset.id() + "/staging/" + next.id() + "/time/more", 10);
        assertThatThrownBy(second::again).hasMessageContaining("is not named in the commit");
    }

    @Test
    void theSameCommitPublishedByTwoCallsAtOnceIsPublishedOnce() throws Exception {
        Dataset dataset = dataset("twice");
        for (int i = 0; i < 5; i++) {
            TestCommit commit = staged(dataset, i * 10L, i * 10L + 10);
            CyclicBarrier start = new CyclicBarrier(2);
            Callable<Outcome> publish = () -> {
                try (MpsrClient own = cluster.client()) {
                    start.await();
                    return commit.publish(own).outcome();
                }
            };
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<Outcome> outcomes = new ArrayList<>();
                for (Future<Outcome> call : threads.invokeAll(List.of(publish, publish))) {
                    outcomes.add(call.get());
                }
                assertThat(outcomes).containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.ALREADY_COMMITTED);
            } finally {
                threads.shutdownNow();
            }
        }
        assertThat(client.getDataset(dataset.path()).representations()).allSatisfy(r -> {
            assertThat(r.files()).isEqualTo(5);
            assertThat(r.unusable()).isNull();
        });
    }

    @Test
    void aCommitWithoutSourceIsRefused() throws Exception {
        Dataset dataset = dataset("sourceless");
        TestCommit commit = staged(dataset, 0, 10);

        PublishResult result = client.publish(dataset.path(), dataset.id(), commit.id(), List.of(), commit.files());
        assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(result.reason()).contains("names no source");
    }

    /** A client of an earlier version gets errors with the reason, and names no dataset but its path. */
    @Test
    void aClientThatDoesNotReadRefusalsGetsThemAsErrors() throws Exception {
        Dataset dataset = dataset("earlier");
        Configuration conf = cluster.conf();
        RPC.setProtocolEngine(conf, MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        MpsrProtocolPB nameNode = RPC.getProxy(
                MpsrProtocolPB.class,
                RPC.getProtocolVersion(MpsrProtocolPB.class),
                cluster.mini().getNameNode().getNameNodeAddress(),
                conf);
        try {
            BeginCommitRequestProto.Builder begin = BeginCommitRequestProto.newBuilder();
            assertThat(nameNode.beginCommit(
                                    null,
                                    begin.setPath(dataset.path())
                                            .setCommitId("c")
                                            .build())
                            .getStagingDir())
                    .endsWith("/c");
            assertThatThrownBy(() -> nameNode.beginCommit(
                            null, begin.setPath("/none").setCommitId("c").build()))
                    .cause()
                    .isInstanceOfSatisfying(
                            RemoteException.class,
                            e -> assertThat(e.getClassName()).isEqualTo(FileNotFoundException.class.getName()))
                    .hasMessageContaining("/none is not a dataset");
            assertThatThrownBy(() -> nameNode.publish(
                            null,
                            PublishRequestProto.newBuilder()
                                    .setPath(dataset.path())
                                    .setCommitId("c")
                                    .build()))
                    .cause()
                    .hasMessageContaining("commit c is refused: it names no source");
        } finally {
            RPC.stopProxy(nameNode);
        }
    }

    @Test
    void anAbortedCommitLeavesNothing() throws Exception {
        Dataset dataset = dataset("aborted");
        TestCommit commit = staged(dataset, 0, 10);
        client.abortCommit(dataset.path(), dataset.id(), commit.id());
        client.abortCommit(dataset.path(), dataset.id(), commit.id());

        assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id())).isEmpty();
        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("was not begun");
    }

    @Test
    void aWriterNeedsTheRightToWriteAndReadersReadAllGroups() throws Exception {
        cluster.fs().mkdirs(new Path("/rights/meas"));
        cluster.fs().setOwner(new Path("/rights/meas"), "writer", "readers");
        cluster.fs().setPermission(new Path("/rights/meas"), new FsPermission("750"));
        Dataset dataset = dataset("rights");

        assertThatThrownBy(() -> cluster.as("stranger", () -> {
                    try (MpsrClient stranger = cluster.client()) {
                        return stranger.beginCommit(dataset.path(), dataset.id(), "c")
                                .require();
                    }
                }))
                .hasMessageContaining("Permission denied");
        assertThatThrownBy(() -> cluster.as("stranger", () -> {
                    try (MpsrClient stranger = cluster.client()) {
                        return stranger.createDataset("/rights/other", TestCluster.SCHEMA);
                    }
                }))
                .hasMessageContaining("Superuser privilege is required");
        TestCommit commit = cluster.as("writer", () -> {
            try (MpsrClient writer = cluster.client();
                    DistributedFileSystem fs = (DistributedFileSystem)
                            FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                TestCommit c = new TestCommit(dataset, 0, 10).stage(writer, fs);
                c.publish(writer);
                return c;
            }
        });
        for (String group : dataset.groups().names()) {
            boolean ofDefaultGroup = group.equals("time");
            var stat = cluster.stat(commit.published(group));
            assertThat(stat.getOwner()).isEqualTo(ofDefaultGroup ? "writer" : NamespaceEdits.self());
            assertThat(stat.getGroup()).isEqualTo("readers");
            assertThat(stat.getPermission()).isEqualTo(new FsPermission(ofDefaultGroup ? "644" : "600"));
            assertThat(cluster.stat(PathNames.parent(commit.published(group))).getPermission())
                    .isEqualTo(new FsPermission(ofDefaultGroup ? "755" : "700"));
            assertThatThrownBy(() -> cluster.as("stranger", () -> {
                        try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                            return fs.open(new Path(commit.published(group)));
                        }
                    }))
                    .hasMessageContaining("Permission denied");
        }
        assertThat((List<Dataset>) cluster.as("stranger", () -> {
                    try (MpsrClient stranger = cluster.client()) {
                        return stranger.listDatasets();
                    }
                }))
                .noneMatch(d -> d.path().equals(dataset.path()));
    }
}
