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

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.dataset.CommitLog;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A commit is in all groups or in none wherever the NameNode is cut off. A publish is made once; then a NameNode is
 * started on the edit log up to each of the publish's transactions: what a crash leaves between two of them.
 */
class RollForwardTest {
    private static final long FAR = 5_000_000_000L;

    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static TestCommit first;
    private static TestCommit second;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/meas", TestCluster.SCHEMA);
            first = new TestCommit(dataset, 0, 10)
                    .plus(new CommitSource("v", 0, 0, 5))
                    .stage(client, source.fs());
            first.publish(client);
            // one topic-partition goes on, one is new, and one of either kind passes over offsets
            second = new TestCommit(dataset, 10, 20)
                    .plus(new CommitSource("u", 3, 100, 105))
                    .plus(new CommitSource("v", 0, 5, FAR))
                    .plus(new CommitSource("w", 1, 7, FAR));
            second.stage(client, source.fs());
            cut = new CutPublish(source, client, second::publish);
        }
    }

    @AfterAll
    static void stop() {
        source.close();
    }

    @Test
    void aCrashAtAnyBoundaryLeavesAllOrNothing() throws Exception {
        cut.check(
                6,
                "three files, four offsets, the end of the commit",
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client, first),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client, first, second),
                (crash, cluster, client) -> {
                    assertThat(client.getDataset(dataset.path()).jumps())
                            .as(crash.text())
                            .containsExactlyInAnyOrder(
                                    new OffsetJump("u", 3, 0, 100, second.id()),
                                    new OffsetJump("v", 0, 5, FAR, second.id()),
                                    new OffsetJump("w", 1, 0, FAR, second.id()));
                    assertThat(cluster.counter("OffsetJumps")).as(crash.text()).isEqualTo(crash.isLast() ? 0 : 3);
                });
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client, TestCommit... commits)
            throws Exception {
        Dataset now = client.getDataset(dataset.path());
        for (Dataset.Representation r : now.representations()) {
            assertThat(cluster.filesBelow(r.root()))
                    .as(crash)
                    .containsExactlyInAnyOrderElementsOf(List.of(commits).stream()
                            .map(c -> c.published(r.group()))
                            .toList());
            assertThat(r.content().count()).as(crash).isEqualTo(10L * commits.length);
            assertThat(r.unusable()).as(crash).isNull();
        }
        assertThat(now.offsets())
                .as(crash)
                .extracting(o -> o.topic() + "-" + o.partition() + ":" + o.end() + " " + o.commitId())
                .containsExactlyInAnyOrderElementsOf(
                        commits.length == 1
                                ? List.of("t-0:10 " + first.id(), "v-0:5 " + first.id())
                                : List.of(
                                        "t-0:20 " + second.id(),
                                        "u-3:105 " + second.id(),
                                        "v-0:" + FAR + " " + second.id(),
                                        "w-1:" + FAR + " " + second.id()));
        assertThat(cluster.fs()
                        .listStatus(new org.apache.hadoop.fs.Path("/.mpsr/datasets/" + dataset.id() + "/publishing")))
                .as(crash)
                .isEmpty();
    }

    /** A stock NameNode runs on what the crash left, and somebody puts a file where one of the commit's belongs. */
    @Test
    void whatStandsInTheWayIsWaitedFor() throws Exception {
        Path nameDir = cut.atCommitPoint();
        org.apache.hadoop.fs.Path obstacle = new org.apache.hadoop.fs.Path(second.published("device"));
        TestCluster stock = TestCluster.nameNode(TestCluster.stock(), nameDir);
        stock.fs().create(obstacle, (short) 1).close();
        stock.mini().shutdown(false);
        try (TestCluster cluster = TestCluster.nameNode(TestCluster.threeGroups(), nameDir);
                MpsrClient client = cluster.client()) {
            assertThat(client.plan(dataset.path(), new Filter.Unknown(), null).orElseThrow())
                    .satisfies(plan -> {
                        assertThat(plan.stock()).isTrue();
                        assertThat(plan.reason()).contains("a commit waits to be completed");
                    });
            assertThatThrownBy(() -> new TestCommit(dataset, 20, 30).publish(client))
                    .hasMessageContaining("commit " + second.id() + " to /cut/meas is published, but not all of its"
                            + " files are in their places");
            assertThat(cluster.counter("Errors")).isPositive();

            cluster.fs().delete(obstacle, false);

            await().untilAsserted(() ->
                    assertThat(cluster.counter("RolledForwardCommits")).isEqualTo(1));
            assertPublished("after the obstacle", cluster, client, first, second);
        }
    }

    /** Whoever asks first after a start or a failover has the index built, without waiting for commits. */
    @Test
    void anIndexThatIsBuiltInTheMiddleOfACommitCountsNoFileTwice() throws Exception {
        Path nameDir = cut.atCommitPoint();
        try (TestCluster stock = TestCluster.nameNode(TestCluster.stock(), nameDir)) {
            MpsrNamesystem system = new MpsrNamesystem(stock.mini().getNameNode());
            Namespace namespace = new Namespace(system);
            StoreLayout layout = new StoreLayout("/.mpsr");
            DatasetRecord record = StagedLook.record(system, namespace, dataset);
            Indexes indexes = new Indexes(system, namespace, layout);
            Offsets offsets = new Offsets(namespace, layout);
            DatasetRights rights = new DatasetRights(system, namespace, layout);
            SegmentRecords segments = new SegmentRecords(system, namespace, layout);
            AppendCompletion completion = new AppendCompletion(
                    new Completion.Shared(
                            system,
                            namespace,
                            layout,
                            offsets,
                            indexes,
                            rights,
                            segments,
                            new CommitLog(system.clock()),
                            new Deletion(system, namespace)),
                    record,
                    second.id());
            completion.find();

            boolean complete = system.write("goOn", edits -> completion.goOn(edits, 1));
            assertThat(complete).isFalse();
            assertThat(indexes.of(record).group("time").files())
                    .as("that of the middle")
                    .isEqualTo(2);
            completion.finish(step -> system.write("goOn", step));
            indexes.known(record);

            for (String group : dataset.groups().names()) {
                assertThat(indexes.of(record).group(group).files()).as(group).isEqualTo(2);
            }
        }
    }
}
