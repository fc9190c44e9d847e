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

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.namenode.TestAccept;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What somebody has made of a segment by hand becomes its records in all groups, or in none. */
class AcceptTest {
    private static final int ALL = 1_000;

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
        return client.createDataset("/accept/" + name, TestCluster.SCHEMA);
    }

    private static TestCommit commit(Dataset dataset, String id, long start, int parts) {
        return new TestCommit(
                dataset, id, new CommitSource("t", 0, start, start + 10), "PT", LocalDate.of(2014, 5, 1), parts);
    }

    private static TestCommit committed(Dataset dataset, long start, int parts) throws Exception {
        TestCommit commit = commit(dataset, "t-0-" + start, start, parts);
        commit.stage(client, cluster.fs()).publish(client);
        return commit;
    }

    /** The files that a group has of a segment, as a job reads them: the states by inode id. */
    private static Map<Long, Long> read(Dataset dataset, String group, String segment) throws Exception {
        Map<Long, Long> read = new HashMap<>();
        Set<String> damaged = new HashSet<>();
        for (Damage damage : client.damageAndForeignFiles(dataset.path(), ALL).damages()) {
            if (damage.segment().equals(segment)) {
                damage.files().stream()
                        .filter(f -> f.foreign() || damage.group().equals(group))
                        .forEach(f -> {
                            read.put(f.file().fileId(), f.state());
                            damaged.add(f.file().path());
                        });
            }
        }
        client.segmentFiles(dataset.path(), group, List.of(segment)).forEach(file -> {
            if (!damaged.contains(file.path()) && isThere(file.path())) {
                read.putIfAbsent(file.fileId(), 0L);
            }
        });
        return read;
    }

    private static boolean isThere(String path) {
        try {
            return cluster.pastMpsr().exists(new Path(path));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static TestAccept accept(Dataset dataset, String id, String group, String segment, List<StagedFile> files)
            throws Exception {
        return new TestAccept(dataset, id, group, segment, read(dataset, group, segment), files)
                .stage(client, cluster.fs());
    }

    private static void assertWhole(Dataset dataset, String... segments) throws Exception {
        Dataset now = client.getDataset(dataset.path());
        List<ContentHashes> contents = new ArrayList<>();
        for (Dataset.Representation r : now.representations()) {
            assertThat(r.unusable()).as(r.group()).isNull();
            contents.add(r.content());
        }
        assertThat(contents).allMatch(contents.get(0)::equals);
        assertThat(client.damageAndForeignFiles(dataset.path(), ALL).damages()).isEmpty();
        assertThat(client.segments(dataset.path()).segments())
                .extracting(Segments.Info::id)
                .containsExactlyInAnyOrder(segments);
    }

    @Test
    void whatSomebodyWroteOverAFileIsTheSegmentInAllGroups() throws Exception {
        Dataset dataset = dataset("written");
        TestCommit first = committed(dataset, 0, 2);
        committed(dataset, 10, 1);
        String written = first.published("time");
        cluster.write(written, 77);
        TestCommit content = commit(dataset, "accept-1", 40, 1);
        TestAccept accept = accept(dataset, "accept-1", "time", first.id(), content.files());

        assertThat(accept.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertWhole(dataset, "accept-1", "t-0-10");
        assertThat(accept.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertThat(cluster.filesBelow(dataset.path()))
                .doesNotContain(written)
                .contains(content.published("time"))
                .hasSize(2);
        String replaced = "/.mpsr/datasets/" + dataset.id() + "/replaced/accept-1";
        assertThat(cluster.filesBelow(replaced + "/time")).hasSize(2);
        assertThat(cluster.filesBelow(replaced + "/signal")).hasSize(2);
        cluster.restartNameNode();
        assertWhole(dataset, "accept-1", "t-0-10");
        committed(dataset, 20, 1);
        assertWhole(dataset, "accept-1", "t-0-10", "t-0-20");
    }

    @Test
    void aSegmentOfWhichNothingIsLeftIsGoneAlsoAfterARestart() throws Exception {
        Dataset dataset = dataset("emptied");
        TestCommit first = committed(dataset, 0, 2);
        committed(dataset, 10, 1);
        for (String file : cluster.filesBelow(dataset.path())) {
            if (file.contains(first.id() + "-")) {
                cluster.fs().delete(new Path(file), false);
            }
        }
        cluster.restartNameNode();
        TestAccept accept = accept(dataset, "accept-2", "time", first.id(), List.of());
        assertThat(accept.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(accept.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertWhole(dataset, "t-0-10");
        cluster.restartNameNode();
        assertWhole(dataset, "t-0-10");
    }

    @Test
    void whatWasDeletedBeforeARestartIsKnownFromTheOtherGroups() throws Exception {
        Dataset dataset = dataset("restarted");
        TestCommit first = committed(dataset, 0, 2);
        TestCommit second = committed(dataset, 10, 2);
        for (TestCommit commit : List.of(first, second)) {
            cluster.fs().delete(new Path(commit.published("time")), false);
        }
        cluster.restartNameNode();
        for (TestCommit commit : List.of(first, second)) {
            String id = "accept-of-" + commit.id();
            List<StagedFile> files =
                    commit(dataset, id, commit == first ? 0 : 10, 1).files();
            assertThat(accept(dataset, id, "time", commit.id(), files)
                            .publish(client)
                            .outcome())
                    .isEqualTo(Outcome.COMMITTED);
        }
        assertWhole(dataset, "accept-of-t-0-0", "accept-of-t-0-10");
    }

    private static void assertRefused(PublishResult result, Refusal.Kind kind, String reason) {
        assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal().kind()).isEqualTo(kind);
        assertThat(result.reason()).contains(reason);
    }

    @Test
    void whatWasChangedSinceItWasReadIsRefused() throws Exception {
        Dataset dataset = dataset("again");
        TestCommit first = committed(dataset, 0, 2);
        String written = first.published("time");
        cluster.write(written, 77);
        List<StagedFile> files = commit(dataset, "accept-3", 40, 2).files();
        TestAccept old = accept(dataset, "accept-3", "time", first.id(), files);
        List<String> before = cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/signal");
        DFSTestUtil.appendFile(cluster.fs(), new Path(written), 1);
        assertRefused(
                old.publish(client),
                Refusal.Kind.NOT_REPLACEABLE,
                written + " was changed again since the job has read it");
        cluster.write(written, 77);
        PublishResult fenced = old.publish(client);
        assertThat(fenced.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(fenced.reason()).contains("look again at what group 'time' has");
        assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/signal"))
                .isEqualTo(before);

        Map<Long, Long> read = read(dataset, "time", first.id());
        Map<Long, Long> less = new HashMap<>(read);
        assertThat(less.values().remove(0L)).isTrue();
        assertRefused(
                new TestAccept(dataset, "accept-3", "time", first.id(), less, files).publish(client),
                Refusal.Kind.NOT_REPLACEABLE,
                "the job has not read " + dataset.path());
        cluster.fs().setPermission(new Path(written), new FsPermission((short) 0600));
        read = read(dataset, "time", first.id());
        assertRefused(
                new TestAccept(dataset, "accept-3", "time", first.id(), read, files).publish(client),
                Refusal.Kind.NOT_REPLACEABLE,
                "different rights");
    }

    @Test
    void groupsThatDisagreeAndRecordsThatAreLeftOutAreRefused() throws Exception {
        Dataset dataset = dataset("unequal");
        TestCommit first = committed(dataset, 0, 2);
        cluster.write(first.published("time"), 77);
        List<StagedFile> files =
                new ArrayList<>(commit(dataset, "accept-4", 40, 1).files());
        List<StagedFile> others = commit(dataset, "accept-4", 60, 1).files();
        files.set(1, others.get(1));
        assertRefused(
                accept(dataset, "accept-4", "time", first.id(), files).publish(client),
                Refusal.Kind.INVALID,
                "the groups do not hold the same records");
        assertRefused(
                accept(dataset, "accept-5", "time", first.id(), List.of()).publish(client),
                Refusal.Kind.INVALID,
                "it has 0 records, and group 'time' has 10 in files that nobody has changed");
    }

    @Test
    void onlyTheOwnerAndSuperusersAccept() throws Exception {
        Dataset dataset = dataset("owned");
        TestCommit first = committed(dataset, 0, 1);
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0777));
        Map<Long, Long> read = read(dataset, "time", first.id());
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                TestAccept accept = new TestAccept(
                        dataset,
                        "accept-6",
                        "time",
                        first.id(),
                        read,
                        commit(dataset, "accept-6", 40, 1).files());
                assertRefused(accept.publish(own), Refusal.Kind.NO_PERMISSION, "may not rewrite segments");
            }
            return true;
        });
    }
}
