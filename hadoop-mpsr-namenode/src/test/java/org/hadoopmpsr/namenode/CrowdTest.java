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
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many datasets, many begun commits, and many users that list what they may read, beside a client that reads.
 *
 * <p>{@code -Dmpsr.datasets=1600 -Dmpsr.commits=10000 -Dmpsr.users=16} is the long form, which also looks at times.
 */
class CrowdTest {
    private static final Logger LOG = LoggerFactory.getLogger(CrowdTest.class);
    private static final int DATASETS = Integer.getInteger("mpsr.datasets", 60);
    private static final int COMMITS = Integer.getInteger("mpsr.commits", 100);
    private static final int USERS = Integer.getInteger("mpsr.users", 4);
    private static final boolean LONG = DATASETS >= 1_000;
    /** Of the datasets, every so manieth may be read by everybody. */
    private static final int OPEN = 10;

    @Test
    void aCrowdDoesNotKeepOthersWaiting() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.page.max.bytes", LONG ? 1 << 21 : 4_096);
        try (TestCluster cluster = TestCluster.start(conf, 3, 3);
                MpsrClient client = cluster.client();
                FileSystem own = FileSystem.newInstance(cluster.mini().getURI(), conf)) {
            Dataset first = TestCommit.published(client, cluster.fs(), "/crowd/d0");
            List<Dataset> datasets = new ArrayList<>(List.of(first));
            for (int i = 1; i < DATASETS; i++) {
                datasets.add(client.createDataset("/crowd/d" + i, TestCluster.SCHEMA));
                if (i % OPEN != 0) {
                    cluster.fs().setPermission(new Path("/crowd/d" + i), new FsPermission((short) 0700));
                }
            }
            try (FuzzReader reader = new FuzzReader(own, first.path() + "/day=2014-05-01/t-0-0-10-0.parquet")) {
                int quiet = LONG ? 20_000 : 10;
                await().atMost(5, TimeUnit.MINUTES).until(() -> reader.count() > quiet);
                double quietMs = reader.quantileMs(0, 0.99);
                int begun = reader.count();
                int open = crowd(cluster, client, datasets);
                assertThat(reader.count()).as("reads meanwhile").isGreaterThan(begun);
                LOG.info(
                        "{} datasets, {} commits of {} begun, {} users: others' p99 {} ms quiet, {} ms meanwhile, longest {}"
                                + " ms; longest hold of the lock {} ms",
                        DATASETS,
                        open,
                        COMMITS,
                        USERS,
                        quietMs,
                        reader.quantileMs(begun, 0.99),
                        reader.quantileMs(begun, 1),
                        cluster.counter("LockMsMax"));
                if (LONG) {
                    assertThat(reader.quantileMs(begun, 0.99)).as("p99 in ms").isLessThan(2 * quietMs);
                }
            }
            assertThat(cluster.counter("Errors")).isZero();
        }
    }

    /** @return the number of commits that could be begun; another limit may refuse some */
    private static int crowd(TestCluster cluster, MpsrClient client, List<Dataset> datasets) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(USERS);
        try {
            List<Future<Integer>> listings = new ArrayList<>();
            for (int i = 0; i < USERS; i++) {
                String user = "user" + i;
                listings.add(threads.submit(() -> cluster.as(user, () -> list(cluster, ended))));
            }
            int open = 0;
            for (int i = 0; i < COMMITS; i++) {
                Dataset dataset = datasets.get(i % DATASETS);
                BegunCommit begun = client.beginCommit(dataset.path(), dataset.id(), "c" + i);
                open += begun.refusal() == null ? 1 : 0;
            }
            ended.set(true);
            for (Future<Integer> listing : listings) {
                assertThat(listing.get()).isPositive();
            }
            return open;
        } finally {
            threads.shutdownNow();
        }
    }

    private static int list(TestCluster cluster, AtomicBoolean ended) throws Exception {
        try (MpsrClient own = cluster.client()) {
            int listings = 0;
            do {
                assertThat(own.listDatasets())
                        .hasSize((DATASETS + OPEN - 1) / OPEN)
                        .extracting(Dataset::path)
                        .isSorted();
                listings++;
            } while (!ended.get());
            return listings;
        }
    }
}
