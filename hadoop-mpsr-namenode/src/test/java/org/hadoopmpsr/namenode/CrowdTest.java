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
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many datasets, many begun commits, and many users that list what they may read, beside a client that reads.
 *
 * <p>{@code -Dmpsr.datasets=1600 -Dmpsr.commits=10000 -Dmpsr.users=16} is the long form, which also looks at times. It
 * compares them with those beside as many users who do the same with HDFS itself: who list a directory and make
 * directories.
 */
class CrowdTest {
    private static final Logger LOG = LoggerFactory.getLogger(CrowdTest.class);
    private static final int DATASETS = Integer.getInteger("mpsr.datasets", 60);
    private static final int COMMITS = Integer.getInteger("mpsr.commits", 100);
    private static final int USERS = Integer.getInteger("mpsr.users", 4);
    private static final boolean LONG = DATASETS >= 1_000;
    /** Of the datasets, every so manieth may be read and written by everybody. */
    private static final int OPEN = 10;
    /** None of them begins as many commits as a user may have open. */
    private static final int WRITERS = 4;
    /** HDFS itself is asked for so many times fewer directories than MPSR for commits. */
    private static final int STOCK_SHARE = 4;

    @Test
    void aCrowdDoesNotKeepOthersWaiting() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.page.max.bytes", LONG ? 1 << 21 : 4_096);
        // a place for each caller: who finds none tries again, and hurts nobody
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY, 2 * (USERS + WRITERS));
        try (TestCluster cluster = TestCluster.start(conf, 3, 3);
                MpsrClient client = cluster.client();
                FileSystem own = FileSystem.newInstance(cluster.mini().getURI(), conf)) {
            List<Dataset> open = datasets(cluster, client);
            try (FuzzReader reader = new FuzzReader(own, open.get(0).path() + "/day=2014-05-01/t-0-0-10-0.parquet")) {
                int quiet = LONG ? 20_000 : 10;
                await().atMost(5, TimeUnit.MINUTES).until(() -> reader.count() > quiet);
                double quietMs = reader.quantileMs(0, 0.99);
                int begun = reader.count();
                long start = System.nanoTime();
                int listings = crowd(
                        cluster,
                        number -> {
                            Dataset dataset = open.get(number % open.size());
                            return mpsr -> mpsr.beginCommit(dataset.path(), dataset.id(), "c" + number)
                                    .require();
                        },
                        mpsr -> assertThat(mpsr.listDatasets())
                                .hasSize((DATASETS + OPEN - 1) / OPEN)
                                .extracting(Dataset::path)
                                .isSorted());
                long takesS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
                int ended = reader.count();
                assertThat(ended).as("reads meanwhile").isGreaterThan(begun);
                assertThat(cluster.counter("OpenCommits")).isEqualTo(COMMITS);
                int begunStock = reader.count();
                int stockListings = stock(cluster);
                double stockMs = reader.quantileMs(begunStock, reader.count(), 0.99);
                LOG.info(
                        "{} datasets, {} commits begun and {} listings in {} s: others' p99 {} ms quiet, {} ms beside {}"
                                + " listings of HDFS, {} ms meanwhile, longest {} ms; longest hold of the lock {} ms",
                        DATASETS,
                        COMMITS,
                        listings,
                        takesS,
                        quietMs,
                        stockMs,
                        stockListings,
                        reader.quantileMs(begun, ended, 0.99),
                        reader.quantileMs(begun, ended, 1),
                        cluster.counter("LockMsMax"));
                if (LONG) {
                    assertThat(reader.quantileMs(begun, ended, 0.99))
                            .as("p99 in ms")
                            .isLessThan(2 * stockMs);
                }
            }
            assertThat(cluster.counter("Errors")).isZero();
        }
    }

    /** Makes the datasets, and a commit in the first one. Returns those that are open to everybody. */
    private static List<Dataset> datasets(TestCluster cluster, MpsrClient client) throws Exception {
        List<Dataset> open = new ArrayList<>(List.of(TestCommit.published(client, cluster.fs(), "/crowd/d0")));
        cluster.fs().setPermission(new Path("/crowd/d0"), new FsPermission((short) 0777));
        for (int i = 1; i < DATASETS; i++) {
            Dataset dataset = client.createDataset("/crowd/d" + i, TestCluster.SCHEMA);
            cluster.fs()
                    .setPermission(new Path(dataset.path()), new FsPermission((short) (i % OPEN == 0 ? 0777 : 0700)));
            if (i % OPEN == 0) {
                open.add(dataset);
            }
        }
        return open;
    }

    /** A call to MPSR. */
    private interface Call {
        void to(MpsrClient client) throws Exception;
    }

    /** The call by which a commit is begun. */
    private interface Begin {
        Call of(int number);
    }

    /** Begins all commits while users list. Returns the number of listings. */
    private static int crowd(TestCluster cluster, Begin begin, Call list) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger(WRITERS);
        AtomicInteger listings = new AtomicInteger();
        return together(cluster, (user, fs, client) -> {
            if (user < WRITERS) {
                for (int n = next.getAndIncrement(); n < COMMITS; n = next.getAndIncrement()) {
                    begin.of(n).to(client);
                }
                writers.decrementAndGet();
            } else {
                do {
                    list.to(client);
                    listings.incrementAndGet();
                } while (writers.get() > 0);
            }
            return listings;
        });
    }

    /** The same with HDFS itself. Returns the number of listings. */
    private static int stock(TestCluster cluster) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger listings = new AtomicInteger();
        cluster.fs().mkdirs(new Path("/stock"));
        cluster.fs().setPermission(new Path("/stock"), new FsPermission((short) 0777));
        return together(cluster, (user, fs, client) -> {
            for (int n = 0; n < COMMITS / WRITERS / STOCK_SHARE && user < WRITERS; n++) {
                for (String group : List.of("", "/time", "/signal", "/device")) {
                    fs.mkdirs(new Path("/stock/u" + user + "/c" + n + group));
                }
            }
            if (user < WRITERS) {
                ended.set(true);
            }
            while (user >= WRITERS && !ended.get()) {
                assertThat(fs.listStatus(new Path("/crowd"))).hasSize(DATASETS);
                listings.incrementAndGet();
            }
            return listings;
        });
    }

    private interface User {
        AtomicInteger run(int user, FileSystem fs, MpsrClient client) throws Exception;
    }

    /** Runs writers and other users at a time. */
    private static int together(TestCluster cluster, User each) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + USERS);
        try {
            List<Future<AtomicInteger>> all = new ArrayList<>();
            for (int i = 0; i < WRITERS + USERS; i++) {
                int user = i;
                all.add(threads.submit(() -> cluster.as("user" + user, () -> {
                    try (FileSystem fs = FileSystem.newInstance(cluster.mini().getURI(), cluster.conf());
                            MpsrClient client = cluster.client()) {
                        return each.run(user, fs, client);
                    }
                })));
            }
            int listings = 0;
            for (Future<AtomicInteger> one : all) {
                listings = one.get().get();
            }
            assertThat(listings).isPositive();
            return listings;
        } finally {
            threads.shutdownNow();
        }
    }
}
