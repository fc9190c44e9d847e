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

import java.time.LocalDate;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.stats.FileTotals;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Offsets that a commit passes over are told and can be moved back; a commit's id is of one commit. */
class OffsetResetTest {
    private static final LocalDate DAY = LocalDate.of(2014, 5, 1);

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, AuditLines.class.getName());
        cluster = TestCluster.start(conf, 3, 3);
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

    /** @param files for each group; none for a commit that only moves offsets */
    private static TestCommit staged(Dataset dataset, String id, CommitSource source, int files) throws Exception {
        return new TestCommit(dataset, id, source, "PT-1", DAY, files).stage(client, cluster.fs());
    }

    private static PublishResult result(Dataset dataset, TestCommit commit) throws Exception {
        return client.publish(dataset.path(), dataset.id(), commit.id(), commit.sources(), commit.files());
    }

    private static void assertRefused(PublishResult result, String text) {
        assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal()).isNotNull();
        assertThat(result.refusal().kind()).isEqualTo(Kind.INVALID);
        assertThat(result.reason()).contains(text);
    }

    @Test
    void aJumpIsToldAndMovedBack() throws Exception {
        Dataset dataset = dataset("jump");
        String path = dataset.path();
        TestCommit endless = staged(dataset, "endless", new CommitSource("t", 0, 0, Long.MAX_VALUE), 0);
        assertRefused(result(dataset, endless), "the end 9223372036854775807 of partition 0 of topic 't'");
        assertThat(client.getDataset(path).offsets()).isEmpty();
        long jumps = cluster.counter("OffsetJumps");
        AuditLines.clear();

        TestCommit far = staged(dataset, "far", new CommitSource("t", 0, 0, 5_000_000_000L), 0);
        assertThat(far.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        assertThat(client.getDataset(path).jumps()).containsExactly(new OffsetJump("t", 0, 0, 5_000_000_000L, "far"));
        assertThat(cluster.counter("OffsetJumps")).isEqualTo(jumps + 1);
        assertThat(AuditLines.of("mpsrOffsetJump"))
                .singleElement()
                .asString()
                .contains(" src=" + path + " dst=t:0=0..5000000000");
        TestCommit honest = staged(dataset, "honest", new CommitSource("t", 0, 0, 10), 1);
        assertThat(honest.publish(client).outcome()).isEqualTo(Outcome.FENCED);

        List<OffsetReset> back = List.of(new OffsetReset("t", 0, 5_000_000_000L, 0));
        assertThatThrownBy(() -> cluster.call("writer", c -> c.resetOffsets(path, dataset.id(), back, true)))
                .isInstanceOf(AccessControlException.class);
        assertThatThrownBy(() -> client.resetOffsets(path, "another", back, true))
                .hasMessageContaining("is another one");
        assertThatThrownBy(() -> client.resetOffsets(path, dataset.id(), back, false))
                .hasMessageContainingAll("2 commit(s) to " + path + " are open", "endless", "--force");
        List<OffsetReset> wrong = List.of(new OffsetReset("t", 0, 7, 0));
        assertThatThrownBy(() -> client.resetOffsets(path, dataset.id(), wrong, true))
                .hasMessageContaining("is not committed up to 7 any more, but up to 5000000000");

        AuditLines.clear();
        assertThat(client.resetOffsets(path, dataset.id(), back, true))
                .singleElement()
                .satisfies(o -> assertThat(o.end()).isZero());
        assertThat(client.resetOffsets(path, dataset.id(), back, false))
                .as("again")
                .hasSize(1);
        assertThat(AuditLines.of("mpsrResetOffsets"))
                .hasSize(2)
                .allMatch(line -> line.contains(" src=" + path + " dst=t:0=0"));
        assertThat(client.getDataset(path).jumps()).isEmpty();
        assertThat(honest.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(client.getDataset(path).offsets()).containsExactly(new CommittedOffset("t", 0, 10, "honest"));
    }

    @Test
    void whereATopicBeginsIsTold() throws Exception {
        Dataset dataset = dataset("begin");
        staged(dataset, "first", new CommitSource("t", 0, 1_000, 1_010), 1).publish(client);
        OffsetJump before = new OffsetJump("t", 0, 0, 1_000, "first");
        assertThat(client.getDataset(dataset.path()).jumps()).containsExactly(before);

        staged(dataset, "second", new CommitSource("t", 0, 1_010, 1_020), 1).publish(client);
        assertThat(client.getDataset(dataset.path()).jumps()).containsExactly(before);
    }

    @Test
    void aResetForgetsTheTopicThatWasMadeAnew() throws Exception {
        Dataset dataset = dataset("anew");
        CommitSource old = new CommitSource("t", 0, 0, 10, "topic-1");
        staged(dataset, "c1", old, 1).publish(client);
        CommitSource anew = new CommitSource("t", 0, 0, 10, "topic-2");
        assertThat(result(dataset, staged(dataset, "c2", anew, 1)).isCommitted())
                .isFalse();

        OffsetReset reset = new OffsetReset("t", 0, 10, 0);
        OffsetReset added = new OffsetReset("u", 3, OffsetReset.NONE, 7);
        client.resetOffsets(dataset.path(), dataset.id(), List.of(reset, added), true);

        assertThat(result(dataset, staged(dataset, "c3", anew, 1)).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(client.getDataset(dataset.path()).offsets())
                .contains(new CommittedOffset("t", 0, 10, "c3", "topic-2"))
                .anySatisfy(o -> {
                    assertThat(o.topic()).isEqualTo("u");
                    assertThat(o.end()).isEqualTo(7);
                });
    }

    @Test
    void aTopicPartitionIsNamedOnce() throws Exception {
        Dataset dataset = dataset("twice");
        TestCommit commit = new TestCommit(dataset, "c", new CommitSource("t", 0, 0, 5), "PT-1", DAY, 1);
        commit.plus(new CommitSource("t", 0, 0, 100)).stage(client, cluster.fs());
        assertRefused(result(dataset, commit), "names partition 0 of topic 't' twice");
    }

    @Test
    void aCommitIdIsOfOneCommit() throws Exception {
        Dataset dataset = dataset("ids");
        TestCommit first = staged(dataset, "x", new CommitSource("t", 0, 0, 10), 1);
        first.publish(client);
        assertThat(first.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);

        TestCommit sameOffsets = new TestCommit(dataset, "x", new CommitSource("t", 0, 0, 10), "PT-2", DAY, 2);
        assertRefused(result(dataset, sameOffsets), "the commit of this id has 10 records with hash");
        TestCommit otherOffsets = staged(dataset, "x", new CommitSource("t", 1, 0, 10), 1);
        assertRefused(result(dataset, otherOffsets), "has committed partition 0 of topic 't' up to offset 10");
        staged(dataset, "y", new CommitSource("t", 0, 10, 20), 1).publish(client);
        assertRefused(result(dataset, otherOffsets), "a commit of this id was published before");
    }

    /** After a restart nobody knows the ids of older commits: a second commit of an id hides nothing of the first. */
    @Test
    void readersOfAnOldListingSeeTheSequenceOfCommitsWhateverTheirIds() throws Exception {
        Dataset dataset = dataset("sequence");
        staged(dataset, "x", new CommitSource("t", 0, 0, 10), 1).publish(client);
        staged(dataset, "y", new CommitSource("t", 0, 10, 20), 1).publish(client);
        cluster.restartNameNode();
        try (MpsrClient after = cluster.client()) {
            ReadPlan listing = after.plan(dataset.path(), Filter.ALL, "signal").orElseThrow();
            FileTotals listed = listing.defaultTotals();
            assertThat(listing.files()).hasSize(2);
            assertThat(listed).isNotNull();
            TestCommit again =
                    new TestCommit(dataset, "x", new CommitSource("t", 1, 0, 10), "PT-2", DAY.plusDays(9), 2);
            again.files().removeIf(f -> f.relativePath().endsWith("-0.parquet")); // which is there already
            again.stage(after, cluster.fs());
            assertThat(again.publish(after).outcome()).isEqualTo(Outcome.COMMITTED);

            ReadRequest asListed = ReadRequest.ofAllColumns(Filter.ALL).of(listed);
            assertThat(after.plan(dataset.path(), asListed, "signal", List.of())
                            .orElseThrow()
                            .files())
                    .extracting(ReadPlan.PlannedFile::path)
                    .containsExactlyInAnyOrderElementsOf(listing.files().stream()
                            .map(ReadPlan.PlannedFile::path)
                            .toList());
            assertThat(after.plan(dataset.path(), Filter.ALL, "signal")
                            .orElseThrow()
                            .files())
                    .hasSize(3);
        }
    }
}
