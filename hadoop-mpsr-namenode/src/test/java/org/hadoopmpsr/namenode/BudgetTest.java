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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.RemoteException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto.Kind;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every call to MPSR has a budget, and is refused before it takes more. */
class BudgetTest {
    private static final int COMMITS = 12;
    private static final int PLAN_MS = 3_000;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static FuzzCalls calls;
    private static Dataset dataset;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.page.max.bytes", 1_024);
        conf.setInt("dfs.mpsr.commit.max.waiting", 1);
        conf.setInt("dfs.mpsr.plan.max.ms", PLAN_MS);
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        calls = new FuzzCalls(
                new Configuration(conf), cluster.mini().getNameNode().getNameNodeAddress(), "reader");
        dataset = client.createDataset("/budget/meas", TestCluster.SCHEMA);
        for (long start = 0; start < 10 * COMMITS; start += 10) {
            new TestCommit(dataset, start, start + 10)
                    .stage(client, cluster.fs())
                    .publish(client);
        }
    }

    @AfterAll
    static void stop() {
        calls.close();
        client.close();
        cluster.close();
    }

    private static PlanRequestProto.Builder plan(Kind kind) {
        return PlanRequestProto.newBuilder()
                .setPath(dataset.path())
                .setGroup("time")
                .setFilter(FilterProto.newBuilder().setKind(kind));
    }

    private static PlanResponseProto planned(PlanRequestProto.Builder request) throws Exception {
        return (PlanResponseProto) calls.call(FuzzCalls.Request.of("plan", request.build()));
    }

    @Test
    void aColumnThatIsNamedOverAndOverIsToldOnce() throws Exception {
        PlanRequestProto.Builder request = plan(Kind.AND);
        for (int i = 0; i < 9_000; i++) {
            request.addColumn(i % 2 == 0 ? "signal" : "nothing");
        }
        PlanResponseProto answer = planned(request);
        assertThat(answer.getFileList()).isNotEmpty().allMatch(f -> f.getColumnCount() == 1);
        assertThat(answer.getSerializedSize()).isLessThan(8_192);
    }

    @Test
    void pagesEndByBytesAndAreThePlanTogether() throws Exception {
        for (List<String> columns : List.of(List.<String>of(), List.of("signal", "device"))) {
            PlanRequestProto.Builder request = plan(Kind.AND).addAllColumn(columns);
            List<String> files = new ArrayList<>();
            int pages = 1;
            for (PlanResponseProto page = planned(request); ; page = planned(request), pages++) {
                assertThat(page.getFileCount()).isPositive();
                assertThat(page.getFileList().stream()
                                .mapToInt(PlannedFileProto::getSerializedSize)
                                .sum())
                        .isLessThan(1_500);
                page.getFileList().stream().map(PlannedFileProto::getPath).forEach(files::add);
                if (!page.hasNext()) {
                    break;
                }
                request.setFrom(page.getNext()).setGeneration(page.getGeneration());
            }
            assertThat(pages).isGreaterThan(1);
            assertThat(files).hasSize(COMMITS).doesNotHaveDuplicates();
        }
        ReadPlan whole = client.plan(dataset.path(), Filter.ALL, "time").orElseThrow();
        assertThat(whole.files()).hasSize(COMMITS);
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        FilterProto.Builder in = FilterProto.newBuilder().setKind(Kind.IN).setColumn("signal");
        in.addLiteral(ValueProto.getDefaultInstance());
        checkRefused("IN needs literals that are not null", plan(Kind.AND).setFilter(in));
        checkRefused("STARTS_WITH needs a column", plan(Kind.STARTS_WITH));
        long generation = generation();
        for (long from : new long[] {(1L << 32) - 1, -1, Long.MIN_VALUE}) {
            checkRefused(
                    "no page of a plan starts at " + Long.toUnsignedString(from),
                    plan(Kind.AND).setFrom(from).setGeneration(generation));
        }
    }

    private static long generation() {
        try {
            return planned(plan(Kind.AND)).getGeneration();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void checkRefused(String message, PlanRequestProto.Builder request) {
        assertThatThrownBy(() -> planned(request))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(((RemoteException) e).getClassName()).isEqualTo("java.io.IOException"));
    }

    /** Who may not read learns nothing of the request, and its parts are not looked at. */
    @Test
    void permissionIsAskedFirst() throws Exception {
        Dataset secret = TestCommit.published(client, cluster.fs(), "/budget/secret");
        cluster.fs().setPermission(new Path(secret.path()), new FsPermission((short) 0700));
        PlanRequestProto.Builder odd = plan(Kind.STARTS_WITH).setPath(secret.path());
        assertThatThrownBy(() -> planned(odd))
                .isInstanceOf(RemoteException.class)
                .satisfies(e -> assertThat(((RemoteException) e).getClassName()).endsWith("AccessControlException"));
    }

    @Test
    void whoMayNotPublishKeepsNobodyFromIt() throws Exception {
        long busy = cluster.counter("BusyCommits");
        TestCommit commit = new TestCommit(dataset, 5_000, 5_010);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                String user = "stranger" + t;
                writers.add(threads.submit(() -> cluster.as(user, () -> {
                    try (MpsrClient own = cluster.client()) {
                        for (int i = 0; i < 50; i++) {
                            PublishResult result = own.publish(
                                    dataset.path(), dataset.id(), commit.id(), commit.sources(), commit.files());
                            assertThat(result.refusal()).isNotNull();
                            assertThat(result.refusal().kind()).isEqualTo(Refusal.Kind.NO_PERMISSION);
                        }
                    }
                    return null;
                })));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(cluster.counter("BusyCommits")).as("with one place").isEqualTo(busy);
    }

    @Test
    void sourcesAreBoundedBeforeALockIsTaken() throws Exception {
        long lockMs = cluster.counter("PublishLockMsTotal");
        List<CommitSource> many = IntStream.range(0, 15_000)
                .mapToObj(i -> new CommitSource("t", i, 0, 10))
                .toList();
        PublishResult result = client.publish(dataset.path(), dataset.id(), "many", many, List.of());
        assertThat(result.refusal()).isNotNull();
        assertThat(result.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
        assertThat(result.refusal().reason())
                .contains("the record of its 15000 topic-partitions takes", "dfs.namenode.fs-limits.max-xattr-size");
        List<CommitSource> twice = List.of(new CommitSource("t", 0, 0, 10), new CommitSource("t", 0, 10, 20));
        assertThat(client.publish(dataset.path(), dataset.id(), "twice", twice, List.of())
                        .reason())
                .contains("it names partition 0 of topic 't' twice");
        assertThat(cluster.counter("PublishLockMsTotal")).isEqualTo(lockMs);
    }

    @Test
    void datasetsAreListedInPages() throws Exception {
        for (int i = 0; i < 20; i++) {
            client.createDataset("/listed/d" + i, TestCluster.SCHEMA);
        }
        cluster.fs().setPermission(new Path("/listed/d7"), new FsPermission((short) 0700));
        List<String> paths = client.listDatasets().stream().map(Dataset::path).toList();
        assertThat(paths).contains("/budget/meas", "/listed/d0", "/listed/d19").isSorted();
        assertThat(cluster.<List<String>>as("somebody", () -> {
                    try (MpsrClient own = cluster.client()) {
                        return own.listDatasets().stream().map(Dataset::path).toList();
                    }
                }))
                .contains("/listed/d6", "/listed/d8")
                .doesNotContain("/listed/d7");
    }

    @Test
    void aPlanThatTakesTooLongIsReadAsStock() throws Exception {
        long fallbacks = cluster.counter("FallbacksTime");
        CompletableFuture<PlanResponseProto> answer = new CompletableFuture<>();
        whilePlansWait(calls, answer, () -> {
            long start = System.nanoTime();
            await().until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(PLAN_MS));
        });
        assertThat(answer.get(10, TimeUnit.SECONDS)).satisfies(plan -> {
            assertThat(plan.getStock()).isTrue();
            assertThat(plan.getReason()).startsWith("planning took longer than dfs.mpsr.plan.max.ms = 3000 allows");
        });
        assertThat(cluster.counter("FallbacksTime")).isEqualTo(fallbacks + 1);
    }

    @Test
    void workEndsWhenTheClientHasGone() throws Exception {
        long fallbacks = cluster.counter("FallbacksTime");
        FuzzCalls gone = new FuzzCalls(
                new Configuration(cluster.conf()), cluster.mini().getNameNode().getNameNodeAddress(), "gone");
        CompletableFuture<PlanResponseProto> answer = new CompletableFuture<>();
        whilePlansWait(gone, answer, () -> {
            int open = cluster.rpcServer().getNumOpenConnections();
            gone.close();
            await().until(() -> cluster.rpcServer().getNumOpenConnections() < open);
        });
        assertThat(answer).failsWithin(10, TimeUnit.SECONDS);
        await().until(() -> cluster.counter("FallbacksTime") == fallbacks + 1);
    }

    private interface Step {
        void run() throws Exception;
    }

    /** Runs a step while a plan waits to be asked for its rights. */
    private static void whilePlansWait(FuzzCalls caller, CompletableFuture<PlanResponseProto> answer, Step step)
            throws Exception {
        cluster.mini().getNamesystem().writeLock();
        try {
            FuzzCalls.Request request =
                    FuzzCalls.Request.of("plan", plan(Kind.AND).build());
            new Thread(
                            () -> {
                                try {
                                    answer.complete((PlanResponseProto) caller.call(request));
                                } catch (IOException e) {
                                    answer.completeExceptionally(e);
                                }
                            },
                            "planner")
                    .start();
            await().until(() -> Thread.getAllStackTraces().entrySet().stream()
                    .anyMatch(t -> t.getKey().getState() == Thread.State.WAITING
                            && Arrays.stream(t.getValue())
                                    .anyMatch(f -> f.getClassName().endsWith(".Planning"))));
            step.run();
        } finally {
            cluster.mini().getNamesystem().writeUnlock("test");
        }
    }

    /** What a plan is asked for over and over takes nothing from the next one. */
    @Test
    void everyCallLeavesItsPlace() throws Exception {
        for (int i = 0; i < 30; i++) {
            assertThatThrownBy(() -> planned(plan(Kind.NOT))).isInstanceOf(RemoteException.class);
        }
        ReadRequest all = ReadRequest.ofAllColumns(Filter.ALL);
        assertThat(client.plan(dataset.path(), all, "time", List.of())).isPresent();
        assertThat(cluster.counter("Calls")).as("this one").isEqualTo(1);
        assertThat(cluster.counter("LockMsMax")).isLessThan(1_000);
    }
}
