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
package org.hadoopmpsr.namenode.staging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.junit.jupiter.api.Test;

class StagingExpiryTest {
    private static final int HOURS = 24;
    private static final int MINUTES = 10;

    private final OpenCommits open = new OpenCommits(10, 10);
    private long laterMs;
    private final Counters counters = new Counters(() -> "ready", Map::of, name -> name);

    private final Timer timer = new Timer() {
        @Override
        public long now() {
            return super.now() + laterMs;
        }
    };

    @Test
    void aStagedCommitIsDeletedWhenNothingInItChangedForLong() throws Exception {
        try (TestCluster cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/expiry/meas", TestCluster.SCHEMA);
            TestCommit published = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
            published.publish(client);
            TestCommit givenUp = new TestCommit(dataset, 10, 20).stage(client, cluster.fs());
            TestCommit slow = new TestCommit(dataset, 20, 30).stage(client, cluster.fs());
            String staging = new StoreLayout("/.mpsr").datasetDir(dataset.id()) + "/" + StoreLayout.STAGING + "/";
            String lastFile = cluster.filesBelow(staging + slow.id()).get(0);
            cluster.fs().setTimes(new Path(lastFile), System.currentTimeMillis() + TimeUnit.HOURS.toMillis(HOURS), -1);
            String empty = client.beginCommit(dataset.path(), dataset.id(), "empty")
                    .require()
                    .stagingDir();
            cluster.fs().mkdirs(new Path(empty + "/signal/made"));
            StagingExpiry expiry = expiry(cluster);

            laterMs = TimeUnit.MINUTES.toMillis(MINUTES - 1);
            expiry.deleteExpired();
            assertThat(cluster.fs().exists(new Path(empty))).isTrue();
            assertThat(open.size()).isEqualTo(3);

            laterMs = TimeUnit.MINUTES.toMillis(MINUTES + 1);
            expiry.deleteExpired();
            assertThat(cluster.fs().exists(new Path(empty))).isFalse();
            assertThat(open.size()).isEqualTo(2);

            laterMs = TimeUnit.HOURS.toMillis(HOURS - 1);
            expiry.deleteExpired();
            assertThat(cluster.filesBelow(staging + givenUp.id())).hasSize(3);

            laterMs = TimeUnit.HOURS.toMillis(HOURS + 1);
            expiry.deleteExpired();
            assertThat(cluster.fs().exists(new Path(staging + givenUp.id()))).isFalse();
            assertThat(cluster.filesBelow(staging + slow.id()))
                    .as("a writer that was there lately")
                    .hasSize(3);
            assertThat(cluster.fs().exists(new Path(published.published("signal"))))
                    .isTrue();
            assertThat(counters.snapshot()).containsEntry("ExpiredStagings", 2L);
        }
    }

    private StagingExpiry expiry(TestCluster cluster) throws Exception {
        MpsrNamesystem system = new MpsrNamesystem(cluster.mini().getNameNode(), timer);
        Namespace namespace = new Namespace(system);
        StoreLayout layout = new StoreLayout("/.mpsr");
        Datasets datasets = new Datasets(system, namespace, layout);
        datasets.load();
        return new StagingExpiry(
                system, namespace, layout, datasets, counters, open, new Deletion(system, namespace), HOURS, MINUTES);
    }
}
