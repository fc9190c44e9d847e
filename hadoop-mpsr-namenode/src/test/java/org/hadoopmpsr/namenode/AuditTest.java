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

import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.TestCluster.Call;
import org.hadoopmpsr.namenode.calls.AuditedCalls;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every call leaves a line in HDFS's audit log, and a refused one the line of its refusal. */
class AuditTest {
    private static final String PATH = "/audit/meas";

    private static TestCluster cluster;
    private static MpsrClient admin;
    private static String self;
    private static Dataset dataset;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, AuditLines.class.getName());
        cluster = TestCluster.start(conf, 3, 1);
        admin = cluster.client();
        self = UserGroupInformation.getCurrentUser().getShortUserName();
        Path path = new Path(PATH);
        cluster.fs().mkdirs(path);
        cluster.fs().setOwner(path, "owner", "reader-group");
        cluster.fs().setPermission(path, new FsPermission("750"));
        dataset = admin.createDataset(PATH, TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(admin, cluster.fs()).publish(admin);
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    @BeforeEach
    void clear() {
        AuditLines.clear();
    }

    private static void assertRefused(String user, Call call) {
        assertThatThrownBy(() -> cluster.call(user, call)).hasMessageContaining(user);
    }

    private static String line(boolean allowed, String user, String command, String source, String target) {
        return "allowed=" + allowed + " ugi=" + user + " ip=true cmd=" + command + " src=" + source + " dst=" + target;
    }

    @Test
    void readsAreLogged() throws Exception {
        cluster.call("reader", c -> c.plan(PATH, Filter.ALL, "signal"));
        cluster.call("reader", c -> c.getDataset(PATH));
        cluster.call("reader", MpsrClient::listDatasets);
        cluster.call("reader", MpsrClient::status);

        String signal = dataset.representations().stream()
                .filter(r -> r.group().equals("signal"))
                .findFirst()
                .orElseThrow()
                .root();
        assertThat(AuditLines.of("mpsr"))
                .containsExactly(
                        line(true, "reader", "mpsrPlan", PATH, signal),
                        line(true, "reader", "mpsrGetDataset", PATH, "null"),
                        line(true, "reader", "mpsrListDatasets", "null", "null"),
                        line(true, "reader", "mpsrStatus", "null", "null"));
    }

    @Test
    void commitsAreLoggedWithTheirStagingDirectory() throws Exception {
        TestCommit commit = new TestCommit(dataset, 10, 20);
        cluster.call("owner", c -> {
            try (DistributedFileSystem fs =
                    (DistributedFileSystem) FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                return commit.stage(c, fs).publish(c);
            }
        });
        cluster.call("owner", c -> {
            c.abortCommit(PATH, dataset.id(), commit.id());
            return true;
        });

        String staging = "/.mpsr/datasets/" + dataset.id() + "/staging/" + commit.id();
        assertThat(AuditLines.of("mpsr"))
                .containsExactly(
                        line(true, "owner", "mpsrBeginCommit", PATH, staging),
                        line(true, "owner", "mpsrPublish", PATH, "null"),
                        line(true, "owner", "mpsrAbortCommit", PATH, "null"));
    }

    @Test
    void administrationIsLogged() throws Exception {
        admin.createDataset("/audit/other", TestCluster.SCHEMA);
        admin.dropDataset("/audit/other", false);

        assertThat(AuditLines.of("mpsr"))
                .containsExactly(
                        line(true, self, "mpsrCreateDataset", "/audit/other", "null"),
                        line(true, self, "mpsrDropDataset", "/audit/other", "null"));
    }

    @Test
    void refusedCallsAreLoggedOnceAsNotAllowed() {
        TestCommit commit = new TestCommit(dataset, 90, 100);
        assertRefused("stranger", c -> c.plan(PATH, Filter.ALL, null));
        assertRefused("stranger", c -> c.getDataset(PATH));
        assertRefused(
                "reader", c -> c.beginCommit(PATH, dataset.id(), commit.id()).require());
        assertRefused("reader", commit::publish);
        assertRefused("reader", c -> {
            c.abortCommit(PATH, dataset.id(), commit.id());
            return true;
        });
        assertRefused("owner", c -> c.createDataset("/audit/mine", TestCluster.SCHEMA));
        assertRefused("owner", c -> c.dropDataset(PATH, false));
        assertRefused("owner", MpsrClient::statusForMover);

        assertThat(AuditLines.of("mpsr"))
                .containsExactly(
                        line(false, "stranger", "mpsrPlan", PATH, "null"),
                        line(false, "stranger", "mpsrGetDataset", PATH, "null"),
                        line(false, "reader", "mpsrBeginCommit", PATH, "null"),
                        line(false, "reader", "mpsrPublish", PATH, "null"),
                        line(false, "reader", "mpsrAbortCommit", PATH, "null"),
                        line(false, "owner", "mpsrCreateDataset", "/audit/mine", "null"),
                        line(false, "owner", "mpsrDropDataset", PATH, "null"),
                        line(false, "owner", "mpsrStatus", "null", "null"));
    }

    @Test
    void whatFailsForAnotherReasonLeavesNoLine() throws Exception {
        assertThatThrownBy(() -> admin.getDataset("/audit")).hasMessageContaining("/audit is not a dataset");
        assertThat(cluster.call("stranger", c -> c.plan("/audit", Filter.ALL, null)))
                .isEqualTo(java.util.Optional.empty());

        assertThat(AuditLines.of("mpsr")).isEmpty();
    }

    @Test
    void aRefusedRenameIsLoggedAsTheRenameThatItIs() throws Exception {
        cluster.write("/audit/file", 1_000);
        cluster.fs().setPermission(new Path("/audit/file"), new FsPermission("666"));

        assertThatThrownBy(() -> cluster.as("stranger", () -> {
                    try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                        return fs.rename(new Path("/audit/file"), new Path(PATH + "/in/file"));
                    }
                }))
                .hasMessageContaining("Permission denied: user=stranger")
                .hasMessageNotContaining("copies");
        assertThat(AuditLines.of("rename"))
                .containsExactly(line(false, "stranger", "rename", "/audit/file", PATH + "/in/file"));
    }

    @Test
    void everyCallIsInTheTableOfTheDocs() throws Exception {
        String docs = Files.readString(java.nio.file.Path.of("../docs/security.md"));
        List<String> commands = MpsrProtocolService.getDescriptor().getMethods().stream()
                .map(AuditedCalls::command)
                .toList();

        assertThat(commands)
                .hasSizeGreaterThan(8)
                .allSatisfy(c -> assertThat(docs)
                        .contains("| `" + c.substring(4, 5).toLowerCase(java.util.Locale.ROOT) + c.substring(5) + "` |")
                        .contains("`" + c + "`"));
    }
}
