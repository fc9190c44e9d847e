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

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan.PlannedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.FurtherCopiesProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files that are read much get further copies in their group, and give them back: when nobody reads them, when the budget is made smaller
 * or taken out, and after the NameNode stopped between the decision and the copy. Three groups of four nodes.
 */
class FurtherCopiesTest {
    private static final int DAYS = 5;
    private static final String GROUP = "signal";
    private static final int QUERIES = 4;
    /** For one copy; some milliseconds later a query counts a little less. */
    private static final int ENOUGH = QUERIES + 1;

    private static final LocalDate FIRST = LocalDate.of(2014, 5, 1);

    private TestCluster cluster;
    private MpsrClient client;
    private Dataset dataset;
    private List<TestCommit> commits;

    @BeforeEach
    void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        TestClock.use(conf);
        elastic(conf, 50);
        cluster = TestCluster.start(conf, 12, 3);
        client = cluster.client();
        dataset = client.createDataset("/further/meas", TestCluster.SCHEMA);
        commits = new ArrayList<>();
        for (int day = 0; day < DAYS; day++) {
            commits.add(new TestCommit(
                            dataset,
                            "c-" + day,
                            new CommitSource("t", 0, day * 10L, day * 10L + 10),
                            "PT-" + day,
                            FIRST.plusDays(day),
                            1)
                    .stage(client, cluster.fs()));
            commits.get(day).publish(client);
        }
        dataset = client.getDataset(dataset.path());
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private static void elastic(Configuration conf, int percent) {
        conf.setInt("dfs.mpsr.elastic.budget.percent", percent);
        conf.setInt("dfs.mpsr.elastic.queries.per.copy", QUERIES);
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
    }

    /** Asks for the signal of one day, so that one file of the group by signals is read. */
    private void ask(int day, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            Filter filter = new Compare(Operator.EQ, "signal", "PT-" + day);
            assertThat(client.plan(dataset.path(), filter, null).orElseThrow().files())
                    .extracting(PlannedFile::path)
                    .containsExactly(file(day));
        }
    }

    private String file(int day) {
        return commits.get(day).published(GROUP);
    }

    private int replication(String path) throws Exception {
        return cluster.stat(path).getReplication();
    }

    private String[] nodes(String path) throws Exception {
        BlockLocation[] blocks = cluster.fs().getFileBlockLocations(new Path(path), 0, Long.MAX_VALUE);
        assertThat(blocks).hasSize(1);
        return blocks[0].getNames();
    }

    private void awaitCopies(String path, int copies) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(replication(path)).isEqualTo(copies);
            assertThat(nodes(path)).hasSize(copies);
        });
        Map<String, String> groups = new HashMap<>();
        try {
            groups.putAll(cluster.groupByAddress());
            assertThat(nodes(path)).allSatisfy(n -> assertThat(groups).containsEntry(n, GROUP));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private FurtherCopiesProto told() throws Exception {
        return cluster.status().getFurtherCopies();
    }

    private void awaitTold(int files, int copies) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(told().getFiles()).isEqualTo(files);
            assertThat(told().getCopies()).isEqualTo(copies);
        });
    }

    private long rounds() throws Exception {
        return cluster.counter("FurtherCopiesGiven") + cluster.counter("FurtherCopiesGivenBack");
    }

    @Test
    void aFileThatIsReadMuchGetsCopiesAndGivesThemBack() throws Exception {
        ask(0, ENOUGH);
        awaitCopies(file(0), 2);
        ask(0, 10 * QUERIES);
        awaitCopies(file(0), 3); // one less than the group has nodes
        awaitTold(1, 2);
        assertThat(told().getBytes()).isEqualTo(2 * TestCommit.BYTES);
        assertThat(told().getBudgetBytes()).isEqualTo(3 * DAYS * TestCommit.BYTES / 2);
        assertThat(cluster.counter("FurtherCopyFiles")).isEqualTo(1);
        assertThat(cluster.counter("FurtherCopiesGiven")).isEqualTo(2);
        for (int day = 1; day < DAYS; day++) {
            assertThat(replication(file(day))).isEqualTo(1);
        }
        assertThat(cluster.status().getWarningList()).isEmpty(); // nothing is wrong with further copies

        TestClock.advance(Duration.ofHours(4)); // 45 queries count as 2.8 now, enough for one copy to stay
        awaitCopies(file(0), 2);
        TestClock.advance(Duration.ofHours(4));
        awaitCopies(file(0), 1);
        awaitTold(0, 0);
        assertThat(cluster.counter("FurtherCopiesGivenBack")).isEqualTo(2);
        assertThat(cluster.counter("Errors")).isZero();
    }

    @Test
    @Tag("long")
    void queriesWhosePlansHoldCountAndComparisonsDoNot() throws Exception {
        Filter filter = new Compare(Operator.EQ, "signal", "PT-1");
        for (int i = 0; i < ENOUGH; i++) {
            client.plan(dataset.path(), filter, null); // after the first, the plan that the client keeps holds
        }
        assertThat(cluster.counter("ValidatedPlans")).isPositive();
        awaitTold(1, 1);
    }

    @Test
    @Tag("long")
    void theBudgetHoldsAndTheFilesThatAreReadMostHaveIt() throws Exception {
        restart(14); // 14 % of 15,000 bytes: two files
        ask(0, ENOUGH);
        for (int i = 0; i < 4 * QUERIES; i++) { // in turn, because the NameNode decides in between
            ask(1, 1);
            ask(2, 1);
        }
        awaitTold(2, 2);
        awaitCopies(file(1), 2);
        awaitCopies(file(2), 2);
        assertThat(replication(file(0))).isEqualTo(1);
        assertThat(told().getRefused()).isPositive();
        assertThat(told().getBytes()).isLessThanOrEqualTo(told().getBudgetBytes());
    }

    @Test
    @Tag("long")
    void aSmallerBudgetTakesCopiesBack() throws Exception {
        ask(0, 3 * QUERIES);
        ask(1, ENOUGH);
        awaitTold(2, 3);
        restart(7); // one file
        awaitTold(1, 1);
        awaitCopies(file(0), 2);
        awaitCopies(file(1), 1);
    }

    @Test
    @Tag("long")
    void withoutTheSettingAllCopiesAreGivenBack() throws Exception {
        ask(0, 3 * QUERIES);
        awaitCopies(file(0), 3);
        restart(0);
        awaitCopies(file(0), 1);
        assertThat(cluster.status().hasFurtherCopies()).isFalse();
    }

    @Test
    @Tag("long")
    void copiesStayOverARestartAndAreGivenBackWhenNobodyReadsThem() throws Exception {
        ask(0, ENOUGH);
        awaitCopies(file(0), 2);
        restart(50);
        awaitTold(1, 1);
        awaitCopies(file(0), 2);
        assertThat(rounds()).isZero(); // nothing was given or taken since
        TestClock.advance(Duration.ofMinutes(61));
        awaitCopies(file(0), 1);
    }

    @Test
    @Tag("long")
    void aRestartBetweenTheDecisionAndTheCopyLosesNothing() throws Exception {
        String[] first = nodes(file(0));
        Map<String, String> groups = cluster.groupByAddress();
        List<DataNodeProperties> stopped = new ArrayList<>();
        for (String node : groups.keySet()) {
            if (groups.get(node).equals(GROUP) && !node.equals(first[0])) {
                stopped.add(cluster.mini().stopDataNode(node)); // nobody can make the copy
            }
        }
        ask(0, ENOUGH);
        await().atMost(Duration.ofSeconds(30)).until(() -> replication(file(0)) == 2);
        assertThat(nodes(file(0))).hasSizeLessThan(2);
        cluster.restartNameNodeAlone();
        for (DataNodeProperties node : stopped) {
            cluster.mini().restartDataNode(node, true);
        }
        cluster.mini().waitActive();
        cluster.mini().triggerBlockReports();
        awaitCopies(file(0), 2);
        awaitTold(1, 1);
    }

    @Test
    @Tag("long")
    void aStockNameNodeLoadsTheImageAndServesTheFiles() throws Exception {
        ask(0, ENOUGH);
        awaitCopies(file(0), 2);
        cluster.fs().setSafeMode(SafeModeAction.ENTER);
        cluster.fs().saveNamespace();
        Configuration conf = cluster.mini().getConfiguration(0);
        TestCluster.removeMpsr(conf);
        cluster.restartNameNode();
        assertThat(replication(file(0))).isEqualTo(2); // as a file of HDFS with that replication
        assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(file(0)))).hasSize(TestCommit.BYTES);

        TestCluster.addMpsr(conf);
        TestClock.use(conf);
        elastic(conf, 50);
        cluster.restartNameNode();
        awaitTold(1, 1);
        // the stock NameNode wants two racks, and may have made one more
        awaitCopies(file(0), 2);
    }

    @Test
    @Tag("long")
    void aQuotaIsKept() throws Exception {
        long used = cluster.fs().getContentSummary(new Path("/further/meas")).getSpaceConsumed();
        long store = cluster.fs().getContentSummary(new Path("/.mpsr")).getSpaceConsumed();
        cluster.fs().setQuota(new Path("/further/meas"), Long.MAX_VALUE, used + store + TestCommit.BYTES);
        ask(0, 3 * QUERIES); // for two copies, together
        await().atMost(Duration.ofSeconds(30)).until(() -> told().getRefused() > 0);
        assertThat(replication(file(0))).isEqualTo(1);
        cluster.fs().setQuota(new Path("/further/meas"), Long.MAX_VALUE, used + store + 2 * TestCommit.BYTES);
        awaitCopies(file(0), 3);
        assertThat(told().getRefused()).isZero();
    }

    /** With another budget. */
    private void restart(int percent) throws Exception {
        elastic(cluster.mini().getConfiguration(0), percent);
        cluster.restartNameNode();
        client.close();
        client = cluster.client();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.status().getState().equals("ready"));
    }
}
