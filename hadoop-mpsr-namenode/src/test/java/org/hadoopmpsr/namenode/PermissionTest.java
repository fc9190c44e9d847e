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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.TestCluster.Call;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every call, by users who are no superusers: the owner of a dataset, one who may read it, and a stranger. */
class PermissionTest {
    private static final String DENIED = "Permission denied";
    private static final String SUPERUSER = "Superuser privilege is required";

    private static TestCluster cluster;
    private static MpsrClient admin;
    private static Dataset dataset;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        cluster = TestCluster.start(conf, 3, 1);
        admin = cluster.client();
        Path path = new Path("/rights/meas");
        cluster.fs().mkdirs(path);
        cluster.fs().setOwner(path, "owner", "reader-group");
        cluster.fs().setPermission(path, new FsPermission("750"));
        dataset = admin.createDataset(path.toString(), TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(admin, cluster.fs()).publish(admin);
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    private static void assertRefused(String user, String message, Call call) {
        assertThatThrownBy(() -> cluster.call(user, call))
                .hasMessageContaining(user)
                .hasMessageContaining(message);
    }

    @Test
    void planningNeedsTheRightToRead() throws Exception {
        Call plan = c -> c.plan(dataset.path(), Filter.ALL, null).orElseThrow().files();

        assertRefused("stranger", DENIED, plan);
        assertThat(cluster.call("reader", plan)).asList().hasSize(1);
        assertThat(cluster.call("owner", plan)).asList().hasSize(1);
    }

    @Test
    void describingNeedsTheRightToRead() throws Exception {
        assertRefused("stranger", DENIED, c -> c.getDataset(dataset.path()));
        assertThat(cluster.call("reader", c -> c.getDataset(dataset.path()).path()))
                .isEqualTo(dataset.path());
        assertThat(cluster.call("reader", MpsrClient::listDatasets)).asList().hasSize(1);
        assertThat(cluster.call("stranger", MpsrClient::listDatasets)).asList().isEmpty();
    }

    /** As HDFS shows the names of some files only. A writer needs the offsets to go on. */
    @Test
    void whoMayNotReadAllIsToldNoNumbers() throws Exception {
        Path path = new Path("/partly/meas");
        cluster.fs().mkdirs(path);
        cluster.fs().setOwner(path, "owner", "reader-group");
        cluster.fs().setPermission(path, new FsPermission("770"));
        Dataset partly = admin.createDataset(path.toString(), TestCluster.SCHEMA);
        new TestCommit(partly, 0, 10).stage(admin, cluster.fs()).publish(admin);
        Call numbers = c -> c.getDataset(partly.path()).representations().get(0).files();
        Call offsets = c -> c.getDataset(partly.path()).offsets();
        Call untold = c -> String.valueOf(c.getDataset(partly.path()).untold());
        Call listed = c -> c.listDatasets().stream()
                .filter(d -> d.path().equals(partly.path()))
                .map(d -> String.valueOf(d.untold()))
                .toList();
        assertThat(cluster.call("reader", numbers)).isEqualTo(1L);

        cluster.fs()
                .setPermission(
                        new Path(new TestCommit(partly, 0, 10).published("time")).getParent(), new FsPermission("700"));

        assertThat(cluster.call("reader", numbers)).isEqualTo(0L);
        assertThat(cluster.call("reader", untold))
                .isEqualTo("user reader may not read all files and directories below " + partly.path());
        assertThat(cluster.call("reader", listed)).isEqualTo(List.of(cluster.call("reader", untold)));
        assertThat(cluster.call("reader", offsets)).asList().hasSize(1);
        assertThat(numbers.on(admin)).isEqualTo(1L);
        assertThat(untold.on(admin)).isEqualTo("null");
        cluster.fs().setPermission(path, new FsPermission("750"));
        assertThat(cluster.call("reader", offsets)).asList().isEmpty();
    }

    @Test
    void committingNeedsTheRightToWrite() throws Exception {
        TestCommit commit = new TestCommit(dataset, 10, 20);
        for (String user : new String[] {"stranger", "reader"}) {
            assertRefused(
                    user,
                    DENIED,
                    c -> c.beginCommit(dataset.path(), dataset.id(), "c").require());
            assertRefused(user, DENIED, commit::publish);
            assertRefused(user, DENIED, c -> {
                c.abortCommit(dataset.path(), dataset.id(), commit.id());
                return true;
            });
        }
        assertThat(cluster.call("owner", c -> {
                    try (DistributedFileSystem fs = (DistributedFileSystem)
                            FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                        return commit.stage(c, fs).publish(c).outcome();
                    }
                }))
                .isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void nobodyPublishesWhatAnotherUserStaged() throws Exception {
        Path shared = new Path("/shared/meas");
        cluster.fs().mkdirs(shared);
        cluster.fs().setPermission(shared, new FsPermission("777"));
        Dataset open = admin.createDataset(shared.toString(), TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(open, 0, 10).stage(admin, cluster.fs());

        assertRefused("stranger", SUPERUSER, commit::publish);
        assertThat(admin.getDataset(open.path()).offsets()).isEmpty();
    }

    @Test
    void administrationNeedsASuperuser() {
        assertRefused("owner", SUPERUSER, c -> c.createDataset("/rights/other", TestCluster.SCHEMA));
        assertRefused("owner", SUPERUSER, c -> c.dropDataset(dataset.path(), false));
    }

    @Test
    void theStateIsForEverybody() throws Exception {
        assertThat(cluster.call("stranger", c -> c.status().getState())).isEqualTo("ready");
    }

    @Test
    void onlyASuperuserIsToldOfBlocksToMove() throws Exception {
        assertRefused("owner", SUPERUSER, MpsrClient::statusForMover);
        assertThat(admin.statusForMover().getNodeCount()).isEqualTo(3);
    }

    @Test
    void warningsAboutADatasetAreForThoseWhoMayReadIt() throws Exception {
        Path foreign = new Path(dataset.path() + "/foreign");
        cluster.write(foreign.toString(), 10);
        Call warnings = c -> String.join("\n", c.status().getWarningList());
        String others = "about datasets that you may not read; a superuser sees them";
        try {
            await().until(() ->
                    cluster.call("reader", warnings).toString().contains("/rights/meas, group 'time': 1 file(s) with"));
            await().until(() ->
                    admin.status().getWarningList().toString().contains("/rights/meas, group 'time': 1 file(s)"));
            assertThat(cluster.call("stranger", warnings).toString())
                    .contains(others)
                    .doesNotContain("/rights");
            Path partition = new Path(new TestCommit(dataset, 0, 10).published("time")).getParent();
            cluster.fs().setPermission(partition, new FsPermission("700"));
            assertThat(cluster.call("reader", warnings).toString())
                    .contains(others)
                    .doesNotContain("/rights");
            cluster.fs().setPermission(partition, new FsPermission("755"));
        } finally {
            cluster.fs().delete(foreign, false);
        }
        await().until(() -> cluster.call("stranger", warnings).equals(""));
    }

    @Test
    void whoMayNotSeeADirectoryLearnsNotWhetherItIsADataset() throws Exception {
        admin.createDataset("/hidden/meas", TestCluster.SCHEMA);
        cluster.fs().setPermission(new Path("/hidden"), new FsPermission("700"));

        for (String path : new String[] {"/hidden/meas", "/hidden/other"}) {
            assertRefused("stranger", DENIED, c -> c.plan(path, Filter.ALL, null));
            assertRefused("stranger", DENIED, c -> c.getDataset(path));
            assertRefused("stranger", DENIED, c -> c.beginCommit(path, "x", "c").require());
            assertRefused("stranger", DENIED, c -> {
                c.abortCommit(path, "x", "c");
                return true;
            });
        }
        assertThat(admin.plan("/hidden/other", Filter.ALL, null)).isEmpty();
    }

    @Test
    void attributesAreForSuperusers() throws Exception {
        Path file = new Path(new TestCommit(dataset, 0, 10).published("time"));
        for (Path path : new Path[] {new Path(dataset.path()), file}) {
            assertThat(cluster.fs().getXAttrs(path).keySet()).anyMatch(name -> name.startsWith("trusted.mpsr."));
            cluster.as("owner", () -> {
                try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                    assertThat(fs.getXAttrs(path)).isEmpty();
                    for (String name : new String[] {Attributes.DATASET, Attributes.FILE}) {
                        assertThatThrownBy(() -> fs.setXAttr(path, name, new byte[1]))
                                .hasMessageContaining("User doesn't have permission for xattr: " + name);
                        assertThatThrownBy(() -> fs.removeXAttr(path, name))
                                .hasMessageContaining("User doesn't have permission for xattr: " + name);
                    }
                    return true;
                }
            });
        }
    }

    /** So that it is closed without MPSR too. Writers have their staging directories only. */
    @Test
    void theStoreBelongsToTheNameNodeAlone() throws Exception {
        String self = UserGroupInformation.getCurrentUser().getShortUserName();
        String staging = cluster.call(
                        "owner",
                        c -> c.beginCommit(dataset.path(), dataset.id(), "staged")
                                .require()
                                .stagingDir())
                .toString();
        Deque<Path> open = new ArrayDeque<>(List.of(new Path("/.mpsr")));
        int seen = 0;
        while (!open.isEmpty()) {
            FileStatus node = cluster.fs().getFileStatus(open.remove());
            String path = node.getPath().toUri().getPath();
            assertThat(node.getOwner()).as(path).isEqualTo(path.equals(staging) ? "owner" : self);
            assertThat(node.getPermission()).as(path).isEqualTo(new FsPermission(node.isDirectory() ? "700" : "600"));
            if (node.isDirectory() && !PathNames.parent(path).endsWith("/staging")) {
                for (FileStatus child : cluster.fs().listStatus(node.getPath())) {
                    open.add(child.getPath());
                }
            }
            seen++;
        }
        assertThat(seen).isGreaterThan(15);
    }

    @Test
    void nobodyElseWritesTheStore() throws Exception {
        for (String path : new String[] {
            "/.mpsr/x",
            "/.mpsr/nodes/time/x",
            "/.mpsr/datasets/x",
            "/.mpsr/datasets/" + dataset.id() + "/staging/x",
            "/.mpsr/datasets/" + dataset.id() + "/offsets/x",
            "/.mpsr/datasets/" + dataset.id() + "/publishing/x",
            "/.mpsr/datasets/" + dataset.id() + "/signal/x"
        }) {
            for (String user : new String[] {"stranger", "owner"}) {
                assertThatThrownBy(() -> cluster.as(user, () -> {
                            try (FileSystem fs =
                                    FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                                return fs.mkdirs(new Path(path));
                            }
                        }))
                        .as(user + " " + path)
                        .hasMessageContaining(DENIED);
            }
        }
    }
}
