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

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.ToRebuildProto;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What metrics, JMX and status say, while all is well and while it is not. */
class OperatorsViewTest {
    private static final MBeanServer JMX = ManagementFactory.getPlatformMBeanServer();

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.commit.max.waiting", 1);
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
        cluster = TestCluster.start(conf, 3, 1);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset published(String name) throws Exception {
        return TestCommit.published(client, cluster.fs(), "/" + name + "/meas");
    }

    /** What the metrics source would say now; asks for no lock. */
    private static Map<String, Long> metrics() {
        return ((Counters) DefaultMetricsSystem.instance().getSource("Mpsr")).snapshot();
    }

    private static ReadPlan planOneSignal(Dataset dataset) throws Exception {
        return client.plan(dataset.path(), new Compare(Operator.EQ, "signal", "PT-0"), null)
                .orElseThrow();
    }

    @Test
    void everyMetricIsInJmx() throws Exception {
        published("shown");
        ObjectName name = new ObjectName("Hadoop:service=NameNode,name=Mpsr");
        List<String> attributes = List.of(JMX.getMBeanInfo(name).getAttributes()).stream()
                .map(MBeanAttributeInfo::getName)
                .toList();

        assertThat(attributes)
                .containsAll(metrics().keySet())
                .contains("tag.State", "PublishNumOps", "PublishAvgTime", "PlanNumOps", "PlanAvgTime", "PlanMaxTime");
        for (Counter counter : Counter.values()) {
            assertThat(attributes).contains(counter.metric());
        }
    }

    @Test
    void everyMetricIsDocumentedWithItsNameInPrometheus() throws Exception {
        String page = Files.readString(java.nio.file.Path.of("../docs/metrics.md"));
        List<String> documented = Pattern.compile("(?m)^\\| `(\\w+)` `(\\w+)` \\|")
                .matcher(page)
                .results()
                .map(m -> m.group(1) + " " + m.group(2))
                .toList();
        PrometheusMetricsSink prometheus = new PrometheusMetricsSink();
        List<String> published = Stream.of(JMX.getMBeanInfo(new ObjectName("Hadoop:service=NameNode,name=Mpsr"))
                        .getAttributes())
                .map(MBeanAttributeInfo::getName)
                .filter(name -> !name.startsWith("tag."))
                .map(name -> name + " " + prometheus.prometheusName("Mpsr", name))
                .toList();
        assertThat(documented)
                .as("rows of docs/metrics.md")
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(published);

        for (MBeanAttributeInfo attribute : JMX.getMBeanInfo(new ObjectName("Hadoop:service=NameNode,name=MpsrInfo"))
                .getAttributes()) {
            assertThat(page).contains("| `" + attribute.getName() + "` |");
        }
    }

    @Test
    void alarmsAreOnMetricsThatThereAreAndAreExplained() throws Exception {
        String page = Files.readString(java.nio.file.Path.of("../docs/metrics.md"));
        String rules = Files.readString(java.nio.file.Path.of("../conf/prometheus-alerts.yml"));

        assertThat(Pattern.compile("mpsr_\\w+").matcher(rules).results().map(MatchResult::group))
                .isNotEmpty()
                .allSatisfy(metric -> assertThat(page).contains("` `" + metric + "` |"));
        assertThat(Pattern.compile("alert: (\\w+)").matcher(rules).results().map(m -> m.group(1)))
                .containsExactlyElementsOf(Pattern.compile("(?m)^\\| `(Mpsr\\w+)` \\|")
                        .matcher(page)
                        .results()
                        .map(m -> m.group(1))
                        .toList());
    }

    @Test
    void filesAndCommitsAreCounted() throws Exception {
        Map<String, Long> before = metrics();
        Dataset dataset = published("counted");
        client.plan(dataset.path(), Filter.ALL, null);
        Map<String, Long> after = metrics();

        assertThat(after)
                .containsEntry("Ready", 1L)
                .containsEntry("Groups", 3L)
                .containsEntry("AllocatedNodes", 3L)
                .containsEntry("WaitingCommits", 0L);
        Map.of("Datasets", 1L, "Files", 3L, "Bytes", 3_000L, "Records", 10L, "Commits", 1L, "CommittedFiles", 3L)
                .forEach((metric, more) -> assertThat(after.get(metric) - before.get(metric))
                        .as(metric)
                        .isEqualTo(more));
        assertThat(after.get("Plans")).isGreaterThan(before.get("Plans"));
    }

    private static Object info(String attribute) throws Exception {
        return JMX.getAttribute(new ObjectName("Hadoop:service=NameNode,name=MpsrInfo"), attribute);
    }

    private static CompositeData infoOf(Dataset dataset) throws Exception {
        return Stream.of((CompositeData[]) info("Datasets"))
                .filter(d -> d.get("path").equals(dataset.path()))
                .findFirst()
                .orElseThrow();
    }

    private static CompositeData representation(Dataset dataset, String group) throws Exception {
        return Stream.of((CompositeData[]) infoOf(dataset).get("representations"))
                .filter(r -> r.get("group").equals(group))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theInfoBeanShowsGroupsAndNodes() throws Exception {
        published("groups");

        assertThat(info("State")).isEqualTo("ready");
        assertThat(info("StoreDirectory")).isEqualTo("/.mpsr");
        CompositeData[] groups = (CompositeData[]) info("Groups");
        assertThat(groups).extracting(g -> g.get("name")).containsExactly("time", "signal", "device");
        assertThat(groups).extracting(g -> g.get("defaultGroup")).containsExactly(true, false, false);
        assertThat((String[]) groups[1].get("predicates")).containsExactly("bucket(4, signal)");
        assertThat(groups).allSatisfy(g -> {
            CompositeData[] nodes = (CompositeData[]) g.get("nodes");
            assertThat(nodes).hasSize(1);
            assertThat((String) nodes[0].get("host")).endsWith(".test");
            assertThat(nodes[0].get("rack")).isEqualTo("/r0");
            assertThat(nodes[0].get("state")).isEqualTo("In Service");
            assertThat((Long) nodes[0].get("capacityBytes")).isPositive();
            assertThat(g.get("capacityBytes")).isEqualTo(nodes[0].get("capacityBytes"));
            assertThat((Long) g.get("files")).isPositive();
        });
        assertThat((CompositeData[]) info("UnallocatedNodes")).isEmpty();
    }

    @Test
    void theInfoBeanShowsDatasetsAndTheirLastCommits() throws Exception {
        Dataset dataset = client.createDataset("/info/meas", TestCluster.SCHEMA);
        long before = Time.now();
        for (int start = 0; start < 120; start += 10) {
            new TestCommit(dataset, start, start + 10)
                    .stage(client, cluster.fs())
                    .publish(client);
        }
        // indexes are built by whoever asks for a plan or for the status
        cluster.status();
        CompositeData shown = infoOf(dataset);
        assertThat(shown.get("id")).isEqualTo(dataset.id());
        assertThat((CompositeData[]) shown.get("representations")).allSatisfy(r -> {
            assertThat(r.get("files")).isEqualTo(12L);
            assertThat(r.get("records")).isEqualTo(120L);
            assertThat(r.get("bytes")).isEqualTo(12_000L);
        });
        CompositeData[] commits = (CompositeData[]) shown.get("commits");
        assertThat(commits).hasSize(10);
        assertThat(commits[0].get("id")).isEqualTo("t-0-110-120");
        assertThat((String[]) commits[0].get("sources")).containsExactly("t-0-110-120");
        assertThat((Long) commits[0].get("time")).isBetween(before, Time.now());
        assertThat(commits[0].get("files")).isEqualTo(3L);
        assertThat(commits[0].get("records")).isEqualTo(10L);
        CompositeData[] offsets = (CompositeData[]) shown.get("offsets");
        assertThat(offsets).hasSize(1);
        assertThat(offsets[0].get("topic")).isEqualTo("t");
        assertThat(offsets[0].get("end")).isEqualTo(120L);
        assertThat(offsets[0].get("commitId")).isEqualTo("t-0-110-120");
        await().untilAsserted(() ->
                assertThat(representation(dataset, "signal").get("health")).isEqualTo("ok"));
        assertThat((Long) info("LastHealthCheck")).isGreaterThanOrEqualTo(before);
    }

    /** What one group lacks. */
    private static ToRebuildProto toRebuild(Dataset dataset) throws Exception {
        List<ToRebuildProto> all = cluster.status().getToRebuildList().stream()
                .filter(left -> left.getPath().equals(dataset.path()))
                .toList();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void aLostNodeIsSeenAndReadAround() throws Exception {
        Dataset dataset = published("lost");
        TestCommit commit = new TestCommit(dataset, 0, 10);
        assertThat(planOneSignal(dataset).group()).isEqualTo("signal");
        long avoided = metrics().get("AvoidedDegraded");
        String node = cluster.fs()
                .getFileBlockLocations(new Path(commit.published("signal")), 0, 1)[0]
                .getNames()[0];
        DataNodeProperties stopped = cluster.mini().stopDataNode(node);
        cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
        try {
            assertThat(planOneSignal(dataset).group()).isNotEqualTo("signal");
            assertThat(metrics().get("AvoidedDegraded")).isGreaterThan(avoided);
            await().untilAsserted(() -> {
                assertThat(cluster.status().getWarningList())
                        .contains(dataset.path() + ", group 'signal': 1 file(s) without a live replica");
                assertThat(metrics().get("DegradedFiles")).isPositive();
                assertThat(representation(dataset, "signal").get("health")).isEqualTo("degraded");
                assertThat(representation(dataset, "signal").get("degradedFiles"))
                        .isEqualTo(1L);
                ToRebuildProto left = toRebuild(dataset);
                assertThat(left.getGroup()).isEqualTo("signal");
                assertThat(left.getSegments()).isEqualTo(1);
                assertThat(left.getCauses().getLost()).isEqualTo(1);
                assertThat(left.getBytes()).isEqualTo(TestCommit.BYTES);
                assertThat(left.getDue() - left.getSince()).isEqualTo(600_000);
                assertThat(left.hasRunningSince()).isFalse();
                assertThat(metrics().get("BytesToRebuild")).isGreaterThanOrEqualTo(TestCommit.BYTES);
                CompositeData shown = ((CompositeData[]) infoOf(dataset).get("toRebuild"))[0];
                assertThat(shown.get("cause")).isEqualTo("1 files lost with a DataNode or disk");
            });
            assertThat(cluster.status().getState()).isEqualTo("ready");
        } finally {
            cluster.mini().restartDataNode(stopped, true);
            cluster.mini().waitActive();
        }
        await().untilAsserted(() ->
                assertThat(cluster.status().getWarningList()).noneMatch(w -> w.contains("without a live replica")));
        assertThat(planOneSignal(dataset).group()).isEqualTo("signal");
    }

    @Test
    void aChangedRepresentationIsSeenAndNotPlanned() throws Exception {
        Dataset dataset = published("changed");
        cluster.write(dataset.path() + "/day=2020-01-01/foreign.parquet", 10);
        long fallbacks = metrics().get("FallbacksDiverged");

        assertThat(planOneSignal(dataset).stock()).isTrue();
        assertThat(metrics().get("FallbacksDiverged")).isGreaterThan(fallbacks);
        String added = "1 file(s) with 10 bytes that ordinary writers have added are not in all groups";
        await().untilAsserted(() ->
                assertThat(cluster.status().getWarningList()).contains(dataset.path() + ", group 'time': " + added));
        CompositeData shown = representation(dataset, "time");
        assertThat(shown.get("health")).isEqualTo("ok");
        assertThat(shown.get("untrackedFiles")).isEqualTo(1L);
        assertThat(shown.get("problem")).isEqualTo(added);
        UntrackedFile file = client.untracked(dataset.path()).get(0);
        client.setUnfit(dataset.path(), Map.of(file, "it is no Parquet file"));
        await().untilAsserted(() -> assertThat(cluster.status().getWarningList())
                .contains(dataset.path() + ", group 'time': " + added + "; 1 of them cannot be adopted: " + file.path()
                        + ": it is no Parquet file"));

        client.dropDataset(dataset.path(), true);
        assertThat(cluster.status().getWarningList()).noneMatch(w -> w.startsWith(dataset.path()));
    }

    @Test
    void aDeletedFileIsNamedAndNotTakenForALostOne() throws Exception {
        Dataset dataset = published("deleted");
        String file = new TestCommit(dataset, 0, 10).published("device");
        cluster.pastMpsr().delete(new Path(file), false);

        await().untilAsserted(() -> assertThat(cluster.status().getWarningList())
                .contains(dataset.path() + ", group 'device': diverged: 1 published file(s) below " + "/.mpsr/datasets/"
                        + dataset.id() + "/device have vanished: " + file));
        await().untilAsserted(() -> {
            ToRebuildProto left = toRebuild(dataset);
            assertThat(left.getGroup()).isEqualTo("device");
            assertThat(left.getCauses().getDeletedIn()).isEqualTo(1);
            assertThat(left.getBytes()).as("as in the other groups").isEqualTo(TestCommit.BYTES);
        });

        cluster.fs().delete(new Path(new TestCommit(dataset, 0, 10).published("time")), false);
        assertThat(client.damage(dataset.path(), 10).damages())
                .filteredOn(Damage::isDefault)
                .singleElement()
                .matches(d -> !d.due());
        assertThat(toRebuild(dataset).getGroup())
                .as("nobody rebuilds the default group unasked")
                .isEqualTo("device");
    }

    /** The health check reads what was renamed under it, again and again. */
    @Test
    void aRenamedFileIsNoError() throws Exception {
        Dataset dataset = published("renamed");
        String file = new TestCommit(dataset, 0, 10).published("device");
        long errors = metrics().get("Errors");
        assertThat(cluster.pastMpsr().rename(new Path(file), new Path(file + "-renamed")))
                .isTrue();

        await().untilAsserted(() -> assertThat(cluster.status().getWarningList())
                .contains(dataset.path() + ", group 'device': diverged: " + file
                        + "-renamed was changed after it was published"));
        long seen = (Long) info("LastHealthCheck");
        await().until(() -> (Long) info("LastHealthCheck") > seen);
        assertThat(metrics().get("Errors")).isEqualTo(errors);
        assertThat(infoOf(dataset).get("commits")).isNotNull();
    }

    @Test
    void safeModeIsSaid() throws Exception {
        String warning =
                "the NameNode is in safe mode: datasets can be read and not written; see hdfs dfsadmin -safemode"
                        + " get";
        cluster.fs().setSafeMode(SafeModeAction.ENTER);
        try {
            assertThat(cluster.status().getWarningList()).contains(warning);
        } finally {
            cluster.fs().setSafeMode(SafeModeAction.LEAVE);
        }
        assertThat(cluster.status().getWarningList()).doesNotContain(warning);
    }

    @Test
    void aCallThatIsTooLargeIsRefused() {
        List<String> nodes =
                IntStream.rangeClosed(0, 10_000).mapToObj(i -> "n" + i).toList();
        assertThatThrownBy(() -> client.forgetNodes(nodes))
                .hasMessageContaining("the call is refused: its ForgetNodesRequestProto has more than 10000 values or"
                        + " names in a list, more than dfs.mpsr.plan.max.values = 10000 allows; ask for less at a time,"
                        + " or raise dfs.mpsr.plan.max.values in the NameNode's hdfs-site.xml");
    }

    /** A commit that the NameNode does not even read is refused like one of too many files: retrying it is of no use. */
    @Test
    void aPublishThatIsTooLargeIsRefusedForGood() throws Exception {
        Dataset dataset = client.createDataset("/large/meas", TestCluster.SCHEMA);
        StagedFile file = new TestCommit(dataset, 0, 10).files().get(0);
        List<StagedFile> files = Collections.nCopies(20_001, file);
        PublishResult result =
                client.publish(dataset.path(), dataset.id(), "large", List.of(new CommitSource("t", 0, 0, 10)), files);
        assertThat(result.refusal())
                .satisfies(refusal -> assertThat(refusal.kind()).isEqualTo(Refusal.Kind.TOO_MANY_FILES))
                .satisfies(refusal -> assertThat(refusal.reason()).contains("dfs.mpsr.commit.max.files"));
    }

    @Test
    void tooManyWritersAreToldToTryAgain() throws Exception {
        Dataset one = client.createDataset("/busy1/meas", TestCluster.SCHEMA);
        Dataset two = client.createDataset("/busy2/meas", TestCluster.SCHEMA);
        TestCommit first = new TestCommit(one, 0, 10).stage(client, cluster.fs());
        TestCommit second = new TestCommit(two, 0, 10).stage(client, cluster.fs());
        Executor threads = task -> new Thread(task, "writer").start();
        CompletableFuture<Outcome> a;
        CompletableFuture<Outcome> b;
        // while this is held both wait to be asked for their rights, and the next holder comes after that: then one of
        // the
        // two has the place, and both wait again
        CountDownLatch end = new CountDownLatch(1);
        Thread next = new Thread(() -> hold(end), "next holder");
        cluster.mini().getNamesystem().writeLock();
        try {
            a = CompletableFuture.supplyAsync(() -> publish(first), threads);
            b = CompletableFuture.supplyAsync(() -> publish(second), threads);
            await().until(() -> threadsIn("org.hadoopmpsr.namenode.writer.Admission", "writable") == 2);
            next.start();
            await().until(() -> next.getState() == Thread.State.WAITING);
        } finally {
            cluster.mini().getNamesystem().writeUnlock("test");
        }
        try {
            await().untilAsserted(() -> assertThat(metrics())
                    .containsEntry("WaitingCommits", 1L)
                    .satisfies(m -> assertThat(m.get("BusyCommits")).isPositive()));
        } finally {
            end.countDown();
            next.join();
        }
        assertThat(List.of(a.get(), b.get())).containsOnly(Outcome.COMMITTED);
    }

    private static void hold(CountDownLatch end) {
        cluster.mini().getNamesystem().writeLock();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cluster.mini().getNamesystem().writeUnlock("test");
        }
    }

    /** The number of threads that wait in a method of a class. */
    private static long threadsIn(String type, String method) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(t -> t.getKey().getState() == Thread.State.WAITING)
                .filter(t -> Arrays.stream(t.getValue())
                        .anyMatch(f -> f.getClassName().equals(type)
                                && f.getMethodName().equals(method)))
                .count();
    }

    private static Outcome publish(TestCommit commit) {
        try (MpsrClient own = cluster.client()) {
            return commit.publish(own).outcome();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
