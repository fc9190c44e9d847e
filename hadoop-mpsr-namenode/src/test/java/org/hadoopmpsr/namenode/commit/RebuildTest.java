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

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestRebuild;
import org.hadoopmpsr.namenode.TestRewrite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A rebuild writes files of segments in one group anew, and the group then holds the segments' records and no others. */
class RebuildTest {
    private static final List<String> GROUPS = List.of("time", "signal", "device");

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
        return client.createDataset("/rebuild/" + name, TestCluster.SCHEMA);
    }

    private static TestCommit commit(Dataset dataset, long start, int parts) throws Exception {
        TestCommit commit = new TestCommit(
                dataset,
                "t-0-" + start,
                new CommitSource("t", 0, start, start + 10),
                "PT",
                LocalDate.of(2014, 5, 1),
                parts);
        commit.stage(client, cluster.fs()).publish(client);
        return commit;
    }

    private static TestRebuild staged(Dataset dataset, String id, String group, TestCommit... commits)
            throws Exception {
        return TestRebuild.of(cluster, dataset, id, group, commits).stage(client, cluster.fs());
    }

    private static List<StagedFile> files(String group, TestCommit... commits) {
        List<StagedFile> files = new ArrayList<>();
        List.of(commits)
                .forEach(c ->
                        c.files().stream().filter(f -> f.group().equals(group)).forEach(files::add));
        return files;
    }

    private static String root(Dataset dataset, String group) {
        return dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
    }

    private static List<String> paths(Dataset dataset, String group, TestCommit... commits) {
        return files(group, commits).stream()
                .map(f -> root(dataset, group) + "/" + f.relativePath())
                .toList();
    }

    /** That the groups hold these files, and the records that were published. */
    private static void assertWhole(Dataset dataset, Map<String, List<String>> files) throws Exception {
        Dataset now = client.getDataset(dataset.path());
        for (Dataset.Representation r : now.representations()) {
            assertThat(cluster.filesBelow(r.root()))
                    .as(r.group())
                    .containsExactlyInAnyOrderElementsOf(files.get(r.group()));
            assertThat(r.files()).isEqualTo(files.get(r.group()).size());
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.content()).isEqualTo(now.representations().get(0).content());
            assertThat(client.plan(dataset.path(), new Filter.Unknown(), r.group())
                            .orElseThrow()
                            .files())
                    .hasSize(files.get(r.group()).size());
        }
        assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/staging"))
                .isEmpty();
        assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/publishing"))
                .isEmpty();
    }

    /** By it a scrub sees that the first segment was written anew. */
    private static long newestFile(Dataset dataset) throws Exception {
        return client.segments(dataset.path()).segments().get(0).newestFile();
    }

    @Test
    void filesOfOneGroupAreReplacedAndSegmentsStay() throws Exception {
        Dataset dataset = dataset("replaced");
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 1);
        Segments before = client.segments(dataset.path());
        cluster.fs().setPermission(new Path(first.published("time")).getParent(), new FsPermission("777"));
        for (String path : paths(dataset, "time", first)) {
            cluster.fs().setPermission(new Path(path), new FsPermission("640"));
        }
        long time = cluster.stat(first.published("time")).getModificationTime();

        Map<String, List<String>> files = new java.util.HashMap<>();
        for (String group : GROUPS) {
            TestCommit[] commits = group.equals("time") ? new TestCommit[] {first} : new TestCommit[] {first, second};
            TestRebuild rebuild = staged(dataset, "r-" + group, group, commits);
            List<String> now = new ArrayList<>(rebuild.published());
            long newest = newestFile(dataset);
            assertThat(rebuild.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
            assertThat(newestFile(dataset)).as("in %s", group).isGreaterThan(newest);
            assertThat(rebuild.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
            if (group.equals("time")) {
                now.addAll(paths(dataset, "time", second));
                assertThat(cluster.stat(rebuild.published().get(0)).getPermission())
                        .isEqualTo(new FsPermission("640"));
                assertThat(cluster.stat(rebuild.published().get(0)).getModificationTime())
                        .isGreaterThanOrEqualTo(time);
            }
            files.put(group, now);
            assertThat(cluster.groupsBelow(now.get(0))).containsExactly(group);
        }

        assertWhole(dataset, files);
        Segments after = client.segments(dataset.path());
        assertThat(after.segments()).extracting(Segments.Info::id).containsExactly(first.id(), second.id());
        assertThat(after.segments()).allMatch(Segments.Info::isReplaceable);
        assertThat(after.segments().get(0).content())
                .isEqualTo(before.segments().get(0).content());
        assertThat(client.getDataset(dataset.path()).changes().sequence()).isEqualTo(3);
        for (String group : GROUPS) {
            assertThat(cluster.stat(first.published(group)).getLen())
                    .as("who listed before goes on reading")
                    .isEqualTo(TestCommit.BYTES);
        }
        cluster.restartNameNode();
        assertWhole(dataset, files);
        assertThat(cluster.counter("Rebuilds")).isNotNegative();
    }

    @Test
    void operatorsAreToldOfWhatIsRebuilt() throws Exception {
        Dataset dataset = dataset("told");
        RebuildScope scope = new RebuildScope("signal", 3, 12, 4_096, true);
        client.beginRebuild(dataset.path(), dataset.id(), "rebuild-1", scope);
        assertThat(cluster.status().getRebuildingList())
                .filteredOn(rebuild -> rebuild.getPath().equals(dataset.path()))
                .extracting(rebuild -> DamageWire.scope(rebuild.getScope()))
                .containsExactly(scope);
        client.abortCommit(dataset.path(), dataset.id(), "rebuild-1");
        assertThat(cluster.status().getRebuildingList())
                .noneMatch(rebuild -> rebuild.getPath().equals(dataset.path()));
        RebuildScope elsewhere = new RebuildScope("elsewhere", 0, 0, 0, false);
        assertThatThrownBy(() -> client.beginRebuild(dataset.path(), dataset.id(), "rebuild-2", elsewhere))
                .hasMessageContaining("there is no replica group 'elsewhere' in [time, signal, device]");
        assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/staging"))
                .isEmpty();
    }

    @Test
    void deletedFilesComeBackWithAndWithoutARecordOfTheirSegment() throws Exception {
        Dataset dataset = dataset("deleted");
        TestCommit first = commit(dataset, 0, 3);
        TestCommit second = commit(dataset, 10, 2);
        staged(dataset, "r1", "device", second).publish(client); // from here on segments have records
        TestCommit third = commit(dataset, 20, 2);
        List<String> firsts = paths(dataset, "time", first);
        List<String> thirds = paths(dataset, "signal", third);
        cluster.fs().delete(new Path(firsts.get(0)), false);
        cluster.fs().delete(new Path(firsts.get(1)), false);
        cluster.pastMpsr().delete(new Path(thirds.get(1)), false);
        assertThat(client.getDataset(dataset.path()).representations())
                .filteredOn(r -> r.unusable() != null)
                .hasSize(2);

        TestRebuild time = new TestRebuild(dataset, "r2", files("time", first).subList(0, 2), List.of())
                .stage(client, cluster.fs());
        assertThat(time.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(time.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        TestRebuild signal = new TestRebuild(
                        dataset, "r3", files("signal", third), List.of(cluster.inodeId(thirds.get(0))))
                .stage(client, cluster.fs());
        assertThat(signal.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        List<String> inTime = new ArrayList<>(time.published());
        inTime.add(firsts.get(2));
        inTime.addAll(paths(dataset, "time", second, third));
        List<String> inSignal = new ArrayList<>(signal.published());
        inSignal.addAll(paths(dataset, "signal", first, second));
        List<String> inDevice = new ArrayList<>(cluster.filesBelow(root(dataset, "device")));
        Map<String, List<String>> all = Map.of("time", inTime, "signal", inSignal, "device", inDevice);
        assertWhole(dataset, all);
        cluster.restartNameNode();
        assertWhole(dataset, all);
        assertThat(client.segments(dataset.path()).segments()).allMatch(Segments.Info::isReplaceable);
    }

    @Test
    void whatWasChangedOrOverwrittenByHandIsReplaced() throws Exception {
        Dataset dataset = dataset("byhand");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        DFSTestUtil.appendFile(cluster.fs(), new Path(first.published("time")), 10);
        Path overwritten = new Path(second.published("signal"));
        DistributedFileSystem past = cluster.pastMpsr();
        past.create(overwritten, true).close();

        TestRebuild time = staged(dataset, "r1", "time", first);
        assertThat(time.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        TestRebuild signal = staged(dataset, "r2", "signal", second);
        assertThat(signal.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        List<String> inTime = new ArrayList<>(time.published());
        inTime.addAll(paths(dataset, "time", second));
        List<String> inSignal = new ArrayList<>(signal.published());
        inSignal.addAll(paths(dataset, "signal", first));
        assertWhole(
                dataset, Map.of("time", inTime, "signal", inSignal, "device", paths(dataset, "device", first, second)));
    }

    @Test
    void ofTwoChangesOfTheSameFilesTheSecondIsFenced() throws Exception {
        Dataset dataset = dataset("fenced");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        TestRebuild one = staged(dataset, "r1", "signal", first);
        TestRebuild other = staged(dataset, "r2", "signal", first, second);
        TestRebuild third = staged(dataset, "r3", "device", first);
        TestRewrite rewrite = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());

        assertThat(one.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        PublishResult fenced = other.publish(client);
        assertThat(fenced.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(fenced.reason()).contains("group 'signal' has no such file").contains("ask for the damage again");
        assertThat(rewrite.publish(client).outcome())
                .as("its segments are whole")
                .isEqualTo(Outcome.COMMITTED);
        PublishResult late = third.publish(client);
        assertThat(late.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(late.reason()).contains("change m1 has replaced it already");
        for (String group : GROUPS) {
            assertThat(cluster.filesBelow(root(dataset, group))).isEqualTo(rewrite.published(group));
        }
    }

    @Test
    void otherRecordsAreRefused() throws Exception {
        Dataset dataset = dataset("other");
        TestCommit first = commit(dataset, 0, 2);
        List<String> before = cluster.filesBelow(root(dataset, "signal"));
        TestRebuild rebuild = staged(dataset, "r1", "signal", first);
        StagedFile file = rebuild.files().get(0);
        FileStatistics s = file.statistics();
        ContentHash wrong = new ContentHash(
                s.content().kind(),
                s.content().count(),
                s.content().high(),
                s.content().low() + 1);
        List<StagedFile> files = new ArrayList<>(rebuild.files());
        files.set(
                0,
                new StagedFile(
                        file.group(),
                        file.relativePath(),
                        new FileStatistics(s.commitId(), wrong, s.partition(), s.columns())));

        assertRefused(dataset, Refusal.Kind.NOT_REPLACEABLE, "but group 'signal' would have", rebuild.rebuild(), files);
        Rebuild less = new Rebuild(
                "signal",
                rebuild.rebuild().segments(),
                rebuild.rebuild().replaces().subList(0, 1));
        assertRefused(dataset, Refusal.Kind.NOT_REPLACEABLE, "would have 10 records with hash", less, rebuild.files());
        Rebuild inOther = new Rebuild("device", rebuild.rebuild().segments(), List.of());
        assertRefused(
                dataset, Refusal.Kind.INVALID, "which is not rebuilt in group 'signal'", inOther, rebuild.files());
        Rebuild nowhere = new Rebuild("nowhere", rebuild.rebuild().segments(), List.of());
        assertRefused(dataset, Refusal.Kind.INVALID, "no replica group 'nowhere'", nowhere, rebuild.files());
        assertThat(client.rebuild(
                                dataset.path(),
                                dataset.id(),
                                "rebuild-r1",
                                new Rebuild("signal", List.of("nothing"), List.of()),
                                List.of())
                        .outcome())
                .isEqualTo(Outcome.FENCED);
        assertThat(cluster.filesBelow(root(dataset, "signal"))).isEqualTo(before);
        assertThat(cluster.fs().exists(new Path("/.mpsr/datasets/" + dataset.id() + "/replaced")))
                .isFalse();
        assertThat(rebuild.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    /** It does if files that it replaces held records of other partitions than their own. */
    @Test
    void recordsGoToOtherDirectoriesOnlyIfTheRebuildSaysSo() throws Exception {
        Dataset dataset = dataset("moves");
        TestCommit first = commit(dataset, 0, 2);
        CommitSource later = new CommitSource("t", 0, 10, 20);
        StagedFile nextDay = files("time", new TestCommit(dataset, "t-0-10", later, "PT", LocalDate.of(2014, 5, 2), 1))
                .get(0);
        List<StagedFile> lost = files("time", first);
        FileStatistics s = lost.get(0).statistics();
        List<Object> day = nextDay.statistics().partition();
        FileStatistics elsewhere = new FileStatistics(s.commitId(), s.content(), day, s.columns());
        lost.set(0, new StagedFile("time", nextDay.relativePath(), elsewhere));
        List<Long> replaces = new ArrayList<>();
        for (String path : paths(dataset, "time", first)) {
            replaces.add(cluster.inodeId(path));
        }
        TestRebuild rebuild = new TestRebuild(dataset, "r1", lost, replaces).stage(client, cluster.fs());

        assertRefused(dataset, Refusal.Kind.NOT_REPLACEABLE, "directories differ", rebuild.rebuild(), rebuild.files());
        Rebuild moves = new Rebuild("time", rebuild.rebuild().segments(), replaces, false, true);
        assertThat(client.rebuild(dataset.path(), dataset.id(), "rebuild-r1", moves, rebuild.files())
                        .outcome())
                .isEqualTo(Outcome.COMMITTED);
        assertWhole(
                dataset,
                Map.of(
                        "time",
                        rebuild.published(),
                        "signal",
                        paths(dataset, "signal", first),
                        "device",
                        paths(dataset, "device", first)));
    }

    private static void assertRefused(
            Dataset dataset, Refusal.Kind kind, String reason, Rebuild rebuild, List<StagedFile> files)
            throws Exception {
        PublishResult result = client.rebuild(dataset.path(), dataset.id(), "rebuild-r1", rebuild, files);
        assertThat(result.outcome()).as(result.reason()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal().kind()).as(result.reason()).isEqualTo(kind);
        assertThat(result.reason()).contains(reason);
    }

    @Test
    void onlyTheOwnerAndSuperusersRebuild() throws Exception {
        Dataset dataset = dataset("rights");
        TestCommit first = commit(dataset, 0, 1);
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission("777"));
        cluster.fs().setOwner(new Path(dataset.path()), "owner", null);
        TestRebuild rebuild = TestRebuild.of(cluster, dataset, "r1", "signal", first);

        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                rebuild.stage(own, cluster.fs());
                PublishResult result = rebuild.publish(own);
                assertThat(result.refusal()).isNotNull();
                assertThat(result.refusal().kind()).isEqualTo(Refusal.Kind.NO_PERMISSION);
                own.abortCommit(dataset.path(), dataset.id(), "rebuild-r1");
            }
            return true;
        });
        cluster.as("owner", () -> {
            try (MpsrClient own = cluster.client()) {
                assertThat(rebuild.stage(own, cluster.fs()).publish(own).outcome())
                        .isEqualTo(Outcome.COMMITTED);
            }
            return true;
        });
    }
}
