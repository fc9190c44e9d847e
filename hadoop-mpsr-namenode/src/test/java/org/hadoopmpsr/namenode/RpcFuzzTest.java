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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that no client of ours sends get an answer or a refusal, and do no harm to others.
 *
 * <p>{@code -Dmpsr.rounds=100000 -Dsurefire.heap=384m} is the long form, which also looks at times and memory. It compares
 * the times with those beside as many clients of HDFS that make the same requests and send HDFS as many bytes, as fast as
 * they can. {@code -Dmpsr.seed=N} replays one request.
 */
class RpcFuzzTest {
    private static final Logger LOG = LoggerFactory.getLogger(RpcFuzzTest.class);
    private static final int ROUNDS = Integer.getInteger("mpsr.rounds", 1_500);
    private static final boolean LONG = ROUNDS >= 10_000;
    private static final long BASE = 20261125_000_000L;
    private static final int THREADS = 4;
    /** The rounds and the calls to HDFS take turns, so that what else happens on the machine meets both. */
    private static final int TURNS = 10;
    /** The calls to HDFS take this part of the time of the rounds. */
    private static final int STOCK_SHARE = 4;
    /** HDFS has no longer paths, so a longer text is the name of a client. */
    private static final int MAX_PATH = 8_000;
    /** Of HDFS and of MPSR, in the NameNode. */
    private static final List<String> THREAD_NAMES = List.of(
            "IPC Server handler",
            "HeartbeatManager$Monitor",
            "NameNodeResourceMonitor",
            "RedundancyMonitor",
            "LeaseManager",
            "mpsr-upkeep");

    private static TestCluster cluster;
    private static MpsrClient client;
    private static Dataset meas;
    private static List<String> known;
    private static List<FuzzSeeds.Seed> seeds;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setBoolean("dfs.permissions.enabled", true);
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        meas = TestCommit.published(client, cluster.fs(), "/fuzz/meas");
        for (long start = 10; start < 60; start += 10) {
            new TestCommit(meas, start, start + 10).stage(client, cluster.fs()).publish(client);
        }
        Dataset mine = TestCommit.published(client, cluster.fs(), "/fuzz/mine");
        cluster.fs().setOwner(new Path("/fuzz/mine"), "mallory", "mallory-group");
        Dataset secret = TestCommit.published(client, cluster.fs(), "/fuzz/secret");
        cluster.fs().setPermission(new Path("/fuzz/secret"), new FsPermission((short) 0700));
        known = List.of(
                meas.path(), mine.path(), secret.path(), "/fuzz", meas.id(), mine.id(), "time", "signal", "t", "c-1");
        seeds = new FuzzSeeds(meas.path(), mine.path(), meas.id()).all();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void whateverIsAskedIsAnsweredOrRefused() throws Exception {
        List<Thread> threads = threadsOfTheNameNode();
        long errors = cluster.counter("Errors");
        try (FileSystem own = FileSystem.newInstance(cluster.mini().getURI(), cluster.conf());
                FuzzReader reader = new FuzzReader(own, meas.path() + "/day=2014-05-01/t-0-0-10-0.parquet")) {
            int quiet = LONG ? 20_000 : 10;
            await().atMost(5, TimeUnit.MINUTES).until(() -> reader.count() > quiet);
            double quietMs = reader.quantileMs(0, 0.99);
            int warm = LONG ? ROUNDS / 20 : 0;
            send(0, warm);
            StockLoad stock = new StockLoad(cluster, THREADS, RpcFuzzTest::stock);
            stock.unpaced(LONG ? TimeUnit.SECONDS.toNanos(2) : 0);
            HeapGrowth before = HeapGrowth.now();
            List<FuzzReader.Span> meanwhile = new ArrayList<>();
            List<FuzzReader.Span> besideStock = new ArrayList<>();
            long takesNs = 0;
            int unpaced = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                int begun = reader.count();
                long start = System.nanoTime();
                send(warm + (ROUNDS - warm) / TURNS * turn, warm + (ROUNDS - warm) / TURNS * (turn + 1));
                long tookNs = System.nanoTime() - start;
                meanwhile.add(reader.since(begun));
                begun = reader.count();
                unpaced += stock.unpaced(tookNs / STOCK_SHARE);
                besideStock.add(reader.since(begun));
                takesNs += tookNs;
            }
            double meanwhileMs = reader.quantileMs(meanwhile, 0.99);
            double longestMs = reader.quantileMs(meanwhile, 1);
            assertThat(longestMs).as("longest read meanwhile").isPositive();
            HeapGrowth after = HeapGrowth.now();
            int calls = LONG ? (ROUNDS - warm) / STOCK_SHARE : 10;
            int begunPaced = reader.count();
            stock.paced(calls, takesNs * calls / (ROUNDS - warm));
            double pacedMs = reader.quantileMs(begunPaced, 0.99);
            double stockMs = reader.quantileMs(besideStock, 0.99);
            LOG.info(
                    "{} rounds, {} a second: others' p99 {} ms quiet, {} ms beside as many calls to HDFS, {} ms beside"
                            + " {} calls to HDFS in a fourth of the time, {} ms meanwhile, longest {} ms; heap {} kB before,"
                            + " {} after; longest hold of the lock {} ms; grown most:\n{}",
                    ROUNDS,
                    (ROUNDS - warm) * TimeUnit.SECONDS.toNanos(1) / takesNs,
                    quietMs,
                    pacedMs,
                    stockMs,
                    unpaced,
                    meanwhileMs,
                    longestMs,
                    before.bytes() >> 10,
                    after.bytes() >> 10,
                    cluster.counter("LockMsMax"),
                    after.since(before));
            if (LONG) {
                assertThat(meanwhileMs).as("p99 in ms").isLessThan(2 * stockMs);
                assertThat(longestMs).as("longest in ms").isLessThan(1_000);
                assertThat(after.bytes()).as("heap: " + after.since(before)).isLessThan(before.bytes() / 20 * 21);
            }
        }
        assertThat(threads).hasSizeGreaterThan(8).allMatch(Thread::isAlive, "is alive");
        assertThat(cluster.counter("Errors")).isEqualTo(errors);
        // this call itself
        assertThat(cluster.counter("Calls")).isEqualTo(1);
        assertThat(client.plan(meas.path(), org.hadoopmpsr.core.plan.Filter.ALL, "signal"))
                .hasValueSatisfying(plan -> assertThat(plan.files()).hasSize(6));
    }

    private static List<Thread> threadsOfTheNameNode() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> THREAD_NAMES.stream().anyMatch(name -> t.getName().contains(name)))
                .toList();
    }

    /**
     * A call to HDFS itself for a request of the fuzzer: the client makes the request as well, and HDFS gets a message of
     * the same size.
     */
    private static void stock(DistributedFileSystem fs, int number) throws IOException {
        Random random = new Random((BASE + number) * 0x9E3779B97F4A7C15L);
        FuzzCalls.Request request = Users.request(random, new FuzzMessages(random, known));
        ClientProtocol nameNode = fs.getClient().getNamenode();
        String text = "x".repeat(request.bytes().length);
        if (text.length() < MAX_PATH) {
            nameNode.getFileInfo("/" + text);
        } else {
            nameNode.renewLease(text, List.of());
        }
    }

    /** Sends the requests of these rounds from several threads. */
    private static void send(int from, int to) throws Exception {
        Long only = Long.getLong("mpsr.seed");
        AtomicInteger next = new AtomicInteger(from);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                senders.add(threads.submit(() -> {
                    try (Users users = new Users()) {
                        for (int round = next.getAndIncrement(); round < to; round = next.getAndIncrement()) {
                            users.send(only == null ? BASE + round : only);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The connections of one thread. */
    private static final class Users implements AutoCloseable {
        private final FuzzCalls mallory = calls("mallory");
        private final FuzzCalls nobody = calls("nobody");
        private final FuzzCalls superuser =
                calls(UserGroupInformation.getCurrentUser().getShortUserName());

        Users() throws IOException {}

        private static FuzzCalls calls(String user) throws IOException {
            return new FuzzCalls(
                    new Configuration(cluster.conf()),
                    cluster.mini().getNameNode().getNameNodeAddress(),
                    user);
        }

        void send(long seed) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            FuzzMessages messages = new FuzzMessages(random, known);
            FuzzCalls.Request request = request(random, messages);
            // of what only superusers may do, only what a test can bear
            boolean bearable = Set.of("createDataset", "maintain").contains(request.method());
            FuzzCalls calls = bearable ? superuser : random.nextInt(10) == 0 ? nobody : mallory;
            try {
                calls.call(request);
            } catch (RemoteException e) {
                check(e, request, seed);
            } catch (IOException e) {
                throw new AssertionError("no answer to " + text(request, seed), e);
            }
        }

        private static FuzzCalls.Request request(Random random, FuzzMessages messages) {
            if (random.nextInt(4) > 0) {
                return messages.any();
            }
            return messages.like(seeds.get(random.nextInt(seeds.size())));
        }

        private static void check(RemoteException e, FuzzCalls.Request request, long seed) {
            assertThat(e.getClassName())
                    .as(text(request, seed))
                    .satisfies(name -> assertThat(IOException.class.isAssignableFrom(Class.forName(name)))
                            .isTrue());
            assertThat(String.valueOf(e.getMessage())).as(text(request, seed)).doesNotContain("unexpected error");
        }

        private static String text(FuzzCalls.Request request, long seed) {
            return request + ", seed " + seed + " (replay with -Dmpsr.seed=" + seed + ")";
        }

        @Override
        public void close() {
            Stream.of(mallory, nobody, superuser).forEach(FuzzCalls::close);
        }
    }
}
