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

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.workload.WorkloadReport;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.In;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.QueryTally;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The NameNode keeps what was asked, within bounds, and tells whoever may read it. */
class WorkloadTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final int MOST = 40;

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.workload.classes", MOST);
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    /** A dataset of five days, with one file a day in each group. */
    private static Dataset dataset(String path) throws Exception {
        Dataset dataset = client.createDataset(path, TestCluster.SCHEMA);
        for (int day = 0; day < 5; day++) {
            new TestCommit(
                            dataset,
                            "c-" + day,
                            new CommitSource("t", 0, day * 10L, day * 10L + 10),
                            "PT-" + day,
                            LocalDate.of(2014, 5, 1 + day),
                            1)
                    .stage(client, cluster.fs())
                    .publish(client);
        }
        return dataset;
    }

    /** @return the number of planned files */
    private static int ask(String path, Filter filter) throws Exception {
        return client.plan(path, filter, null).orElseThrow().files().size();
    }

    private static List<QueryClass> classes(String path) throws Exception {
        WorkloadReport report = client.workload(path);
        assertThat(report.mostClasses()).isEqualTo(MOST);
        assertThat(report.datasets()).hasSize(1);
        assertThat(report.datasets().get(0).path()).isEqualTo(path);
        assertThat(report.datasets().get(0).stockGroup()).isEqualTo("time");
        return report.datasets().get(0).classes();
    }

    @Test
    void queriesAreCountedByTheirShape() throws Exception {
        Dataset dataset = dataset("/workload/meas");
        long counted = cluster.counter("WorkloadQueries");
        ask(dataset.path(), new Compare(Operator.EQ, "signal", "PT-0"));
        ask(dataset.path(), new Compare(Operator.EQ, "signal", "PT-1"));
        ask(dataset.path(), new Compare(Operator.EQ, "signal", "PT-1")); // the plan that the client keeps holds
        int ofDay = ask(
                dataset.path(), new In("day", List.of(LocalDate.of(2014, 5, 1).toEpochDay())));
        client.plan(dataset.path(), ReadRequest.ofFiles(Filter.ALL), null, List.of()); // compares files, and reads none

        List<QueryClass> classes = classes(dataset.path());
        assertThat(classes)
                .extracting(c -> c.shape().conditions())
                .containsExactly("signal = 1 value", "day = 1 value");
        QueryTally bySignal = classes.get(0).tally();
        assertThat(bySignal.queries()).isEqualTo(3);
        assertThat(bySignal.repeats()).isEqualTo(1);
        assertThat(bySignal.stock()).isZero();
        assertThat(bySignal.planned().files()).isEqualTo(3);
        assertThat(bySignal.all().files()).isEqualTo(15);
        assertThat(bySignal.all().records()).isGreaterThan(bySignal.planned().records());
        assertThat(bySignal.groups()).containsOnlyKeys("time", "signal", "device");
        assertThat(bySignal.groups().values())
                .allSatisfy(g -> assertThat(g.evaluated()).isEqualTo(3));
        assertThat(bySignal.groups().values().stream()
                        .mapToLong(g -> g.chosen())
                        .sum())
                .isEqualTo(3);
        assertThat(bySignal.last()).isNull(); // no value of a query is told
        assertThat(classes.get(1).tally().planned().files()).isEqualTo(ofDay);
        assertThat(cluster.counter("WorkloadQueries")).isEqualTo(counted + 4);
        assertThat(cluster.counter("WorkloadClasses")).isPositive();
    }

    @Test
    void whoMayNotReadAllIsToldNothing() throws Exception {
        Dataset open = dataset("/workload/open");
        Dataset closed = dataset("/workload/closed");
        Dataset partly = dataset("/workload/partly");
        cluster.fs().setPermission(new Path(closed.path()), new FsPermission("700"));
        cluster.fs().setPermission(new Path(partly.path() + "/day=2014-05-01"), new FsPermission("700"));
        for (Dataset dataset : List.of(open, closed, partly)) {
            ask(dataset.path(), Filter.ALL);
        }

        WorkloadReport told = (WorkloadReport) cluster.call("reader", c -> c.workload(null));
        assertThat(told.datasets())
                .extracting(WorkloadReport.OfDataset::path)
                .contains(open.path())
                .doesNotContain(closed.path(), partly.path());
        assertThat(client.workload(null).datasets())
                .extracting(WorkloadReport.OfDataset::path)
                .contains(open.path(), closed.path(), partly.path())
                .isSorted();
        for (Dataset dataset : List.of(closed, partly)) {
            assertThatThrownBy(() -> cluster.call("reader", c -> c.workload(dataset.path())))
                    .hasMessageContaining("reader");
        }
        assertThatThrownBy(() -> client.workload("/workload/none")).hasMessageContaining("is not a dataset");
    }

    @Test
    void anythingMayBeAskedByManyAndPlanningGoesOn() throws Exception {
        Dataset dataset = dataset("/workload/bounds");
        long errors = cluster.counter("Errors");
        List<String> columns = List.of("signal", "device", "system", "timestamp_ns", "value", "day");
        List<CompletableFuture<Void>> askers = new ArrayList<>();
        for (int asker = 0; asker < 4; asker++) {
            Random random = new Random(SEED + asker);
            askers.add(CompletableFuture.runAsync(() -> {
                try (MpsrClient own = cluster.client()) {
                    for (int i = 0; i < 100; i++) {
                        Set<String> read = Set.of(columns.get(random.nextInt(6)));
                        ReadRequest request = new ReadRequest(filter(random, columns, 3), read);
                        assertThat(own.plan(dataset.path(), request, null, List.of()))
                                .isPresent();
                    }
                } catch (Exception e) {
                    throw new AssertionError("-Dmpsr.seed=" + SEED, e);
                }
            }));
        }
        CompletableFuture.allOf(askers.toArray(CompletableFuture[]::new)).join();

        assertThat(classes(dataset.path())).hasSize(MOST / 4);
        assertThat(client.workload(null).evicted()).isPositive();
        assertThat(cluster.counter("WorkloadEvicted")).isPositive();
        assertThat(cluster.counter("WorkloadClasses")).isLessThanOrEqualTo(MOST);
        assertThat(cluster.counter("Errors")).as("-Dmpsr.seed=%s", SEED).isEqualTo(errors);
    }

    private static Filter filter(Random random, List<String> columns, int depth) {
        String column = columns.get(random.nextInt(columns.size()));
        Object literal = literal(random, column);
        List<Filter> parts = new ArrayList<>();
        switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0:
                return new Compare(Operator.values()[random.nextInt(5)], column, literal);
            case 1:
                return new In(column, List.of(literal, literal(random, column)));
            case 2:
                return new Filter.IsNull(column);
            case 3:
                return new Filter.StartsWith("signal", "PT");
            case 4:
                return new Filter.Not(filter(random, columns, depth - 1));
            default:
                for (int i = random.nextInt(4); i >= 0; i--) {
                    parts.add(filter(random, columns, depth - 1));
                }
                return random.nextBoolean() ? new Filter.And(parts) : new Filter.Or(parts);
        }
    }

    private static Object literal(Random random, String column) {
        return switch (column) {
            case "timestamp_ns" -> random.nextLong();
            case "day" -> (long) random.nextInt(20_000);
            case "value" -> random.nextDouble();
            default -> "PT-" + random.nextInt(5);
        };
    }

    @Test
    void aRestartBeginsAnewAndOtherGroupsToo() throws Exception {
        Dataset dataset = dataset("/workload/restart");
        ask(dataset.path(), Filter.ALL);
        assertThat(classes(dataset.path())).hasSize(1);
        long since = client.workload(null).sinceMs();

        client.dropDataset(dataset.path(), true);
        cluster.fs().delete(new Path(dataset.path()), true);
        Dataset again = dataset("/workload/restart");
        assertThat(classes(again.path())).isEmpty();
        ask(again.path(), Filter.ALL);

        cluster.restartNameNode();
        assertThat(client.workload(null).sinceMs()).isGreaterThan(since);
        assertThat(classes(again.path())).isEmpty();
        ask(again.path(), Filter.ALL);
        assertThat(classes(again.path()))
                .singleElement()
                .satisfies(one -> assertThat(one.tally().queries()).isEqualTo(1));
    }
}
