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

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.maintain.Maintainer;
import org.hadoopmpsr.client.maintain.MaintenanceTask;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.LeaseRequest.DatasetRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One process at a time maintains the cluster, and what its tasks did is known. */
class MaintenanceTest {
    private static final long LEASE_MS = 60_000;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static int datasets;
    private Dataset meas;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        TestClock.use(conf);
        cluster = TestCluster.start(conf, 3, 1);
        client = cluster.client();
        LeaseAnswer early = ask("a");
        assertThat(early.granted()).isFalse();
        assertThat(early.reason()).isEqualTo("there is no dataset yet");
        assertThat(cluster.fs().exists(new Path("/.mpsr"))).isFalse();
    }

    @BeforeEach
    void create() throws Exception {
        meas = client.createDataset("/cals/meas-" + ++datasets, TestCluster.SCHEMA);
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @AfterEach
    void nobodyMaintains() throws Exception {
        client.dropDataset(meas.path(), true);
        TestClock.advance(Duration.ofMillis(2 * LEASE_MS));
    }

    private static LeaseAnswer ask(String holder, DatasetRun... runs) throws Exception {
        return client.maintain(new LeaseRequest(holder, LEASE_MS, false, false, List.of(runs)));
    }

    private static LeaseAnswer leave(String holder) throws Exception {
        return client.maintain(new LeaseRequest(holder, LEASE_MS, true, false, List.of()));
    }

    private DatasetRun failed(long startedMs) {
        return new DatasetRun(
                meas.id(),
                MaintenanceRun.started("compact", startedMs).ended(Outcome.FAILED, startedMs + 1, 0, 0, "a\nb"));
    }

    private DatasetRun done(long startedMs) {
        return new DatasetRun(
                meas.id(),
                MaintenanceRun.started("compact", startedMs).ended(Outcome.DONE, startedMs + 5, 3, 70, null));
    }

    private static long edits() {
        return cluster.mini().getNamesystem().getFSImage().getLastAppliedOrWrittenTxId();
    }

    @Test
    void oneProcessAtATimeHasTheLease() throws Exception {
        assertThat(ask("a").granted()).isTrue();
        LeaseAnswer refused = ask("b");
        assertThat(refused.granted()).isFalse();
        assertThat(refused.holder()).isEqualTo("a");
        assertThat(refused.reason()).isEqualTo("a maintains the cluster");
        assertThat(refused.remainingMs()).isBetween(LEASE_MS, 2 * LEASE_MS);
        leave("b");
        assertThat(ask("a").granted()).isTrue();

        TestClock.advance(Duration.ofMillis(2 * LEASE_MS)); // a has crashed
        assertThat(ask("b").granted()).isTrue();
        assertThat(ask("a").granted()).isFalse();

        leave("b");
        assertThat(cluster.status().getMaintenance().hasHolder()).isFalse();
        assertThat(ask("a").granted()).isTrue();
    }

    @Test
    void fewRenewalsAreWritten() throws Exception {
        ask("a");
        long before = edits();
        for (int i = 0; i < 6; i++) {
            TestClock.advance(Duration.ofMillis(LEASE_MS / 3));
            assertThat(ask("a").remainingMs()).isBetween(LEASE_MS, 2 * LEASE_MS);
        }
        assertThat(edits() - before).isLessThanOrEqualTo(2);
    }

    @Test
    void whatTheTasksDidIsKnown() throws Exception {
        ask("a", failed(10));
        ask("a", failed(10)); // the answer was lost
        ask("a", failed(20), new DatasetRun("gone-00000000", MaintenanceRun.started("compact", 1)));
        assertThat(client.getDataset(meas.path()).maintenance())
                .containsExactly(new MaintenanceRun("compact", 20, 21, Outcome.FAILED, 2, 0, 0, 0, "a\nb"));
        assertThat(cluster.status().getWarningList())
                .contains("the maintenance task compact of " + meas.path()
                        + " has failed 2 time(s) one after the other: a\nb;"
                        + " it is tried again, see the log of hdfs mpsr maintain");
        assertThat(cluster.counter("MaintenanceFailing")).isEqualTo(1);
        assertThat(cluster.counter("MaintenanceLeader")).isEqualTo(1);
        assertThat(ask("b", done(30)).granted()).isFalse();

        client.maintain(new LeaseRequest("a", LEASE_MS, false, true, List.of(done(30))));
        MaintenanceRun last = new MaintenanceRun("compact", 30, 35, Outcome.DONE, 0, 35, 3, 70, null);
        assertThat(client.getDataset(meas.path()).maintenance()).containsExactly(last);
        StatusResponseProto status = cluster.status();
        assertThat(status.getWarningList()).isEmpty();
        MaintenanceStatusProto known = status.getMaintenance();
        assertThat(known.getHolder()).isEqualTo("a");
        assertThat(known.getRunList()).singleElement().satisfies(run -> {
            assertThat(run.getPath()).isEqualTo(meas.path());
            assertThat(run.getRun().getSegments()).isEqualTo(3);
        });
        assertThat(cluster.counter("MaintenanceFailing")).isZero();
        assertThat(cluster.counter("MaintenanceAgeSeconds")).isBetween(0L, 60L);
    }

    @Test
    void howFarAScrubIsAndWhatItFoundIsKnown() throws Exception {
        assertThat(cluster.counter("ScrubOldestSeconds")).isEqualTo(-1);
        ScrubSummary summary = new ScrubSummary(10, 9, new TestClock().now() - 5_000_000, 4, 3, 1);
        MaintenanceRun run = MaintenanceRun.started("scrub", 40).ended(Outcome.DONE, 45, 3, 70, null);
        ask("a", new DatasetRun(meas.id(), run.with(summary)));
        assertThat(cluster.counter("ScrubOldestSeconds")).isBetween(5_000L, 5_100L);
        assertThat(cluster.counter("ScrubFound")).isEqualTo(4);
        assertThat(cluster.counter("ScrubHealed")).isEqualTo(3);
        assertThat(cluster.counter("ScrubWrong")).isEqualTo(1);
        assertThat(cluster.status().getWarningList())
                .singleElement()
                .asString()
                .startsWith("critical: 1 segments of groups of " + meas.path() + " are wrong and could not be healed");

        ask("a", new DatasetRun(meas.id(), MaintenanceRun.started("scrub", 50)));
        assertThat(client.getDataset(meas.path()).maintenance())
                .singleElement()
                .satisfies(next ->
                        assertThat(next.scrub()).as("while the next one runs").isEqualTo(summary));
    }

    @Test
    void onlySuperusersMaintain() throws Exception {
        ask("a", failed(10));
        assertThatThrownBy(() -> cluster.call(
                        "mallory", other -> other.maintain(new LeaseRequest("m", LEASE_MS, true, false, List.of()))))
                .isInstanceOf(AccessControlException.class)
                .hasMessageContaining("Superuser privilege is required for operation mpsrMaintain");
        cluster.fs().setPermission(new Path(meas.path()), new FsPermission((short) 0700));
        try {
            StatusResponseProto status = (StatusResponseProto) cluster.call("mallory", MpsrClient::status);
            assertThat(status.getMaintenance().getRunList()).isEmpty();
            assertThat(status.getWarningList()).allSatisfy(w -> assertThat(w).doesNotContain(meas.path()));
        } finally {
            cluster.fs().setPermission(new Path(meas.path()), new FsPermission((short) 0755));
            ask("a", done(20));
        }
    }

    /** A task that always has something to do, and does nothing. */
    private static final class Sweep implements MaintenanceTask {
        @Override
        public String name() {
            return "sweep";
        }

        @Override
        public Optional<Work> due(Dataset dataset) {
            return Optional.of(new Work() {
                @Override
                public String text() {
                    return "some dust";
                }

                @Override
                public Result run(Consumer<String> progress) {
                    return new Result(Outcome.DONE, 2, 30, null);
                }
            });
        }
    }

    private static boolean maintainedBy(String holder) throws Exception {
        Maintainer.Cluster whole = new Maintainer.Cluster() {
            @Override
            public LeaseAnswer ask(LeaseRequest request) throws IOException {
                return client.maintain(request);
            }

            @Override
            public List<Dataset> datasets() throws IOException {
                return client.listDatasets();
            }
        };
        Maintainer.Options options = new Maintainer.Options(holder, true, 600_000, 0, LEASE_MS, 1);
        return new Maintainer(whole, List.of(new Sweep()), options, (event, dataset, task, text) -> {}).run();
    }

    @Test
    void aProcessDoesOnceWhatIsDue() throws Exception {
        assertThat(maintainedBy("p")).isTrue();
        assertThat(client.getDataset(meas.path()).maintenance()).singleElement().satisfies(run -> {
            assertThat(run.task()).isEqualTo("sweep");
            assertThat(run.outcome()).isEqualTo(Outcome.DONE);
            assertThat(run.segments()).isEqualTo(2);
        });
        assertThat(cluster.status().getMaintenance().hasHolder()).isFalse();
        ask("other");
        assertThat(maintainedBy("p")).isTrue();
        assertThat(cluster.status().getMaintenance().getHolder()).isEqualTo("other");
    }

    @Test
    void inSafeModeNobodyGetsTheLease() throws Exception {
        cluster.fs().setSafeMode(SafeModeAction.ENTER);
        try {
            assertThat(ask("a").reason()).startsWith("the NameNode is in safe mode");
        } finally {
            cluster.fs().setSafeMode(SafeModeAction.LEAVE);
        }
    }

    @Test
    void aRecordOfANewerVersionStaysAsItIs() throws Exception {
        Path store = new Path("/.mpsr/datasets/" + meas.id());
        ask("a", done(10));
        byte[] kept = cluster.fs().getXAttr(store, Attributes.MAINTENANCE);
        cluster.pastMpsr().setXAttr(store, Attributes.MAINTENANCE, new byte[] {8, 2});
        try {
            assertThat(client.getDataset(meas.path()).maintenance()).isEmpty();
            assertThat(cluster.status().getWarningList())
                    .singleElement()
                    .asString()
                    .startsWith("cannot read the maintenance record of '" + store + "': it has format version 2");
            assertThatThrownBy(() -> ask("a", done(20))).hasMessageContaining("format version 2");
            assertThat(cluster.fs().getXAttr(store, Attributes.MAINTENANCE)).containsExactly(8, 2);
        } finally {
            cluster.pastMpsr().setXAttr(store, Attributes.MAINTENANCE, kept);
        }
    }

    @Test
    void theConfigurationSwitchesItOff() throws Exception {
        ask("a");
        Configuration conf = cluster.mini().getConfiguration(0);
        conf.setBoolean("dfs.mpsr.maintenance.enabled", false);
        cluster.restartNameNode();
        try {
            LeaseAnswer answer = ask("a");
            assertThat(answer.enabled()).isFalse();
            assertThat(answer.granted()).isFalse();
            assertThat(answer.reason())
                    .isEqualTo("maintenance is switched off: dfs.mpsr.maintenance.enabled is false in the NameNode's"
                            + " hdfs-site.xml");
            assertThat(cluster.status().getMaintenance().getEnabled()).isFalse();
            leave("a");
            assertThat(cluster.status().getMaintenance().hasHolder()).isFalse();
        } finally {
            conf.unset("dfs.mpsr.maintenance.enabled");
            cluster.restartNameNode();
        }
    }
}
