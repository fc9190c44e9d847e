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
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestRebuild;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A rebuild is done or not done wherever the NameNode is cut off: as {@link RollForwardTest} for commits. It is one of the
 * default group, of a segment with a record, one without, and one of which a file was deleted; they are hashed in two ways.
 */
@Tag("long")
class RebuildRollForwardTest {
    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static TestCommit first;
    private static TestCommit second;
    private static TestCommit third;
    private static TestRebuild rebuild;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/meas", TestCluster.SCHEMA);
            first = commit(client, 0, 1, 1);
            second = commit(client, 10, 2, 1);
            TestRebuild.of(source, dataset, "r0", "device", first)
                    .stage(client, source.fs())
                    .publish(client);
            third = commit(client, 20, 2, 1); // the first with a record
            rebuild = TestRebuild.of(source, dataset, "r1", "time", first, second, third);
            source.fs().delete(new org.apache.hadoop.fs.Path(second.published("time")), false);
            rebuild = new TestRebuild(
                            dataset,
                            "r1",
                            List.of(first.file("time"), second.file("time"), third.file("time")),
                            List.of(source.inodeId(first.published("time")), source.inodeId(third.published("time"))))
                    .stage(client, source.fs());
            cut = new CutPublish(source, client, rebuild::publish);
        }
    }

    private static TestCommit commit(MpsrClient client, long start, int day, int parts) throws Exception {
        TestCommit commit = new TestCommit(
                dataset,
                "t-0-" + start,
                new CommitSource("t", 0, start, start + 10),
                "PT-" + day,
                LocalDate.of(2014, 5, day),
                parts);
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
                9,
                "two files out, three files in, a record, the end of the rebuild",
                (crash, cluster, client) -> assertThat(cluster.filesBelow(dataset.path()))
                        .as(crash.text())
                        .containsExactlyInAnyOrder(first.published("time"), third.published("time")),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client));
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        Dataset now = client.getDataset(dataset.path());
        List<ContentHashes> contents = new ArrayList<>();
        for (Dataset.Representation r : now.representations()) {
            assertThat(r.files()).as(crash + " " + r.group()).isEqualTo(3);
            assertThat(r.unusable()).as(crash + " " + r.group()).isNull();
            contents.add(r.content());
        }
        assertThat(contents).as(crash).allMatch(contents.get(0)::equals);
        assertThat(cluster.filesBelow(dataset.path()))
                .as(crash)
                .containsExactlyInAnyOrderElementsOf(rebuild.published());
        String store = "/.mpsr/datasets/" + dataset.id();
        assertThat(cluster.filesBelow(store + "/replaced/rebuild-r1"))
                .as(crash)
                .hasSize(2)
                .allSatisfy(file ->
                        assertThat(cluster.stat(file).getPermission().toShort()).isEqualTo((short) 0600));
        assertThat(cluster.fs().listStatus(new org.apache.hadoop.fs.Path(store + "/publishing")))
                .as(crash)
                .isEmpty();
        Segments segments = client.segments(dataset.path());
        assertThat(segments.sequence()).as(crash).isEqualTo(3);
        assertThat(segments.segments())
                .as(crash)
                .extracting(Segments.Info::id)
                .containsExactly(first.id(), second.id(), third.id());
        String path = store + "/segments/" + third.id();
        byte[] value = cluster.fs().getXAttr(new org.apache.hadoop.fs.Path(path), Attributes.SEGMENT);
        Segment record = StoredRecords.segment(Objects.requireNonNull(value), path);
        assertThat(record.isCurrent()).as(crash).isTrue();
        assertThat(record.groups().get("time"))
                .as(crash)
                .isEqualTo(new Segment.Group(
                        1, TestRebuild.BYTES, third.file("time").statistics().content()));
    }
}
