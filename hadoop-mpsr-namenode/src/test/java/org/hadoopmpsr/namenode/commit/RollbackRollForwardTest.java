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
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestDelete;
import org.hadoopmpsr.namenode.TestRollback;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A rollback is in all groups or in none wherever the NameNode is cut off. It removes a segment that a delete has made, and restores the one
 * that was there before.
 */
@Tag("long")
class RollbackRollForwardTest {
    private static final String ID = "rollback-1";

    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static TestCommit whole;
    private static ContentHash records;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/back", TestCluster.SCHEMA);
            whole = new TestCommit(
                    dataset, "t-0-10", new CommitSource("t", 0, 10, 20), "PT", LocalDate.of(2014, 5, 1), 1);
            whole.stage(client, source.fs()).publish(client);
            records = whole.file("time").statistics().content();
            TestDelete delete =
                    new TestDelete(dataset, "delete-1").keep(whole, new ContentHash(HashKind.XXH_128, 4, 3, 2));
            delete.stage(client, source.fs()).publish(client);
            TestRollback rollback = new TestRollback(client, dataset, ID, "0").stage(client, source.fs());
            cut = new CutPublish(source, client, rollback::publish).fromCommitPoint();
        }
    }

    @AfterAll
    static void stop() {
        source.close();
    }

    @Test
    void aCrashAtAnyBoundaryLeavesAllOrNothing() throws Exception {
        cut.check(
                10,
                "three files out, three files in, two records, the directory, the end of the rollback",
                (crash, cluster, client) -> assertHolds(crash.text(), cluster, client, "delete-1.0", 4),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client));
    }

    private static void assertHolds(String crash, TestCluster cluster, MpsrClient client, String segment, long count)
            throws Exception {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            assertThat(cluster.filesBelow(r.root()))
                    .as(crash)
                    .singleElement()
                    .asString()
                    .contains("/" + segment + "-");
            assertThat(r.content().count()).as(crash).isEqualTo(count);
            assertThat(r.unusable()).as(crash).isNull();
        }
        assertThat(client.segments(dataset.path()).segments())
                .as(crash)
                .extracting(Segments.Info::id)
                .containsExactly(segment);
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        assertHolds(crash, cluster, client, ID + ".0", 10);
        String store = "/.mpsr/datasets/" + dataset.id();
        assertThat(cluster.filesBelow(store + "/replaced/" + ID)).as(crash).hasSize(3);
        assertThat(cluster.fs().listStatus(new Path(store + "/publishing")))
                .as(crash)
                .isEmpty();
        Segment restored = record(cluster, store + "/segments/" + ID + ".0");
        assertThat(restored.since()).as(crash).isEqualTo(2);
        assertThat(restored.last()).as(crash).isZero();
        assertThat(restored.sources())
                .as(crash)
                .isEqualTo(record(cluster, store + "/segments/" + whole.id()).sources());
        Segment.Group held = new Segment.Group(1, 2_000, records);
        assertThat(restored.groups()).as(crash).isEqualTo(Map.of("time", held, "signal", held, "device", held));
        Segment removed = record(cluster, store + "/segments/delete-1.0");
        assertThat(removed.until()).as(crash).isEqualTo(2);
        assertThat(removed.replacedBy()).as(crash).isEqualTo(ID);
    }

    private static Segment record(TestCluster cluster, String path) throws Exception {
        byte[] value = cluster.fs().getXAttr(new Path(path), Attributes.SEGMENT);
        return StoredRecords.segment(Objects.requireNonNull(value), path);
    }
}
