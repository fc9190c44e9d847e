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
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.namenode.TestAdopt;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A NameNode that crashes at any edit of an adoption completes it, or has nothing of it. */
@Tag("long")
class AdoptRollForwardTest {
    private static TestCluster source;
    private static CutPublish cut;
    private static Dataset dataset;
    private static TestAdopt adopt;
    private static List<String> files;

    @BeforeAll
    static void publish() throws Exception {
        source = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        try (MpsrClient client = source.client()) {
            dataset = client.createDataset("/cut/meas", TestCluster.SCHEMA);
            new TestCommit(dataset, "t-0-0", new CommitSource("t", 0, 0, 10), "PT", LocalDate.of(2014, 5, 1), 1)
                    .stage(client, source.fs())
                    .publish(client);
            adopt = new TestAdopt(dataset, "adopt-1", 20, 2).write(source.fs());
            files = source.filesBelow(dataset.path());
            adopt.read(client).stage(client, source.fs());
            cut = new CutPublish(source, client, adopt::publish);
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
                "four files in, two that get their statistics and two less that stand for them, a record, the end",
                (crash, cluster, client) -> assertThat(client.untracked(dataset.path()))
                        .as(crash.text())
                        .extracting(UntrackedFile::path)
                        .containsExactlyInAnyOrderElementsOf(adopt.paths()),
                (crash, cluster, client) -> assertPublished(crash.text(), cluster, client));
    }

    private static void assertPublished(String crash, TestCluster cluster, MpsrClient client) throws Exception {
        List<ContentHashes> contents = new ArrayList<>();
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            assertThat(r.files()).as(crash + " " + r.group()).isEqualTo(3);
            assertThat(r.unusable()).as(crash + " " + r.group()).isNull();
            contents.add(r.content());
        }
        assertThat(contents).as(crash).allMatch(contents.get(0)::equals);
        assertThat(cluster.filesBelow(dataset.path())).as(crash).isEqualTo(files);
        assertThat(client.untracked(dataset.path())).as(crash).isEmpty();
        assertThat(cluster.fs().listStatus(new Path("/.mpsr/datasets/" + dataset.id() + "/publishing")))
                .as(crash)
                .isEmpty();
        assertThat(client.segments(dataset.path()).segments())
                .as(crash)
                .extracting(Segments.Info::id)
                .containsExactly(adopt.id(), "t-0-0");
    }
}
