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
import java.util.Map;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.rebuild.DamagedFile;
import org.hadoopmpsr.namenode.TestAccept;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A NameNode that crashes at any edit of an acceptance completes it, or has nothing of it. */
@Tag("long")
class AcceptRollForwardTest {
    private static final String ID = "accept-1";

    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static List<String> before;
    private static List<String> after;
    private static TestAccept accept;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/meas", TestCluster.SCHEMA);
            TestCommit first = commit("t-0-0", 0, 2);
            first.stage(client, source.fs()).publish(client);
            TestCommit second = commit("t-0-10", 10, 1);
            second.stage(client, source.fs()).publish(client);
            source.write(first.published("time"), 77);
            before = source.filesBelow(dataset.path());
            DamagedFile foreign = client.damageAndForeignFiles(dataset.path(), 10)
                    .damages()
                    .get(0)
                    .files()
                    .get(0);
            String sound = before.stream()
                    .filter(f -> f.contains("/t-0-0-") && !f.equals(first.published("time")))
                    .findFirst()
                    .orElseThrow();
            TestCommit content = commit(ID, 40, 1);
            after = List.of(content.published("time"), second.published("time"));
            Map<Long, Long> read = Map.of(foreign.file().fileId(), foreign.state(), source.inodeId(sound), 0L);
            accept = new TestAccept(dataset, ID, "time", "t-0-0", read, content.files()).stage(client, source.fs());
            cut = new CutPublish(source, client, accept::publish);
        }
    }

    private static TestCommit commit(String id, long start, int parts) {
        return new TestCommit(
                dataset, id, new CommitSource("t", 0, start, start + 10), "PT", LocalDate.of(2014, 5, 1), parts);
    }

    @AfterAll
    static void stop() {
        source.close();
    }

    @Test
    void aCrashAtAnyBoundaryLeavesAllOrNothing() throws Exception {
        cut.check(
                12,
                "six files out, three files in, two records, the end of the acceptance",
                (crash, cluster, client) -> assertThat(cluster.filesBelow(dataset.path()))
                        .as(crash.text())
                        .isEqualTo(before),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client));
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        List<ContentHashes> contents = new ArrayList<>();
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            assertThat(r.files()).as(crash + " " + r.group()).isEqualTo(2);
            assertThat(r.unusable()).as(crash + " " + r.group()).isNull();
            contents.add(r.content());
        }
        assertThat(contents).as(crash).allMatch(contents.get(0)::equals);
        assertThat(cluster.filesBelow(dataset.path())).as(crash).containsExactlyInAnyOrderElementsOf(after);
        String store = "/.mpsr/datasets/" + dataset.id();
        assertThat(cluster.filesBelow(store + "/replaced/" + ID))
                .as(crash)
                .hasSize(6)
                .allSatisfy(file ->
                        assertThat(cluster.stat(file).getPermission().toShort()).isEqualTo((short) 0600));
        assertThat(cluster.fs().listStatus(new org.apache.hadoop.fs.Path(store + "/publishing")))
                .as(crash)
                .isEmpty();
        assertThat(client.segments(dataset.path()).segments())
                .as(crash)
                .extracting(Segments.Info::id)
                .containsExactly(ID, "t-0-10");
    }
}
