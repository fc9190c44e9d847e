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
package org.hadoopmpsr.namenode.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.Dataset.Representation;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.RedundancyProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.DamagedFile;
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause;
import org.hadoopmpsr.core.rebuild.Damages;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestRebuild;
import org.hadoopmpsr.namenode.TestRewrite;
import org.hadoopmpsr.testing.LostFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The NameNode tells what is damaged, the most endangered first, and nothing once it is rebuilt. */
class DamageTest {
    private static final int ALL = 1_000_000;

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.rebuild.delay.seconds", "0");
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset dataset(String name) throws Exception {
        return client.createDataset("/damage/" + name, TestCluster.SCHEMA);
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

    private static void lose(TestCommit commit, String group) throws Exception {
        String file = commit.published(group);
        LostFiles.lose(cluster.mini(), file);
        await().atMost(Duration.ofSeconds(30)).until(() -> LostFiles.isLost(cluster.mini(), file));
    }

    /** Writes anew what an entry names, as a job does that knows all files of the commits. */
    private static Outcome rebuild(Dataset dataset, String id, Damage damage, TestCommit... commits) throws Exception {
        List<StagedFile> lost = new ArrayList<>();
        for (TestCommit commit : commits) {
            if (commit.id().equals(damage.segment())) {
                commit.files().stream()
                        .filter(f -> f.group().equals(damage.group()))
                        .limit(damage.missing().count() / 10)
                        .forEach(lost::add);
            }
        }
        List<Long> replaces =
                damage.files().stream().map(f -> f.file().fileId()).toList();
        return new TestRebuild(dataset, id, lost, replaces)
                .stage(client, cluster.fs())
                .publish(client)
                .outcome();
    }

    @Test
    void whatIsLostChangedDeletedOrOverwrittenIsToldAndRebuilt() throws Exception {
        Dataset dataset = dataset("all");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 2);
        TestCommit third = commit(dataset, 20, 1);
        TestCommit fourth = commit(dataset, 30, 1);
        assertThat(client.damage(dataset.path(), ALL)).isEqualTo(new Damages(dataset.id(), List.of(), true));

        lose(first, "signal");
        lose(third, "device");
        DFSTestUtil.appendFile(cluster.fs(), new Path(third.published("time")), 10);
        cluster.fs().delete(new Path(second.published("time")), false);
        cluster.pastMpsr().create(new Path(fourth.published("signal")), true).close();

        Damages damages = client.damage(dataset.path(), ALL);
        assertThat(damages.complete()).isTrue();
        assertThat(damages.damages())
                .extracting(d -> d.liveCopies() + " " + d.group() + " " + d.segment() + " " + causes(d) + " "
                        + d.missing().count() + " " + d.deleted())
                .containsExactly(
                        "1 time t-0-20 [CHANGED] 10 false",
                        "1 device t-0-20 [LOST] 10 false",
                        "2 time t-0-10 [] 10 true",
                        "2 signal t-0-0 [LOST] 10 false",
                        "2 signal t-0-30 [CHANGED] 10 true");
        assertThat(damages.damages()).allSatisfy(d -> {
            assertThat(d.due())
                    .as("what people do to the default group is theirs")
                    .isEqualTo(!d.isDefault());
            assertThat(d.sinceMs()).isPositive();
            assertThat(d.held().count()).isEqualTo(d.segment().equals("t-0-10") ? 10 : 0);
            assertThat(d.sources()).doesNotContainKey(d.group());
        });
        DamagedFile lost = damages.damages().get(3).files().get(0);
        assertThat(lost.file().path()).isEqualTo(first.published("signal"));
        assertThat(lost.file().statistics().content())
                .isEqualTo(first.file("signal").statistics().content());
        assertThat(lost.file().statistics().partition())
                .isEqualTo(first.file("signal").statistics().partition());
        assertThat(client.damage(dataset.path(), ALL).damages())
                .as("it is known since the first look")
                .isEqualTo(damages.damages());

        for (int i = 0; i < damages.damages().size(); i++) {
            assertThat(rebuild(dataset, "r" + i, damages.damages().get(i), first, second, third, fourth))
                    .isEqualTo(Outcome.COMMITTED);
        }
        assertThat(client.damage(dataset.path(), ALL).damages()).isEmpty();
        assertThat(client.getDataset(dataset.path()).representations())
                .allSatisfy(r -> assertThat(r.unusable()).isNull());
    }

    private static List<Cause> causes(Damage damage) {
        return damage.files().stream().map(DamagedFile::cause).toList();
    }

    @Test
    void aSegmentWithoutAWholeGroupIsToldLast() throws Exception {
        Dataset dataset = dataset("none");
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 1);
        for (String group : List.of("time", "signal", "device")) {
            lose(first, group);
        }
        lose(second, "device");

        List<Damage> damages = client.damage(dataset.path(), ALL).damages();

        assertThat(damages)
                .extracting(d -> d.liveCopies() + " " + d.group() + " " + d.segment())
                .containsExactly("2 device t-0-10", "0 time t-0-0", "0 device t-0-0", "0 signal t-0-0");
        assertThat(damages.subList(1, 4)).allSatisfy(d -> {
            assertThat(d.held().count()).isEqualTo(10);
            assertThat(d.missing().count()).isEqualTo(10);
        });
    }

    /** Deletes the files of a segment in all groups. */
    private static void deleteAll(Dataset dataset, String segment) throws Exception {
        for (Representation representation : dataset.representations()) {
            for (String file : cluster.filesBelow(representation.root())) {
                if (file.contains("/" + segment + "-")) {
                    cluster.pastMpsr().delete(new Path(file), false);
                }
            }
        }
    }

    private static Map<Integer, Long> recordsByCopies(Dataset dataset) throws Exception {
        return cluster.status().getRedundancyList().stream()
                .filter(r -> r.getPath().equals(dataset.path()))
                .flatMap(r -> r.getRedundancyList().stream())
                .filter(r -> r.getRecords() > 0)
                .collect(Collectors.toMap(RedundancyProto::getCopies, RedundancyProto::getRecords));
    }

    @Test
    void aSegmentWhoseFilesAreGoneInEveryGroupIsTold() throws Exception {
        Dataset dataset = dataset("gone");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        assertThat(TestRewrite.of(dataset, "merged", first, second)
                        .stage(client, cluster.fs())
                        .publish(client)
                        .outcome())
                .isEqualTo(Outcome.COMMITTED);
        commit(dataset, 20, 1);
        deleteAll(dataset, "merged");
        for (String when : List.of("while the NameNode knows the files", "after its restart")) {
            assertThat(client.damage(dataset.path(), ALL).damages())
                    .as(when)
                    .extracting(d -> d.liveCopies() + " " + d.group() + " " + d.segment() + " "
                            + d.missing().count() + " of " + d.held().count() + " " + d.deleted() + " " + causes(d))
                    .containsExactly(
                            "0 time merged 20 of 0 true []",
                            "0 device merged 20 of 0 true []",
                            "0 signal merged 20 of 0 true []");
            assertThat(recordsByCopies(dataset)).as(when).isEqualTo(Map.of(0, 20L, 3, 10L));
            cluster.restartNameNode();
        }
    }

    @Test
    void recordsOfWhichNoSegmentTellsAreCountedAmongThoseWithoutACopy() throws Exception {
        Dataset dataset = dataset("untold");
        commit(dataset, 0, 1);
        commit(dataset, 10, 1);
        deleteAll(dataset, "t-0-10");
        cluster.restartNameNode();
        client.damage(dataset.path(), ALL);
        assertThat(recordsByCopies(dataset)).isEqualTo(Map.of(0, 10L, 3, 10L));
    }

    @Test
    void aFileThatSomebodyWroteOverOneOfTheDefaultGroupIsToldToWhoAsks() throws Exception {
        Dataset dataset = dataset("over");
        TestCommit first = commit(dataset, 0, 1);
        commit(dataset, 10, 1);
        Path path = new Path(first.published("time"));
        FsPermission rights = cluster.stat(path.toString()).getPermission();
        cluster.write(path.toString(), 77);
        cluster.fs().setPermission(path, new FsPermission((short) 0600));
        cluster.fs().setOwner(path, "somebody", null);

        Damage told = client.damage(dataset.path(), ALL).damages().get(0);
        assertThat(told.files()).isEmpty();
        assertThat(told.deleted()).isTrue();
        Damage asked = asked(dataset);
        assertThat(asked.files()).hasSize(1);
        DamagedFile foreign = asked.files().get(0);
        assertThat(foreign.foreign()).isTrue();
        assertThat(foreign.cause()).isEqualTo(Cause.CHANGED);
        assertThat(foreign.file().path()).isEqualTo(path.toString());
        assertThat(foreign.file().statistics().partition())
                .isEqualTo(first.file("time").statistics().partition());
        DFSTestUtil.appendFile(cluster.fs(), path, 1);
        long appended = asked(dataset).files().get(0).state();
        assertThat(appended)
                .isNotEqualTo(foreign.state())
                .isEqualTo(asked(dataset).files().get(0).state());

        List<StagedFile> lost = List.of(first.file("time"));
        List<Long> replaces = List.of(foreign.file().fileId());
        assertThat(new TestRebuild(dataset, "unasked", lost, replaces)
                        .stage(client, cluster.fs())
                        .publish(client)
                        .outcome())
                .isEqualTo(Outcome.FENCED);
        TestRebuild rebuild =
                TestRebuild.ofForeignFiles(dataset, "asked", lost, replaces).stage(client, cluster.fs());
        assertThat(rebuild.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(rebuild.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertThat(client.damageAndForeignFiles(dataset.path(), ALL).damages()).isEmpty();
        assertThat(client.getDataset(dataset.path()).representations())
                .allSatisfy(r -> assertThat(r.unusable()).isNull());
        assertThat(cluster.filesBelow(dataset.path()))
                .contains(rebuild.published().get(0))
                .hasSize(2);
        assertThat(cluster.stat(rebuild.published().get(0)).getPermission()).isEqualTo(rights);
    }

    private static Damage asked(Dataset dataset) throws Exception {
        return client.damageAndForeignFiles(dataset.path(), ALL).damages().get(0);
    }

    @Test
    void muchDamageComesInPages() throws Exception {
        Dataset dataset = dataset("pages");
        TestCommit first = commit(dataset, 0, 3);
        TestCommit second = commit(dataset, 10, 2);
        for (TestCommit commit : List.of(first, second)) {
            for (StagedFile file : commit.files()) {
                if (file.group().equals("time")) {
                    DFSTestUtil.appendFile(cluster.fs(), new Path(dataset.path() + "/" + file.relativePath()), 1);
                }
            }
        }
        List<Damage> all = client.damage(dataset.path(), ALL).damages();
        assertThat(all).extracting(d -> d.files().size()).containsExactly(3, 2);
        Damages some = client.damage(dataset.path(), 2);
        assertThat(some.complete()).isFalse();
        assertThat(some.damages()).isEqualTo(all.subList(0, 1));
        assertThat(client.damage(dataset.path(), 5).damages()).isEqualTo(all);
        assertThat(client.damage(dataset.path(), 4)).isEqualTo(some);
    }

    @Test
    void onlyWhoMayReadAllSeesDamage() throws Exception {
        Dataset dataset = dataset("seen");
        TestCommit first = commit(dataset, 0, 1);
        cluster.fs().setPermission(new Path(first.published("time")), new FsPermission((short) 0600));
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                assertThatThrownBy(() -> own.damage(dataset.path(), 1)).isInstanceOf(AccessControlException.class);
            }
            return true;
        });
    }
}
