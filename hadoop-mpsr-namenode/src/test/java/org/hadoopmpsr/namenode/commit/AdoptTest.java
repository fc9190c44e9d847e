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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.TestAdopt;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files of ordinary writers become a segment of all groups where they lie, or nothing is done. */
class AdoptTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    /** A dataset with a commit. */
    private static Dataset dataset(String name) throws Exception {
        Dataset dataset = client.createDataset("/adopt/" + name, TestCluster.SCHEMA);
        commit(dataset, 0);
        return dataset;
    }

    private static void commit(Dataset dataset, long start) throws Exception {
        CommitSource source = new CommitSource("t", 0, start, start + 10);
        new TestCommit(dataset, "t-0-" + start, source, "PT", LocalDate.of(2014, 5, 1), 1)
                .stage(client, cluster.fs())
                .publish(client);
    }

    /** Files that are written and read, and whose records are staged for the other groups. */
    private static TestAdopt staged(Dataset dataset, String id, long start, int parts) throws Exception {
        return new TestAdopt(dataset, id, start, parts)
                .write(cluster.fs())
                .read(client)
                .stage(client, cluster.fs());
    }

    private static void assertWhole(Dataset dataset, int files, String... segments) throws Exception {
        List<ContentHashes> contents = new ArrayList<>();
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.files()).as(r.group()).isEqualTo(files);
            contents.add(r.content());
        }
        assertThat(contents).allMatch(contents.get(0)::equals);
        assertThat(client.untracked(dataset.path())).isEmpty();
        assertThat(client.segments(dataset.path()).segments())
                .allSatisfy(s -> assertThat(s.notReplaceable()).isNull())
                .extracting(Segments.Info::id)
                .containsExactlyInAnyOrder(segments);
        for (String group : dataset.groups().names()) {
            ReadPlan plan = client.plan(dataset.path(), Filter.ALL, group).orElseThrow();
            assertThat(plan.stock()).as(plan.reason()).isFalse();
            assertThat(plan.group()).isEqualTo(group);
            assertThat(plan.files()).hasSize(files);
        }
    }

    @Test
    void aDatasetAroundADirectoryHasTheGroupsThatAreWanted() throws Exception {
        String path = "/adopt/wanted";
        DFSTestUtil.createFile(cluster.fs(), new Path(path, "month=2014-05/a.parquet"), 100, (short) 3, 7);
        assertThatThrownBy(() -> client.createDatasetAround(
                        path, TestCluster.SCHEMA, List.of(WantedGroup.parse("none=day(timestamp_ns)"))))
                .hasMessageContaining("there is no replica group 'none'");
        assertThatThrownBy(() -> client.createDatasetAround(
                        path, TestCluster.SCHEMA, List.of(WantedGroup.parse("signal=nothing"))))
                .hasMessageContaining("does not fit the replica groups")
                .hasMessageContaining("nothing");
        List<WantedGroup> wanted = List.of(
                WantedGroup.parse("time=month(timestamp_ns)"), WantedGroup.parse("signal=device; timestamp_ns"));
        Dataset dataset = client.createDatasetAround(path, TestCluster.SCHEMA, wanted);
        assertThat(client.getDataset(path).groups()).isEqualTo(dataset.groups());
        assertThat(dataset.groups().defaultGroup().predicates())
                .isEqualTo(wanted.get(0).predicates());
        ReplicaGroup signal = dataset.groups().find("signal").orElseThrow();
        assertThat(signal.predicates()).isEqualTo(wanted.get(1).predicates());
        assertThat(signal.sort()).isEqualTo(wanted.get(1).sort());
        ReplicaGroup configured = client.configuredGroups().find("signal").orElseThrow();
        assertThat(signal.codec()).isEqualTo(configured.codec());
        assertThat(client.createDatasetAround(path, TestCluster.SCHEMA, wanted).id())
                .isEqualTo(dataset.id());
        assertThatThrownBy(() -> client.createDatasetAround(
                        path, TestCluster.SCHEMA, List.of(WantedGroup.parse("signal=bucket(9, signal)"))))
                .hasMessageContaining("has another group 'signal' than the one that is wanted");
        client.dropDataset(path, true);
    }

    @Test
    void aDirectoryWithFilesBecomesADatasetAndItsSurplusCopiesGo() throws Exception {
        String path = "/adopt/archive";
        List<String> files = IntStream.range(0, 8)
                .mapToObj(i -> path + "/day=2014-05-01/part-" + i + "-of-old.parquet")
                .toList();
        for (String file : files) {
            DFSTestUtil.createFile(cluster.fs(), new Path(file), TestCommit.BYTES, (short) 3, 7);
        }
        assertThatThrownBy(() -> client.createDataset(path, TestCluster.SCHEMA))
                .hasMessageContaining("'hdfs mpsr dataset adopt " + path + " --dry-run'");
        assertThatThrownBy(() -> client.createDatasetAround(path + "/missing", TestCluster.SCHEMA))
                .hasMessageContaining("there is no such directory");
        assertThatThrownBy(() -> client.createDatasetAround(files.get(0), TestCluster.SCHEMA))
                .hasMessageContaining("it is no directory");

        Dataset dataset = client.createDatasetAround(path, TestCluster.SCHEMA);
        assertThat(client.createDatasetAround(path, TestCluster.SCHEMA).id()).isEqualTo(dataset.id());
        assertThat(cluster.filesBelow(path)).isEqualTo(files);
        assertThat(client.untracked(path)).extracting(UntrackedFile::path).isEqualTo(files);
        assertThat(files)
                .allSatisfy(
                        file -> assertThat(cluster.stat(file).getReplication()).isEqualTo((short) 3));

        TestAdopt adopt =
                new TestAdopt(dataset, "old", 0, files.size()).read(client).stage(client, cluster.fs());
        assertThat(files)
                .allSatisfy(
                        file -> assertThat(cluster.stat(file).getReplication()).isEqualTo((short) 3));
        assertThat(adopt.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertWhole(dataset, files.size(), "old");
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            assertThat(cluster.groupsBelow(path)).isEqualTo(Set.of("time"));
            for (String file : files) {
                assertThat(cluster.stat(file).getReplication()).isEqualTo((short) 1);
                assertThat(cluster.fs()
                                .getFileBlockLocations(new Path(file), 0, 1)[0]
                                .getHosts())
                        .hasSize(1);
            }
        });
        for (String file : files) {
            assertThat(DFSTestUtil.readFileAsBytes(cluster.fs(), new Path(file)))
                    .hasSize(TestCommit.BYTES);
        }
        assertThat(client.dropDataset(path, true).getFilesKept()).isEqualTo(files.size());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> cluster.stat(files.get(0)).getReplication() == 3);
        assertThat(cluster.filesBelow(path)).isEqualTo(files);
    }

    @Test
    void filesStayWhereTheyAreAndAreASegmentOfAllGroups() throws Exception {
        Dataset dataset = dataset("stay");
        TestAdopt adopt = staged(dataset, "adopt-1", 20, 2);
        List<String> before = cluster.filesBelow(dataset.path());
        List<Long> times = new ArrayList<>();
        for (String path : adopt.paths()) {
            times.add(cluster.stat(path).getModificationTime());
        }
        ReadRequest besides = ReadRequest.ofAllColumns(Filter.ALL).withUntracked();
        assertThat(client.plan(dataset.path(), besides, "signal", List.of())
                        .orElseThrow()
                        .untracked())
                .containsExactlyElementsOf(adopt.paths());

        long adopted = cluster.counter("AdoptedFiles");
        assertThat(adopt.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertWhole(dataset, 3, "t-0-0", "adopt-1");
        assertThat(client.plan(dataset.path(), besides, "signal", List.of())
                        .orElseThrow()
                        .untracked())
                .isEmpty();
        assertThat(cluster.counter("AdoptedFiles")).isEqualTo(adopted + 2);
        assertThat(adopt.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertThat(cluster.filesBelow(dataset.path())).isEqualTo(before);
        for (int i = 0; i < times.size(); i++) {
            assertThat(cluster.stat(adopt.paths().get(i)).getModificationTime()).isEqualTo(times.get(i));
        }
        commit(dataset, 10);
        assertWhole(dataset, 4, "t-0-0", "adopt-1", "t-0-10");
        cluster.restartNameNode();
        assertWhole(dataset, 4, "t-0-0", "adopt-1", "t-0-10");
    }

    @Test
    void aFileThatChangesIsNotAdopted() throws Exception {
        Dataset dataset = dataset("changes");
        TestAdopt appended = staged(dataset, "adopt-2", 20, 2);
        DFSTestUtil.appendFile(cluster.fs(), new Path(appended.paths().get(1)), 1);
        assertFenced(dataset, appended, appended.paths().get(1) + " was changed since the job has read it");

        TestAdopt written = staged(dataset, "adopt-3", 40, 1);
        cluster.write(written.paths().get(0), TestCommit.BYTES);
        assertFenced(dataset, written, written.paths().get(0) + " is another file than the job has read");

        TestAdopt deleted = staged(dataset, "adopt-4", 60, 1);
        cluster.fs().delete(new Path(deleted.paths().get(0)), false);
        assertFenced(dataset, deleted, deleted.paths().get(0) + " is not there any more");

        TestAdopt again = new TestAdopt(dataset, "adopt-3", 40, 1).read(client).stage(client, cluster.fs());
        assertThat(again.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        for (String left : appended.paths()) {
            cluster.fs().delete(new Path(left), false);
        }
        assertWhole(dataset, 2, "t-0-0", "adopt-3");
    }

    private static void assertFenced(Dataset dataset, TestAdopt adopt, String reason) throws Exception {
        PublishResult result = adopt.publish(client);
        assertThat(result.outcome()).as(result.reason()).isEqualTo(Outcome.FENCED);
        assertThat(result.reason()).contains(reason);
        assertThat(client.segments(dataset.path()).segments())
                .extracting(Segments.Info::id)
                .doesNotContain(adopt.id());
    }

    /** The second of two jobs that read the same file. */
    @Test
    void aFileIsAdoptedOnce() throws Exception {
        Dataset dataset = dataset("once");
        TestAdopt first = staged(dataset, "adopt-6", 20, 1);
        TestAdopt second = new TestAdopt(dataset, "adopt-6", 20, 1).read(client);
        assertThat(first.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        List<StagedFile> others = new ArrayList<>();
        for (StagedFile file : new TestAdopt(dataset, "adopt-7", 20, 1).files()) {
            String path = file.group().equals("time")
                    ? second.files().stream()
                            .filter(f -> f.group().equals("time"))
                            .findFirst()
                            .orElseThrow()
                            .relativePath()
                    : file.relativePath();
            others.add(new StagedFile(file.group(), path, file.statistics(), file.length()));
        }
        PublishResult result = second.publishAs(client, "adopt-7", others);
        assertThat(result.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(result.reason()).contains("belongs to a segment already");
        assertWhole(dataset, 2, "t-0-0", "adopt-6");
    }

    /** A file is listed when it is closed, and its directory is looked at anew when a file in it is adopted. */
    @Test
    void openAndHiddenFilesAreLeftAlone() throws Exception {
        Dataset dataset = dataset("open");
        TestAdopt adopt = staged(dataset, "adopt-8", 20, 1);
        Path directory = new Path(adopt.paths().get(0)).getParent();
        cluster.write(directory + "/_temporary/0/part", 10);
        cluster.write(directory + "/.hive-staging/part", 10);
        cluster.write(directory + "/_SUCCESS", 0);
        try (var open = cluster.fs().create(new Path(directory, "open.parquet"))) {
            open.write(1);
            assertThat(client.untracked(dataset.path()))
                    .extracting(UntrackedFile::path)
                    .containsExactlyElementsOf(adopt.paths());
            assertThat(adopt.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
            assertThat(client.untracked(dataset.path())).isEmpty();
        }
        assertThat(client.untracked(dataset.path()))
                .extracting(UntrackedFile::path)
                .containsExactly(directory + "/open.parquet");
        cluster.fs().delete(new Path(directory, "open.parquet"), false);
        assertWhole(dataset, 2, "t-0-0", "adopt-8");
    }

    @Test
    void otherRecordsAndFalseClaimsAreRefused() throws Exception {
        Dataset dataset = dataset("false");
        TestAdopt adopt = staged(dataset, "adopt-9", 20, 1);
        List<StagedFile> files = new ArrayList<>(adopt.files());
        StagedFile other = new TestAdopt(dataset, "adopt-9", 60, 1).files().get(1);
        files.set(1, other);
        assertRefused(adopt.publishAs(client, "adopt-9", files), "the groups do not hold the same records");
        List<StagedFile> fewer =
                adopt.files().stream().filter(f -> !f.group().equals("time")).toList();
        assertRefused(adopt.publishAs(client, "adopt-9", fewer), "group 'time' has no file");
        String staging = "/.mpsr/datasets/" + dataset.id() + "/staging/adopt-9/time/";
        String mark = staging
                + adopt.files().stream()
                        .filter(f -> f.group().equals("time"))
                        .findFirst()
                        .orElseThrow()
                        .relativePath();
        cluster.write(mark, 1);
        assertRefused(adopt.publish(client), "must be empty");
        assertThat(client.untracked(dataset.path())).hasSize(1);
    }

    private static void assertRefused(PublishResult result, String reason) {
        assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
        assertThat(result.reason()).contains(reason);
    }

    /** What was found out about a file is told until the file changes, and goes when it is adopted. */
    @Test
    void whatDoesNotFitIsToldUntilItChanges() throws Exception {
        Dataset dataset = dataset("unfit");
        TestAdopt adopt = staged(dataset, "adopt-10", 20, 1);
        UntrackedFile file = client.untracked(dataset.path()).get(0);
        assertThat(file.unfit()).isNull();
        client.setUnfit(dataset.path(), Map.of(file, "it is no Parquet file"));
        assertThat(client.untracked(dataset.path()).get(0).unfit()).isEqualTo("it is no Parquet file");
        assertThat(client.untracked(dataset.path()).get(0).state()).isEqualTo(file.state());
        assertThat(adopt.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(cluster.fs().getXAttrs(new Path(file.path()))).doesNotContainKey(Attributes.UNFIT);
        client.setUnfit(dataset.path(), Map.of(file, "too late"));
        assertThat(cluster.fs().getXAttrs(new Path(file.path()))).doesNotContainKey(Attributes.UNFIT);

        TestAdopt next = new TestAdopt(dataset, "adopt-11", 40, 1).write(cluster.fs());
        UntrackedFile before = client.untracked(dataset.path()).get(0);
        client.setUnfit(dataset.path(), Map.of(before, "it is no Parquet file"));
        DFSTestUtil.appendFile(cluster.fs(), new Path(next.paths().get(0)), 1);
        assertThat(client.untracked(dataset.path()).get(0).unfit()).isNull();
        client.setUnfit(dataset.path(), Map.of(before, "it is no Parquet file"));
        assertThat(client.untracked(dataset.path()).get(0).unfit()).isNull();
    }

    @Test
    void onlyTheOwnerAndSuperusersAdopt() throws Exception {
        Dataset dataset = dataset("owned");
        TestAdopt adopt = staged(dataset, "adopt-12", 20, 1);
        UntrackedFile file = client.untracked(dataset.path()).get(0);
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0777));
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                PublishResult result = adopt.publish(own);
                assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
                assertThat(result.refusal().kind()).isEqualTo(Refusal.Kind.NO_PERMISSION);
                assertThatThrownBy(() -> own.setUnfit(dataset.path(), Map.of(file, "x")))
                        .hasMessageContaining("only the owner of the directory");
            }
            return true;
        });
        assertTold(dataset, 1);
        cluster.fs().setPermission(new Path(file.path()), new FsPermission((short) 0600));
        assertTold(dataset, 0);
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0700));
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                assertThatThrownBy(() -> own.untracked(dataset.path())).isInstanceOf(AccessControlException.class);
            }
            return true;
        });
    }

    /** Rights that are gone keep others out until the next scan, which comes the later the longer the last one took. */
    private static void assertTold(Dataset dataset, int files) throws Exception {
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                await().ignoreException(AccessControlException.class)
                        .untilAsserted(
                                () -> assertThat(own.untracked(dataset.path())).hasSize(files));
            }
            return true;
        });
    }
}
