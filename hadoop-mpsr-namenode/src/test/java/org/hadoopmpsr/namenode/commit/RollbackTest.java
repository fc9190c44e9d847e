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

import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestDelete;
import org.hadoopmpsr.namenode.TestRewrite;
import org.hadoopmpsr.namenode.TestRollback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rollbacks bring earlier states back in all groups, or change nothing. {@code TimeTravelTest} compares them with a model. */
class RollbackTest {
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

    /** A dataset that counts its changes. */
    private static Dataset dataset(String name) throws IOException {
        Dataset dataset = client.createDataset("/rollback/" + name, TestCluster.SCHEMA);
        client.tag(dataset.path(), dataset.id(), "empty", null);
        return dataset;
    }

    /** @param start of an odd ten: {@link #SOME} is a part of its records */
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

    private static TestRollback to(Dataset dataset, String id, String state) throws IOException {
        return new TestRollback(client, dataset, id, state).stage(client, cluster.fs());
    }

    private static void deleted(Dataset dataset, String id, TestCommit dropped, TestCommit kept) throws IOException {
        TestDelete delete = new TestDelete(dataset, id).drop(dropped).keep(kept, SOME);
        assertThat(delete.stage(client, cluster.fs()).publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
    }

    private static ContentHashes assertHeld(Dataset dataset, long records, String... segments) throws IOException {
        Dataset now = client.getDataset(dataset.path());
        ContentHashes content = now.representations().get(0).content();
        assertThat(now.representations()).allSatisfy(r -> {
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.content()).isEqualTo(content);
            assertThat(r.content().count()).isEqualTo(records);
        });
        assertThat(client.segments(dataset.path()).segments())
                .extracting(Segments.Info::id)
                .containsExactlyInAnyOrder(segments);
        assertThat(client.damage(dataset.path(), 100).damages()).isEmpty();
        return content;
    }

    private static void assertRefused(PublishResult result, Refusal.Kind kind, String reason) {
        assertThat(result.outcome()).as(result.reason()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal().kind()).isEqualTo(kind);
        assertThat(result.reason()).contains(reason);
    }

    @Test
    void deletedRecordsComeBackAndALaterCommitGoes() throws Exception {
        Dataset dataset = dataset("back");
        TestCommit first = committed(dataset, 10, 2);
        TestCommit second = committed(dataset, 30, 1);
        TestCommit third = committed(dataset, 50, 1);
        ContentHashes then = assertHeld(dataset, 40, first.id(), second.id(), third.id());
        deleted(dataset, "delete-1", first, second);
        committed(dataset, 70, 1);
        ContentHashes before = assertHeld(dataset, 24, "delete-1.1", third.id(), "t-0-70");
        client.tag(dataset.path(), null, "before", null);

        TestRollback rollback = to(dataset, "rollback-1", "3");
        assertThat(rollback.plan().last()).isEqualTo(5);
        assertThat(rollback.plan().removedIds()).containsExactly("delete-1.1", "t-0-70");
        assertThat(rollback.plan().restoredIds()).containsExactly(first.id(), second.id());
        assertThat(PlannedRollback.records(rollback.plan().restores())).isEqualTo(30);
        assertThat(rollback.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(assertHeld(dataset, 40, "rollback-1.0", "rollback-1.1", third.id()))
                .isEqualTo(then);
        assertThat(rollback.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        for (Segments.Info segment : client.segments(dataset.path()).segments()) {
            assertThat(segment.isReplaceable()).isTrue();
            if (segment.id().equals("rollback-1.1")) {
                assertThat(segment.since()).isEqualTo(6);
                assertThat(segment.first()).isEqualTo(2);
                assertThat(segment.last()).isEqualTo(2);
            }
        }
        assertThat(client.getDataset(dataset.path()).offsets())
                .extracting(o -> o.end())
                .containsExactlyInAnyOrder(20L, 40L, 60L, 80L);
        History.Change told = client.history(dataset.path(), 10).changes().get(0);
        assertThat(told.id()).isEqualTo("rollback-1");
        assertThat(told.addedRecords()).isEqualTo(30);
        assertThat(told.removedRecords()).isEqualTo(14);
        assertThat(client.planRollback(dataset.path(), "3").isEmpty()).isTrue();
        cluster.restartNameNode();
        assertHeld(dataset, 40, "rollback-1.0", "rollback-1.1", third.id());

        assertThat(to(dataset, "rollback-2", "before").publish(client).outcome())
                .isEqualTo(Outcome.COMMITTED);
        assertThat(assertHeld(dataset, 24, "rollback-2.0", "rollback-2.1", third.id()))
                .isEqualTo(before);
        assertThat(client.history(dataset.path(), 10).changes()).allMatch(History.Change::readable);
    }

    @Test
    void onlyWhatDiffersIsRead() throws Exception {
        Dataset dataset = dataset("merged");
        TestCommit first = committed(dataset, 10, 1);
        TestCommit second = committed(dataset, 30, 1);
        TestRewrite merge = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
        assertThat(merge.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(client.planRollback(dataset.path(), "2").isEmpty()).isTrue();
        committed(dataset, 50, 1);
        TestRollback rollback = to(dataset, "rollback-only", "2");
        assertThat(rollback.plan().removedIds()).containsExactly("t-0-50");
        assertThat(rollback.files()).isEmpty();
        assertThat(rollback.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertHeld(dataset, 20, "m1");
        assertThat(client.history(dataset.path(), 10).changes().get(0).id()).isEqualTo("rollback-only");
        assertThat(to(dataset, "rollback-all", "empty").publish(client).outcome())
                .isEqualTo(Outcome.COMMITTED);
        assertThat(client.segments(dataset.path()).segments()).isEmpty();
    }

    @Test
    void whatDoesNotAddUpIsRefused() throws Exception {
        Dataset dataset = dataset("sums");
        TestCommit first = committed(dataset, 10, 2);
        TestCommit second = committed(dataset, 30, 1);
        deleted(dataset, "delete-s", first, second);
        TestRollback rollback = to(dataset, "rollback-s", "2");
        List<StagedFile> fewer = rollback.files().subList(1, rollback.files().size());
        assertRefused(
                publish(dataset, rollback.plan(), fewer),
                Refusal.Kind.INVALID,
                "a rollback restores all records of a segment");
        PlannedRollback one = new PlannedRollback(
                dataset.id(),
                2,
                3,
                rollback.plan().removes(),
                rollback.plan().restores().subList(0, 1));
        assertRefused(publish(dataset, one, rollback.files()), Refusal.Kind.INVALID, "name commit rollback-s.1");
        PlannedRollback current = new PlannedRollback(
                dataset.id(), 2, 3, List.of(), rollback.plan().removes());
        assertRefused(
                publish(dataset, current, List.of()),
                Refusal.Kind.NOT_REPLACEABLE,
                "segment delete-s.1 is not removed");
        assertRefused(
                client.rollback(dataset.path(), dataset.id(), "back-1", rollback.plan(), "", List.of()),
                Refusal.Kind.INVALID,
                "the id of a rollback must start with 'rollback-'");
        client.purgeReplaced(dataset.path(), null);
        assertRefused(rollback.publish(client), Refusal.Kind.NOT_REPLACEABLE, "is not known any more");
        assertThatThrownBy(() -> client.planRollback(dataset.path(), "2"))
                .hasMessageContaining("cannot roll /rollback/sums back to change 2")
                .hasMessageContaining("the history that is kept begins with change 3");
        assertHeld(dataset, 4, "delete-s.1");
    }

    private static PublishResult publish(Dataset dataset, PlannedRollback plan, List<StagedFile> files)
            throws IOException {
        return client.rollback(dataset.path(), dataset.id(), "rollback-s", plan, "", files);
    }

    @Test
    void whatCameSinceThePlanStaysOrFencesIt() throws Exception {
        Dataset dataset = dataset("fenced");
        TestCommit first = committed(dataset, 10, 1);
        TestCommit second = committed(dataset, 30, 1);
        TestDelete delete = new TestDelete(dataset, "delete-f").drop(first).stage(client, cluster.fs());
        assertThat(delete.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        TestRollback one = to(dataset, "rollback-f1", "2");
        TestRollback other = to(dataset, "rollback-f2", "2");
        committed(dataset, 50, 1);
        assertThat(one.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertHeld(dataset, 30, "rollback-f1.0", second.id(), "t-0-50");
        PublishResult fenced = other.publish(client);
        assertThat(fenced.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(fenced.reason()).contains("since then another rollback was published");

        TestRollback late = to(dataset, "rollback-f3", "2");
        assertThat(late.plan().removedIds()).containsExactly("t-0-50");
        TestDelete more = new TestDelete(dataset, "delete-g").drop(committed(dataset, 70, 1));
        assertThat(more.stage(client, cluster.fs()).publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(late.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertHeld(dataset, 20, "rollback-f1.0", second.id());
    }

    @Test
    void onlyTheOwnerAndSuperusersRollBack() throws Exception {
        Dataset dataset = dataset("owned");
        TestCommit first = committed(dataset, 10, 1);
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0777));
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                PlannedRollback plan = own.planRollback(dataset.path(), "empty");
                assertThat(plan.removedIds()).containsExactly(first.id());
                assertRefused(
                        own.rollback(dataset.path(), dataset.id(), "rollback-o", plan, "", List.of()),
                        Refusal.Kind.NO_PERMISSION,
                        "may not rewrite segments");
            }
            return true;
        });
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0700));
        cluster.as("other", () -> {
            try (MpsrClient own = cluster.client()) {
                assertThatThrownBy(() -> own.planRollback(dataset.path(), "empty"))
                        .hasMessageContaining("Permission denied");
            }
            return true;
        });
        assertHeld(dataset, 10, first.id());
    }
}
