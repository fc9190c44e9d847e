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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.apache.hadoop.security.AccessControlException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The store is closed but for what a dataset opens: with another attribute provider, with old rights, without MPSR. */
class StoreRightsTest {
    private static final String DENIED = "Permission denied";
    private static final Path STORE = new Path("/.mpsr");

    private static TestCluster cluster;
    private static DistributedFileSystem fs;
    private static MpsrClient admin;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY, PolicyProvider.class.getName());
        cluster = TestCluster.startOnLocalhost(conf, 3);
        fs = cluster.fs();
        admin = cluster.client();
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    private static Dataset published(String path, String mode) throws IOException {
        fs.mkdirs(new Path(path));
        fs.setOwner(new Path(path), "owner", "owner-group");
        fs.setPermission(new Path(path), new FsPermission(mode));
        return TestCommit.published(admin, fs, path);
    }

    private static Path file(Dataset dataset, String group) {
        return new Path(new TestCommit(dataset, 0, 10).published(group));
    }

    private interface Use {
        void of(FileSystem fs) throws IOException;
    }

    private static ThrowingCallable use(String user, Use use) {
        return () -> cluster.as(user, () -> {
            try (FileSystem own = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                use.of(own);
                return true;
            }
        });
    }

    private static void assertReads(String user, Path file, boolean expected) throws Exception {
        ThrowingCallable open = use(user, own -> own.open(file).close());
        try {
            open.call();
            assertThat(expected).as(user + " reads " + file).isTrue();
        } catch (AccessControlException e) {
            assertThat(expected)
                    .as(user + " reads " + file + ": " + e.getMessage())
                    .isFalse();
        } catch (Throwable e) {
            throw new AssertionError(user + " " + file, e);
        }
    }

    /** Ranger and the like see the dataset directory, and no path of the store. */
    @Test
    void anotherProviderDecidesForTheDatasetDirectory() throws Exception {
        Dataset dataset = published("/policies/meas", "755");
        Path other = file(dataset, "signal");

        assertReads("stranger", other, true);
        assertReads("blocked", other, false);
        fs.setPermission(new Path(dataset.path()), new FsPermission("700"));
        assertReads("stranger", other, false);
        assertReads("granted", other, true);
        assertThat(cluster.call(
                        "granted",
                        c -> c.plan(dataset.path(), Filter.ALL, "signal")
                                .orElseThrow()
                                .stock()))
                .isEqualTo(false);
        assertThat(PolicyProvider.SEEN).contains(dataset.path()).noneMatch(path -> path.startsWith("/.mpsr"));
    }

    @Test
    void nobodyChangesWhatMayBeRead() throws Exception {
        Dataset dataset = published("/unchanged/meas", "777");
        Path other = file(dataset, "signal");
        fs.mkdirs(new Path("/unchanged/free"));
        fs.setPermission(new Path("/unchanged/free"), new FsPermission("777"));

        for (String user : new String[] {"owner", "stranger"}) {
            assertReads(user, other, true);
            for (Use use : new Use[] {
                own -> own.setPermission(other, new FsPermission("777")),
                own -> own.setPermission(other.getParent(), new FsPermission("777")),
                own -> own.setOwner(other, user, null),
                own -> own.setTimes(other, 1, 1),
                own -> own.delete(other, false),
                own -> own.delete(other.getParent(), true),
                own -> own.rename(other, new Path("/unchanged/free/" + other.getName())),
                own -> own.append(other).close(),
                own -> own.create(new Path(other + "-more")).close(),
                own -> own.listStatus(new Path("/.mpsr/datasets")),
                own -> own.listStatus(new Path("/.mpsr/datasets/" + dataset.id() + "/offsets")),
                own -> own.listStatus(new Path("/.mpsr/datasets/" + dataset.id() + "/staging")),
                own -> own.listStatus(new Path("/.mpsr/nodes")),
                own -> own.getFileStatus(new Path("/.mpsr/nodes/time")),
                own -> own.listStatus(STORE)
            }) {
                assertThatThrownBy(use(user, use)).hasMessageContaining(DENIED);
            }
        }
        assertReads("owner", other, true);
    }

    @Test
    void stagedFilesAreTheWritersAlone() throws Throwable {
        Dataset dataset = published("/staged/meas", "777");
        String staging = cluster.call(
                        "owner",
                        c -> c.beginCommit(dataset.path(), dataset.id(), "staged")
                                .require()
                                .stagingDir())
                .toString();
        Path file = new Path(staging + "/signal/signal_bucket=0/x");

        use("owner", own -> {
                    try (FSDataOutputStream out = own.create(file)) {
                        out.write(1);
                    }
                    assertThat(own.listStatus(file.getParent())).hasSize(1);
                    assertThat(own.delete(file, false)).isTrue();
                    own.create(file).close();
                })
                .call();
        assertReads("owner", file, true);
        assertReads("stranger", file, false);
        assertThatThrownBy(use("stranger", other -> other.listStatus(new Path(staging))))
                .hasMessageContaining(DENIED);
        assertThatThrownBy(use("owner", own -> own.mkdirs(new Path(staging + "-more"))))
                .hasMessageContaining(DENIED);
    }

    @Test
    void aChangeOfRightsByWebHdfsHoldsAtOnce() throws Exception {
        Dataset dataset = published("/byweb/meas", "755");
        Path other = file(dataset, "signal");
        Path narrowed = file(dataset, "time");
        try (FileSystem web =
                WebHdfsTestUtil.getWebHdfsFileSystem(cluster.mini().getConfiguration(0), "webhdfs")) {
            for (int i = 0; i < 5; i++) {
                assertReads("stranger", other, true);
                web.setPermission(narrowed, new FsPermission("600"));
                assertReads("stranger", other, false);
                web.setPermission(narrowed, new FsPermission("644"));
            }
            web.setPermission(narrowed.getParent(), new FsPermission("700"));
            assertReads("stranger", other, false);
            Path aside = new Path("/byweb/aside");
            assertThat(web.rename(narrowed.getParent(), aside)).isTrue();
            assertThat(web.rename(aside, narrowed.getParent())).isTrue();
            assertReads("stranger", other, false);
        }
    }

    /** What was moved out, was made narrower and came back counts again. */
    @Test
    void rightsThatComeBackByARenameHoldAtOnce() throws Exception {
        Dataset dataset = published("/back/meas", "755");
        Path other = file(dataset, "signal");
        Path partition = file(dataset, "time").getParent();
        Path aside = new Path("/back/aside");
        assertReads("stranger", other, true);

        fs.rename(partition, aside);
        fs.setPermission(new Path(aside, file(dataset, "time").getName()), new FsPermission("600"));
        fs.rename(aside, partition);
        assertReads("stranger", other, false);
        fs.setPermission(file(dataset, "time"), new FsPermission("644"));
        assertReads("stranger", other, true);
    }

    @Test
    void tooManyDistinctRightsCloseTheOtherGroups() throws Exception {
        Dataset dataset = published("/distinct/meas", "755");
        Path other = file(dataset, "signal");
        Path file = file(dataset, "time");
        for (int i = 0; i <= 100; i++) {
            fs.setOwner(file, "owner" + i, null);
            Path copy = new Path(file + "-" + i);
            cluster.write(copy.toString(), 10);
            fs.setOwner(copy, "owner" + i, null);
            fs.setXAttr(copy, "trusted.mpsr.file", fs.getXAttr(file, "trusted.mpsr.file"));
        }
        assertReads("stranger", other, false);
        assertThat(fs.open(other)).isNotNull();
    }

    /** In a snapshot that was taken when the store was open too. */
    @Test
    void oldRightsOfTheStoreAreOfNoUse() throws Exception {
        Dataset dataset = published("/old/meas", "700");
        Path other = file(dataset, "signal");
        DistributedFileSystem past = cluster.pastMpsr();
        for (Path path = other; path.depth() > 0; path = path.getParent()) {
            past.setPermission(path, new FsPermission("755"));
        }
        past.setOwner(other, "stranger", null);
        past.allowSnapshot(STORE);
        past.createSnapshot(STORE, "s");
        try {
            assertReads("stranger", other, false);
            String inSnapshot = other.toString().replace("/.mpsr/", "/.mpsr/.snapshot/s/");
            assertReads("stranger", new Path(inSnapshot), false);
            assertThatThrownBy(use("stranger", own -> own.listStatus(new Path("/.mpsr/.snapshot/s"))))
                    .hasMessageContaining(DENIED);
            await().until(() -> fs.getFileStatus(STORE).getPermission().equals(new FsPermission("700")));
        } finally {
            past.deleteSnapshot(STORE, "s");
        }
    }

    /** Without MPSR the dataset directory is read as before, and the store is closed. */
    @Test
    void withoutMpsrTheStoreIsClosed() throws Exception {
        Dataset dataset = published("/without/meas", "750");
        assertReads("owner", file(dataset, "signal"), true);
        Configuration with = cluster.mini().getConfiguration(0);
        Configuration kept = new Configuration(with);
        TestCluster.removeMpsr(with);
        cluster.restartNameNode();
        try {
            assertReads("owner", file(dataset, "time"), true);
            for (String user : new String[] {"owner", "stranger", "granted"}) {
                assertReads(user, file(dataset, "signal"), false);
            }
            assertThat(fs.open(file(dataset, "signal"))).isNotNull();
        } finally {
            kept.forEach(entry -> with.set(entry.getKey(), entry.getValue()));
            cluster.restartNameNode();
        }
        await().untilAsserted(() -> assertReads("owner", file(dataset, "signal"), true));
    }
}
