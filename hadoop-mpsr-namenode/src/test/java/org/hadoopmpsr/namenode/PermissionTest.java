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

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.Fence.Verdict;
import org.hadoopmpsr.core.plan.Filter;
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

    /** A call as some user. */
    private interface Call {
        Object on(MpsrClient client) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
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

    private static Object as(String user, Call call) throws Exception {
        return cluster.<Object>as(user, () -> {
            try (MpsrClient client = cluster.client()) {
                return call.on(client);
            }
        });
    }

    private static void assertRefused(String user, String message, Call call) {
        assertThatThrownBy(() -> as(user, call)).hasMessageContaining(user).hasMessageContaining(message);
    }

    @Test
    void planningNeedsTheRightToRead() throws Exception {
        Call plan = c -> c.plan(dataset.path(), Filter.ALL, null).orElseThrow().files();

        assertRefused("stranger", DENIED, plan);
        assertThat(as("reader", plan)).asList().hasSize(1);
        assertThat(as("owner", plan)).asList().hasSize(1);
    }

    @Test
    void describingNeedsTheRightToRead() throws Exception {
        assertRefused("stranger", DENIED, c -> c.getDataset(dataset.path()));
        assertThat(as("reader", c -> c.getDataset(dataset.path()).path())).isEqualTo(dataset.path());
        assertThat(as("reader", MpsrClient::listDatasets)).asList().hasSize(1);
        assertThat(as("stranger", MpsrClient::listDatasets)).asList().isEmpty();
    }

    @Test
    void committingNeedsTheRightToWrite() throws Exception {
        TestCommit commit = new TestCommit(dataset, 10, 20);
        for (String user : new String[] {"stranger", "reader"}) {
            assertRefused(user, DENIED, c -> c.beginCommit(dataset.path(), "c"));
            assertRefused(user, DENIED, commit::publish);
            assertRefused(user, DENIED, c -> {
                c.abortCommit(dataset.path(), commit.id());
                return true;
            });
        }
        assertThat(as("owner", c -> {
                    try (DistributedFileSystem fs = (DistributedFileSystem)
                            FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                        return commit.stage(c, fs).publish(c).verdict();
                    }
                }))
                .isEqualTo(Verdict.OPEN);
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
        assertRefused("owner", SUPERUSER, c -> c.dropDataset(dataset.path()));
    }

    @Test
    void theStateIsForEverybody() throws Exception {
        assertThat(as("stranger", c -> c.status().getState())).isEqualTo("ready");
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
            assertThatThrownBy(() -> cluster.as("stranger", () -> {
                        try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                            return fs.mkdirs(new Path(path));
                        }
                    }))
                    .as(path)
                    .hasMessageContaining(DENIED);
        }
    }
}
