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
import java.util.List;
import java.util.Objects;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestRewrite;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A rewrite is in all groups or in none wherever the NameNode is cut off: as {@link RollForwardTest} for commits. It is the
 * first one of the dataset, so the dataset is upgraded too. The removed segments are hashed in two ways, and the new one in
 * one.
 */
@Tag("long")
class RewriteRollForwardTest {
    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static TestCommit first;
    private static TestCommit second;
    private static TestCommit third;
    private static TestRewrite rewrite;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/meas", TestCluster.SCHEMA);
            first = commit(client, 0, 1);
            second = commit(client, 10, 2);
            third = commit(client, 20, 2);
            rewrite = TestRewrite.of(dataset, "m1", first, second).stage(client, source.fs());
            cut = new CutPublish(source, client, rewrite::publish);
        }
    }

    /** Of two days, so that every group has two directories or more. */
    private static TestCommit commit(MpsrClient client, long start, int day) throws Exception {
        TestCommit commit = new TestCommit(
                dataset,
                "t-0-" + start,
                new CommitSource("t", 0, start, start + 10),
                "PT-" + day,
                LocalDate.of(2014, 5, day),
                1);
        commit.stage(client, source.fs()).publish(client);
        return commit;
    }

    @AfterAll
    static void stop() {
        source.close();
    }

    @Test
    void aCrashAtAnyBoundaryLeavesAllOrNothing() throws Exception {
        cut.check(
                16,
                "six files out, six files in, three records, the end of the rewrite",
                (crash, cluster, client) -> assertNotPublished(crash.text(), cluster, client),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client));
    }

    private static void assertNotPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            assertThat(cluster.filesBelow(r.root()))
                    .as(crash)
                    .containsExactlyInAnyOrder(
                            first.published(r.group()), second.published(r.group()), third.published(r.group()));
            assertThat(r.content().all())
                    .as(crash)
                    .containsExactlyInAnyOrder(content(first, r).plus(content(third, r)), content(second, r));
            assertThat(r.unusable()).as(crash).isNull();
        }
    }

    private static ContentHash content(TestCommit commit, Dataset.Representation representation) {
        return commit.file(representation.group()).statistics().content();
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        Dataset now = client.getDataset(dataset.path());
        for (Dataset.Representation r : now.representations()) {
            List<String> files = new ArrayList<>(rewrite.published(r.group()));
            files.add(third.published(r.group()));
            assertThat(cluster.filesBelow(r.root())).as(crash).containsExactlyInAnyOrderElementsOf(files);
            assertThat(r.content())
                    .as(crash)
                    .isEqualTo(ContentHashes.of(rewrite.content()).plus(content(third, r)));
            assertThat(r.unusable()).as(crash).isNull();
            for (TestCommit replaced : List.of(first, second)) {
                assertThat(cluster.stat(replaced.published(r.group())).getLen())
                        .as(crash)
                        .isEqualTo(1_000);
            }
        }
        String store = "/.mpsr/datasets/" + dataset.id();
        assertThat(cluster.filesBelow(store + "/replaced"))
                .as(crash)
                .hasSize(6)
                .allSatisfy(file ->
                        assertThat(cluster.stat(file).getPermission().toShort()).isEqualTo((short) 0600));
        assertThat(cluster.fs().listStatus(new org.apache.hadoop.fs.Path(store + "/publishing")))
                .as(crash)
                .isEmpty();
        Segments segments = client.segments(dataset.path());
        assertThat(segments.sequence()).as(crash).isEqualTo(1);
        assertThat(segments.segments()).as(crash).extracting(Segments.Info::id).containsExactly("m1", third.id());
        assertThat(segments.segments().get(0).since()).as(crash).isEqualTo(1);
        for (TestCommit replaced : List.of(first, second)) {
            Segment record = record(cluster, store + "/segments/" + replaced.id());
            assertThat(record.until()).as(crash).isEqualTo(1);
            assertThat(record.replacedBy()).as(crash).isEqualTo("m1");
            assertThat(record.groups()).as(crash).hasSize(3).allSatisfy((group, held) -> {
                assertThat(held.files()).isEqualTo(1);
                assertThat(held.content().count()).isEqualTo(10);
            });
        }
    }

    private static Segment record(TestCluster cluster, String path) throws Exception {
        byte[] value = cluster.fs().getXAttr(new org.apache.hadoop.fs.Path(path), Attributes.SEGMENT);
        return StoredRecords.segment(Objects.requireNonNull(value), path);
    }
}
