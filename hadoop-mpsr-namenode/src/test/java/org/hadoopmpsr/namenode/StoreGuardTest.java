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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.util.ToolRunner;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto.Action;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store is nobody's to move, delete or write into, a superuser's neither; and what was moved away comes back. */
class StoreGuardTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    private Dataset dataset;
    private TestCommit commit;
    private Path store;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setLong(CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY, 60);
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void publish(TestInfo test) throws Exception {
        String name = test.getTestMethod().orElseThrow().getName()
                + Math.abs(test.getDisplayName().hashCode());
        dataset = client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, fs);
        commit.publish(client);
        store = new Path("/.mpsr/datasets/" + dataset.id());
    }

    @AfterEach
    void drop() throws Exception {
        client.dropDataset(dataset.path(), true);
    }

    private int shell(String... arguments) throws Exception {
        return ToolRunner.run(new FsShell(cluster.conf()), arguments(arguments));
    }

    private String[] arguments(String... arguments) {
        List<String> all = new ArrayList<>(
                List.of("-fs", cluster.mini().getConfiguration(0).get("fs.defaultFS")));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    private void assertWhole() throws Exception {
        assertThat(fs.exists(store)).isTrue();
        assertThat(client.getDataset(dataset.path()).representations())
                .allSatisfy(r -> assertThat(r.unusable()).isNull());
        assertThat(client.plan(dataset.path(), Filter.ALL, "signal")
                        .orElseThrow()
                        .group())
                .isEqualTo("signal");
    }

    private List<String> warnings() throws Exception {
        return cluster.status().getWarningList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.mpsr",
                "/.mpsr/",
                "/.mpsr/nodes",
                "/.mpsr/nodes/time",
                "/.mpsr/nodes/time/NODE",
                "/.mpsr/datasets",
                "/.mpsr/datasets/ID",
                "/.mpsr/datasets/ID/",
                "/.mpsr/datasets/ID/signal",
                "/.mpsr/datasets/ID/staging",
                "/.mpsr/datasets/ID/offsets",
                "/.reserved/raw/.mpsr/nodes"
            })
    void nothingOfTheStoreIsMovedOrDeleted(String place) throws Exception {
        String node = fs.listStatus(new Path("/.mpsr/nodes/time"))[0].getPath().getName();
        String path = place.replace("ID", dataset.id()).replace("NODE", node);

        for (boolean recursive : new boolean[] {true, false}) {
            assertThatThrownBy(() -> fs.getClient().delete(path, recursive))
                    .hasMessageContaining("Permission denied: cannot delete ")
                    .hasMessageContaining("/.mpsr is MPSR's own, and only MPSR's commands and commits change it");
        }
        assertThatThrownBy(() -> fs.getClient().rename(path, "/x"))
                .hasMessageContaining("leave /.mpsr where it is, with all that is in it");
        assertThatThrownBy(() -> fs.rename(new Path(path), new Path("/x"), org.apache.hadoop.fs.Options.Rename.NONE))
                .hasMessageContaining("leave /.mpsr where it is, with all that is in it");
        assertThat(shell("-rm", "-r", path)).as("to the trash").isNotZero();
        assertThat(shell("-rm", "-r", "-skipTrash", path)).isNotZero();
        assertWhole();
        assertThat(fs.exists(new Path("/.mpsr/nodes/time/" + node))).isTrue();
    }

    @Test
    void nothingIsPutIntoTheStore() throws Exception {
        cluster.write("/outside/file", 10);
        long refused = cluster.counter("RefusedStoreCalls");
        for (String directory : new String[] {
            "/.mpsr", "/.mpsr/nodes/time", "/.mpsr/datasets", store.toString(), store + "/signal", store + "/staging"
        }) {
            assertThat(shell("-touchz", directory + "/x")).isNotZero();
            assertThat(shell("-mkdir", directory + "/x")).isNotZero();
            assertThat(shell("-cp", "/outside/file", directory + "/x")).isNotZero();
            assertThat(shell("-mv", "/outside/file", directory + "/x")).isNotZero();
            assertThat(fs.exists(new Path(directory + "/x"))).as(directory).isFalse();
        }
        assertThat(cluster.counter("RefusedStoreCalls")).isGreaterThanOrEqualTo(refused + 18);
        assertThat(shell("-mkdir", "-p", "/.mpsr/datasets")).as("it is there").isZero();
        assertWhole();
    }

    @Test
    void administratorsSetWhatHoldsForTheWholeNamespace() throws Exception {
        Path root = new Path("/");
        fs.allowSnapshot(root);
        fs.createSnapshot(root, "s");
        fs.deleteSnapshot(root, "s");
        fs.disallowSnapshot(root);
        fs.setStoragePolicy(root, "HOT");
        fs.setQuota(root, 1_000_000, HdfsConstants.QUOTA_DONT_SET);
        fs.setPermission(root, new FsPermission("755"));
        fs.setQuota(new Path("/.mpsr"), 1_000_000, HdfsConstants.QUOTA_DONT_SET);
        fs.setQuota(new Path("/.mpsr"), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
        fs.setStoragePolicy(store, "HOT");
        assertThatThrownBy(() -> fs.setQuota(store, 10, 10)).hasMessageContaining("cannot setQuota");
        new TestCommit(dataset, 10, 20).stage(client, fs).publish(client);
        assertWhole();
    }

    @Test
    void whatAnOlderVersionLetBeMovedAwayComesBack() throws Exception {
        Path away = new Path("/away" + dataset.path());
        fs.mkdirs(away.getParent());
        assertThat(cluster.pastMpsr().rename(store, away)).isTrue();
        String warning = dataset.path() + " is the directory of a dataset, but " + store
                + " is missing: it is read as on"
                + " stock HDFS, and can neither be written by commits nor dropped; move the missing directory back with"
                + " hdfs dfs -mv, or end the dataset with hdfs dfs -setfattr -x trusted.mpsr.dataset " + dataset.path();
        await().untilAsserted(() -> assertThat(warnings()).contains(warning));
        assertThat(cluster.counter("StorelessDatasets")).isEqualTo(1);
        assertThatThrownBy(() -> client.getDataset(dataset.path())).hasMessageContaining(warning);
        assertThatThrownBy(() -> client.dropDataset(dataset.path(), true)).hasMessageContaining(warning);

        cluster.restartNameNode();
        assertThatThrownBy(() -> client.getDataset(dataset.path())).hasMessageContaining(warning);
        assertThat(warnings()).as("once somebody has asked").contains(warning);

        cluster.as("stranger", () -> {
            try (FileSystem other = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                assertThatThrownBy(() -> other.rename(away, store)).hasMessageContaining("Permission denied");
                return true;
            }
        });
        assertThat(fs.rename(away, store)).isTrue();
        assertWhole();
        assertThat(warnings()).noneMatch(w -> w.contains(store.toString()));
    }

    @Test
    void partsOfTheStoreComeBackToo() throws Exception {
        Path away = new Path("/away" + dataset.path());
        fs.mkdirs(away.getParent());
        for (String part : new String[] {"/.mpsr/nodes", "/.mpsr/nodes/time", store + "/signal", store + "/offsets"}) {
            assertThat(cluster.pastMpsr().rename(new Path(part), away)).isTrue();
            assertThat(fs.rename(away, new Path(part))).as(part).isTrue();
        }
        Path file = new Path(commit.published("signal"));
        assertThat(cluster.pastMpsr().rename(file, away)).isTrue();
        assertThat(client.plan(dataset.path(), Filter.ALL, "signal")
                        .orElseThrow()
                        .group())
                .isNotEqualTo("signal");
        assertThat(fs.rename(away, file)).isTrue();
        await().untilAsserted(this::assertWhole);
    }

    @Test
    void whatWasNotThereDoesNotComeBack() throws Exception {
        cluster.write("/foreign/file", 10);
        fs.mkdirs(new Path("/foreign/directory"));
        for (String target : new String[] {"/.mpsr/nodes/x", store + "/signal/x", "/.mpsr/datasets/x"}) {
            assertThatThrownBy(() -> fs.rename(new Path("/foreign/file"), new Path(target)))
                    .hasMessageContaining("files get there by commits only");
        }
        assertThatThrownBy(() -> fs.rename(new Path("/foreign"), new Path("/.mpsr/nodes/x")))
                .hasMessageContaining("files get there by commits only");
    }

    @Test
    void aDirectoryWithoutItsStoreBecomesAnOrdinaryOne() throws Exception {
        Path directory = new Path(dataset.path());
        cluster.pastMpsr().delete(store, true);
        await().untilAsserted(() -> assertThat(warnings()).anyMatch(w -> w.startsWith(dataset.path() + " is the")));
        fs.removeXAttr(directory, Attributes.DATASET);
        await().untilAsserted(() -> assertThat(warnings()).noneMatch(w -> w.startsWith(dataset.path() + " is the")));
        fs.delete(directory, true);
        dataset = client.createDataset(dataset.path(), TestCluster.SCHEMA);
    }

    @Test
    void aRecordOfANodeThatIsNotUnderstoodIsAWarning() throws Exception {
        Path node = fs.listStatus(new Path("/.mpsr/nodes/time"))[0].getPath();
        Path record = new Path(node, "move=v2=x");
        cluster.pastMpsr().mkdirs(record);
        cluster.restartNameNode();
        String path = record.toUri().getPath();
        assertThat(warnings())
                .contains(path + " is no record that this MPSR knows, and is ignored: a newer MPSR wrote it, or it is"
                        + " damaged; run that version on every NameNode, or delete it with hdfs mpsr groups rebalance"
                        + " --cancel");

        client.rebalance(Action.CANCEL, 1);
        assertThat(fs.exists(record)).isFalse();
        assertThat(warnings()).noneMatch(w -> w.startsWith(path));
    }

    /** Its writer writes there, and a superuser neither more nor less. */
    @Test
    void stagedFilesAreTheirWriters() throws Exception {
        String staging =
                client.beginCommit(dataset.path(), dataset.id(), "c").require().stagingDir();
        Path file = new Path(staging + "/signal/x/file");
        cluster.write(file.toString(), 100);
        fs.setPermission(file, new FsPermission("600"));
        fs.append(file).close();
        assertThat(fs.rename(file, new Path(staging + "/signal/x/other"))).isTrue();
        assertThatThrownBy(() -> fs.rename(new Path(staging + "/signal/x/other"), new Path("/x")))
                .hasMessageContaining("leave /.mpsr where it is");
        assertThat(fs.delete(new Path(staging + "/signal/x"), true)).isTrue();
        assertThatThrownBy(() -> fs.delete(new Path(staging), true)).hasMessageContaining("cannot delete " + staging);
        assertThatThrownBy(() -> fs.setPermission(new Path(staging), new FsPermission("777")))
                .hasMessageContaining("cannot setPermission " + staging);
    }
}
