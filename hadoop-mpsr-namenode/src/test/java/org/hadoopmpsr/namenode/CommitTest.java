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

import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.Fence.Verdict;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CommitTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 6, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aCommitIsPublishedInAllGroups() throws Exception {
        Dataset dataset = client.createDataset("/published/meas", TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());

        assertThat(commit.publish(client).verdict()).isEqualTo(Verdict.OPEN);

        for (String group : dataset.groups().names()) {
            assertThat(cluster.stat(commit.published(group)).getReplication()).isEqualTo((short) 1);
            assertThat(cluster.groupsBelow(commit.published(group))).containsExactly(group);
        }
        Dataset after = client.getDataset("/published/meas");
        assertThat(after.representations()).allSatisfy(r -> {
            assertThat(r.files()).isEqualTo(1);
            assertThat(r.content().count()).isEqualTo(10);
            assertThat(r.unusable()).isNull();
        });
        assertThat(after.offsets())
                .singleElement()
                .satisfies(o -> assertThat(o.end()).isEqualTo(10));
    }
}
