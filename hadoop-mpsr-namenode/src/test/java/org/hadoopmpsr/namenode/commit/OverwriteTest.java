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
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An overwrite puts other records in the place of segments, in all groups or in none. */
class OverwriteTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static TestCommit committed(Dataset dataset, long start) throws IOException {
        TestCommit commit = new TestCommit(dataset, start, start + 10);
        commit.stage(client, cluster.fs()).publish(client);
        return commit;
    }

    private static TestCommit fresh(Dataset dataset, String id, long start) {
        return new TestCommit(
                dataset, id, new CommitSource("t", 0, start, start + 10), "PT", LocalDate.of(2014, 5, 1), 1);
    }

    private static TestCommit staged(MpsrClient by, Dataset dataset, String id, long start) throws IOException {
        return fresh(dataset, id, start).stage(by, cluster.fs());
    }

    private static PublishResult overwrite(MpsrClient by, Dataset dataset, TestCommit staged, TestCommit... removed)
            throws IOException {
        List<String> ids = List.of(removed).stream().map(TestCommit::id).toList();
        return by.overwrite(dataset.path(), dataset.id(), staged.id(), ids, staged.files());
    }

    private static void assertHeld(MpsrClient by, Dataset dataset, long records, String... segments)
            throws IOException {
        Dataset now = by.getDataset(dataset.path());
        assertThat(now.representations()).allSatisfy(r -> {
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.content()).isEqualTo(now.representations().get(0).content());
            assertThat(r.content().count()).isEqualTo(records);
        });
        assertThat(by.segments(dataset.path()).segments())
                .extracting(Segments.Info::id)
                .containsExactlyInAnyOrder(segments);
    }

    private static void assertRefused(PublishResult result, Refusal.Kind kind, String reason) {
        assertThat(result.outcome()).as(result.reason()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal().kind()).isEqualTo(kind);
        assertThat(result.reason()).contains(reason);
    }

    @Test
    void otherRecordsTakeThePlaceOfSegments() throws Exception {
        Dataset dataset = client.createDataset("/overwrite/place", TestCluster.SCHEMA);
        client.tag(dataset.path(), dataset.id(), "empty", null);
        TestCommit first = committed(dataset, 10);
        TestCommit second = committed(dataset, 20);
        TestCommit third = committed(dataset, 30);
        List<CommittedOffset> offsets = client.getDataset(dataset.path()).offsets();
        TestCommit fresh = staged(client, dataset, "overwrite-1", 50);
        assertThat(overwrite(client, dataset, fresh, first, second).outcome()).isEqualTo(Outcome.COMMITTED);
        assertHeld(client, dataset, 20, "overwrite-1", third.id());
        assertThat(overwrite(client, dataset, fresh, first, second).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertThat(client.getDataset(dataset.path()).offsets()).isEqualTo(offsets);
        Segments.Info segment = client.segments(dataset.path()).segments().stream()
                .filter(s -> s.id().equals("overwrite-1"))
                .findFirst()
                .orElseThrow();
        assertThat(segment.first()).isEqualTo(segment.since());
        assertThat(segment.isReplaceable()).isTrue();
        assertThat(client.history(dataset.path(), 1).changes().get(0).id()).isEqualTo("overwrite-1");

        PlannedRollback back = client.planRollback(dataset.path(), "3");
        assertThat(back.removedIds()).containsExactly("overwrite-1");
        assertThat(back.restoredIds()).containsExactly(first.id(), second.id());
    }

    @Test
    void whatIsNotCurrentIsNotOverwritten() throws Exception {
        Dataset dataset = client.createDataset("/overwrite/fenced", TestCluster.SCHEMA);
        TestCommit first = committed(dataset, 10);
        TestCommit one = staged(client, dataset, "overwrite-1", 50);
        TestCommit other = staged(client, dataset, "overwrite-2", 60);
        assertThat(overwrite(client, dataset, one, first).outcome()).isEqualTo(Outcome.COMMITTED);
        PublishResult late = overwrite(client, dataset, other, first);
        assertThat(late.outcome()).isEqualTo(Outcome.FENCED);
        assertThat(late.reason()).contains("replaces segment " + first.id());
        assertRefused(
                client.overwrite(dataset.path(), dataset.id(), other.id(), List.of(), other.files()),
                Refusal.Kind.INVALID,
                "names no segment to remove");
        assertRefused(
                client.overwrite(dataset.path(), dataset.id(), "w-1", List.of("overwrite-1"), other.files()),
                Refusal.Kind.INVALID,
                "must start with 'overwrite-'");
        assertRefused(
                client.overwrite(dataset.path(), dataset.id(), other.id(), List.of("overwrite-1"), List.of()),
                Refusal.Kind.INVALID,
                "");
        cluster.fs().delete(new Path(dataset.path(), one.file("time").relativePath()), false);
        assertRefused(
                client.overwrite(dataset.path(), dataset.id(), other.id(), List.of("overwrite-1"), other.files()),
                Refusal.Kind.NOT_REPLACEABLE,
                "was deleted, moved or changed; repair it, and write again");
    }

    /** Files in directories that others can write to are the owner's. */
    @Test
    void onlyTheOwnerOverwrites() throws Exception {
        Dataset dataset = client.createDataset("/overwrite/owned", TestCluster.SCHEMA);
        TestCommit first = committed(dataset, 10);
        cluster.fs().setPermission(new Path(dataset.path()), FsPermission.createImmutable((short) 0777));
        PublishResult result = cluster.as("other", () -> {
            try (MpsrClient by = cluster.client()) {
                return overwrite(by, dataset, fresh(dataset, "overwrite-1", 50), first);
            }
        });
        assertRefused(result, Refusal.Kind.NO_PERMISSION, "only the owner of the directory");
    }

    @Tag("long")
    @Test
    void aCrashAtAnyBoundaryLeavesAllOrNothing() throws Exception {
        try (TestCluster source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
                MpsrClient by = source.client()) {
            Dataset dataset = by.createDataset("/cut/overwrite", TestCluster.SCHEMA);
            TestCommit first = new TestCommit(dataset, 10, 20);
            first.stage(by, source.fs()).publish(by);
            TestCommit fresh = fresh(dataset, "overwrite-1", 50).stage(by, source.fs());
            CutPublish cut = new CutPublish(source, by, client -> overwrite(client, dataset, fresh, first));
            cut.fromCommitPoint()
                    .check(
                            9,
                            "three files out, three files in, the removed segment, the new one, the end",
                            (crash, at, client) -> assertHeld(client, dataset, 10, first.id()),
                            (crash, at, client) -> assertHeld(client, dataset, 10, "overwrite-1"));
        }
    }
}
