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
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestDelete;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A delete is in all groups or in none wherever the NameNode is cut off. Of one segment all records go, of another one some. It is the
 * first change of the dataset that replaces files, so the dataset is upgraded too.
 */
@Tag("long")
class DeleteRollForwardTest {
    private static final String ID = "delete-1";
    private static final ContentHash STAYS = new ContentHash(HashKind.XXH_128, 4, 3, 2);

    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static TestCommit first;
    private static TestCommit second;
    private static TestCommit third;
    private static TestDelete delete;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/meas", TestCluster.SCHEMA);
            first = commit(client, 0, 1);
            second = commit(client, 10, 2);
            third = commit(client, 20, 2);
            delete = new TestDelete(dataset, ID).drop(first).keep(second, STAYS).stage(client, source.fs());
            cut = new CutPublish(source, client, delete::publish);
        }
    }

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
                13,
                "six files out, three files in, three records, the end of the delete",
                (crash, cluster, client) -> assertNotPublished(crash.text(), cluster, client),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client));
    }

    private static void assertNotPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            assertThat(cluster.filesBelow(r.root()))
                    .as(crash)
                    .containsExactlyInAnyOrder(
                            first.published(r.group()), second.published(r.group()), third.published(r.group()));
            assertThat(r.content().count()).as(crash).isEqualTo(30);
            assertThat(r.unusable()).as(crash).isNull();
        }
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            List<String> files = new ArrayList<>(delete.published(r.group()));
            files.add(third.published(r.group()));
            assertThat(cluster.filesBelow(r.root())).as(crash).containsExactlyInAnyOrderElementsOf(files);
            assertThat(r.content())
                    .as(crash)
                    .isEqualTo(ContentHashes.of(STAYS)
                            .plus(third.file(r.group()).statistics().content()));
            assertThat(r.unusable()).as(crash).isNull();
        }
        String store = "/.mpsr/datasets/" + dataset.id();
        assertThat(cluster.filesBelow(store + "/replaced/" + ID))
                .as(crash)
                .hasSize(6)
                .allSatisfy(file ->
                        assertThat(cluster.stat(file).getPermission().toShort()).isEqualTo((short) 0600));
        assertThat(cluster.fs().listStatus(new Path(store + "/publishing")))
                .as(crash)
                .isEmpty();
        Segments segments = client.segments(dataset.path());
        assertThat(segments.sequence()).as(crash).isEqualTo(1);
        assertThat(segments.segments()).as(crash).extracting(Segments.Info::id).containsExactly(ID + ".1", third.id());
        Segment kept = record(cluster, store + "/segments/" + ID + ".1");
        assertThat(kept.since()).as(crash).isEqualTo(1);
        assertThat(kept.groups())
                .as(crash)
                .hasSize(3)
                .allSatisfy((group, held) -> assertThat(held).isEqualTo(new Segment.Group(1, 2_000, STAYS)));
        for (TestCommit removed : List.of(first, second)) {
            Segment record = record(cluster, store + "/segments/" + removed.id());
            assertThat(record.until()).as(crash).isEqualTo(1);
            assertThat(record.replacedBy()).as(crash).isEqualTo(ID);
        }
    }

    private static Segment record(TestCluster cluster, String path) throws Exception {
        byte[] value = cluster.fs().getXAttr(new Path(path), Attributes.SEGMENT);
        return StoredRecords.segment(Objects.requireNonNull(value), path);
    }
}
