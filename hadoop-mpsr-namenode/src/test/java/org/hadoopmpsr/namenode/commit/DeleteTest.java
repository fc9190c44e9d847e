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

import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
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
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestDelete;
import org.hadoopmpsr.namenode.TestRewrite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A delete takes records away in all groups, or in none. */
class DeleteTest {
    private static final ContentHash SOME = new ContentHash(HashKind.XXH_128, 4, 3, 2);

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

    private static Dataset dataset(String name) throws IOException {
        return client.createDataset("/delete/" + name, TestCluster.SCHEMA);
    }

    /** Of an odd ten: {@link #SOME} is a part of its records. */
    private static TestCommit committed(Dataset dataset, long start, int parts) throws IOException {
        TestCommit commit = new TestCommit(
                dataset,
                "t-0-" + start,
                new CommitSource("t", (int) start, start, start + 10),
                "PT",
                LocalDate.of(2014, 5, 1),
                parts);
        commit.stage(client, cluster.fs()).publish(client);
        return commit;
    }

    private static void assertHeld(Dataset dataset, long records, String... segments) throws IOException {
        Dataset now = client.getDataset(dataset.path());
        assertThat(now.representations()).allSatisfy(r -> {
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.content()).isEqualTo(now.representations().get(0).content());
            assertThat(r.content().count()).isEqualTo(records);
        });
        assertThat(client.segments(dataset.path()).segments())
                .extracting(Segments.Info::id)
                .containsExactlyInAnyOrder(segments);
        assertThat(client.damage(dataset.path(), 100).damages()).isEmpty();
    }

    private static void assertRefused(PublishResult result, Refusal.Kind kind, String reason) {
        assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal().kind()).isEqualTo(kind);
        assertThat(result.reason()).contains(reason);
    }

    @Test
    void eachSegmentKeepsTheRecordsThatStay() throws Exception {
        Dataset dataset = dataset("some");
        TestCommit first = committed(dataset, 10, 2);
        TestCommit second = committed(dataset, 30, 1);
        TestCommit third = committed(dataset, 50, 1);
        TestDelete delete = new TestDelete(dataset, "delete-a")
                .keep(first, SOME)
                .drop(second)
                .stage(client, cluster.fs());

        assertThat(delete.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertHeld(dataset, 18, "delete-a.0", third.id());
        assertThat(delete.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        for (String group : List.of("time", "signal", "device")) {
            assertThat(cluster.groupsBelow(delete.published(group).get(0))).containsExactly(group);
            assertThat(client.plan(dataset.path(), new Filter.Unknown(), group)
                            .orElseThrow()
                            .files())
                    .hasSize(3);
        }
        Segments.Info kept = client.segments(dataset.path()).segments().get(0);
        assertThat(kept.isReplaceable()).isTrue();
        assertThat(kept.since()).isEqualTo(1);
        assertThat(kept.last()).isZero();
        assertThat(client.getDataset(dataset.path()).offsets())
                .extracting(o -> o.end())
                .containsExactlyInAnyOrder(20L, 40L, 60L);
        cluster.restartNameNode();
        assertHeld(dataset, 18, "delete-a.0", third.id());

        TestDelete again = new TestDelete(dataset, "delete-b").drop(third).stage(client, cluster.fs());
        assertThat(again.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertHeld(dataset, 8, "delete-a.0");
        committed(dataset, 70, 1);
        assertHeld(dataset, 18, "delete-a.0", "t-0-70");
        assertThat(client.dropDataset(dataset.path(), true)).isNotNull();
    }

    @Test
    void whatDoesNotAddUpIsRefused() throws Exception {
        Dataset dataset = dataset("sums");
        TestCommit first = committed(dataset, 10, 1);
        ContentHash whole = first.files().get(0).statistics().content();
        TestDelete none =
                new TestDelete(dataset, "delete-none").keep(first, whole).stage(client, cluster.fs());
        assertRefused(none.publish(client), Refusal.Kind.INVALID, "it deletes 0 records of group");
        TestDelete more = new TestDelete(dataset, "delete-more")
                .keep(first, whole.plus(SOME))
                .stage(client, cluster.fs());
        assertRefused(more.publish(client), Refusal.Kind.INVALID, "it deletes -4 records");

        TestDelete delete =
                new TestDelete(dataset, "delete-sums").keep(first, SOME).stage(client, cluster.fs());
        List<Duplicates> misread = delete.deleted().stream()
                .map(d -> d.group().equals("signal")
                        ? new Duplicates(d.group(), d.directory(), d.content().minus(SOME))
                        : d)
                .toList();
        List<String> removes = List.of(first.id());
        assertRefused(
                client.delete(dataset.path(), dataset.id(), delete.id(), removes, misread, "", delete.files()),
                Refusal.Kind.INVALID,
                "are deleted, which is not all of them; a file is damaged, or was not read to its end");
        List<StagedFile> unequal =
                delete.files().stream().filter(f -> !f.group().equals("signal")).toList();
        assertRefused(
                client.delete(dataset.path(), dataset.id(), delete.id(), removes, delete.deleted(), "", unequal),
                Refusal.Kind.INVALID,
                "the groups do not lose the same records of segment " + first.id());
        assertRefused(
                client.delete(dataset.path(), dataset.id(), "gone-1", removes, List.of(), "", List.of()),
                Refusal.Kind.INVALID,
                "the id of a delete must start with 'delete-'");
        assertHeld(dataset, 10, first.id());
    }

    @Test
    void anotherChangeThatCameFirstFencesIt() throws Exception {
        Dataset dataset = dataset("fenced");
        TestCommit first = committed(dataset, 10, 1);
        TestCommit second = committed(dataset, 30, 1);
        TestDelete delete =
                new TestDelete(dataset, "delete-late").keep(first, SOME).stage(client, cluster.fs());
        TestRewrite merge = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
        TestRewrite late = TestRewrite.of(dataset, "m2", first, second).stage(client, cluster.fs());
        assertThat(merge.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        PublishResult fenced = delete.publish(client);
        assertThat(fenced.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(fenced.reason()).contains("change m1 has replaced it already");
        assertHeld(dataset, 20, "m1");
        assertThat(late.publish(client).outcome()).isEqualTo(Outcome.FENCED);
    }

    @Test
    void aMergeThatComesAfterADeleteIsFenced() throws Exception {
        Dataset dataset = dataset("merged");
        TestCommit first = committed(dataset, 10, 1);
        TestCommit second = committed(dataset, 30, 1);
        TestRewrite merge = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
        TestDelete delete =
                new TestDelete(dataset, "delete-1").keep(first, SOME).stage(client, cluster.fs());
        assertThat(delete.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(merge.publish(client).outcome()).isEqualTo(Outcome.FENCED);
        assertHeld(dataset, 14, "delete-1.0", second.id());
    }

    /** Segments of several users go in one change. */
    @Test
    void newFilesHaveTheRightsOfTheirSegment() throws Exception {
        Dataset dataset = dataset("rights");
        TestCommit first = committed(dataset, 10, 2);
        TestCommit second = committed(dataset, 30, 1);
        String one = first.published("time");
        cluster.fs().setPermission(new Path(one), new FsPermission((short) 0640));
        TestDelete delete = new TestDelete(dataset, "delete-r")
                .keep(second, SOME)
                .keep(first, SOME)
                .stage(client, cluster.fs());
        assertRefused(
                delete.publish(client), Refusal.Kind.NOT_REPLACEABLE, "give the files of a segment the same owner");
        for (String file : cluster.filesBelow(dataset.path())) {
            short mode = (short) (file.contains(first.id() + "-") ? 0640 : 0604);
            cluster.fs().setPermission(new Path(file), new FsPermission(mode));
        }
        assertThat(delete.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        for (String file : cluster.filesBelow(dataset.path())) {
            assertThat(cluster.stat(file).getPermission().toShort()).as(file).isEqualTo((short)
                    (file.contains("delete-r.1-") ? 0640 : 0604));
        }
    }

    @Test
    void whatSomebodyHasChangedStays() throws Exception {
        Dataset dataset = dataset("changed");
        TestCommit first = committed(dataset, 10, 1);
        TestDelete delete = new TestDelete(dataset, "delete-2").drop(first).stage(client, cluster.fs());
        DFSTestUtil.appendFile(cluster.fs(), new Path(first.published("time")), 1);
        assertRefused(delete.publish(client), Refusal.Kind.NOT_REPLACEABLE, "was deleted, moved or changed");
        assertThat(cluster.filesBelow(dataset.path())).containsExactly(first.published("time"));
    }

    @Test
    void onlyTheOwnerAndSuperusersDelete() throws Exception {
        Dataset dataset = dataset("owned");
        TestCommit first = committed(dataset, 10, 1);
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0777));
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                TestDelete delete = new TestDelete(dataset, "delete-3").drop(first);
                assertRefused(delete.publish(own), Refusal.Kind.NO_PERMISSION, "may not rewrite segments");
            }
            return true;
        });
        assertHeld(dataset, 10, first.id());
    }
}
