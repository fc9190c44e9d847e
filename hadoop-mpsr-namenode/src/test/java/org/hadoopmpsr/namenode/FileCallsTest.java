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

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every call of HDFS that changes a file or a directory, over RPC and over WebHDFS, by a superuser: what comes of it is as
 * docs/semantics.md says, and over both ways the same.
 */
class FileCallsTest {
    private static final String REFUSED = "refused";
    /** HDFS itself does not do this to such a path. */
    private static final String FAILED = "failed";
    /** It is done, and the group is read as before. */
    private static final String KEPT = "kept";
    /** It is done, and the dataset is diverged. */
    private static final String FOREIGN = "foreign";
    /** It is done, and the dataset is none any more. */
    private static final String GONE = "gone";

    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem rpc;
    private static WebHdfsFileSystem web;
    private static int datasets;
    private static int names;

    private final Map<String, Call> calls = new LinkedHashMap<>();
    private final Map<String, List<String>> expected = new LinkedHashMap<>();
    private Dataset dataset;
    private TestCommit commit;

    @BeforeAll
    static void start() throws Exception {
        FileSystem.enableSymlinks();
        cluster = TestCluster.startOnLocalhost(TestCluster.threeGroups(), 3);
        client = cluster.client();
        rpc = cluster.fs();
        rpc.enableErasureCodingPolicy("XOR-2-1-1024k");
        web = WebHdfsTestUtil.getWebHdfsFileSystem(cluster.mini().getConfiguration(0), "webhdfs");
    }

    @AfterAll
    static void stop() throws Exception {
        web.close();
        client.close();
        cluster.close();
    }

    /** A call on a path. */
    private interface Call {
        void on(FileSystem fs, Path path) throws Exception;
    }

    /** @param outcomes in the store; on a file, a directory and the root of the default group */
    private void call(String name, Call call, String... outcomes) {
        calls.put(name, call);
        expected.put(name, List.of(outcomes));
    }

    private void calls() {
        List<AclEntry> acl = AclEntry.parseAclSpec("user::rwx,group::r-x,other::r-x,user:somebody:rwx", true);
        List<AclEntry> entry = AclEntry.parseAclSpec("user:somebody:rwx", true);
        call("overwrite", (fs, path) -> fs.create(path, true).close(), REFUSED, FOREIGN, FAILED, FAILED);
        call("append", FileCallsTest::append, REFUSED, FOREIGN, FAILED, FAILED);
        call("truncate", (fs, path) -> fs.truncate(path, 500), REFUSED, FOREIGN, FAILED, FAILED);
        call("concat", FileCallsTest::concat, REFUSED, FOREIGN, FAILED, FAILED);
        call("setTimes", (fs, path) -> fs.setTimes(path, 1, 1), REFUSED, FOREIGN, KEPT, KEPT);
        call("setReplication", (fs, path) -> fs.setReplication(path, (short) 2), REFUSED, REFUSED, KEPT, KEPT);
        metadata("setPermission", (fs, path) -> fs.setPermission(path, new FsPermission("750")));
        metadata("setOwner", (fs, path) -> fs.setOwner(path, "somebody", "some"));
        metadata("modifyAcl", (fs, path) -> fs.modifyAclEntries(path, entry));
        metadata("removeAclEntries", (fs, path) -> fs.removeAclEntries(path, AclEntry.parseAclSpec("user:a", false)));
        metadata("removeDefaultAcl", FileSystem::removeDefaultAcl);
        metadata("setAcl", (fs, path) -> fs.setAcl(path, acl));
        metadata("removeAcl", FileSystem::removeAcl);
        metadata("setXAttr", (fs, path) -> fs.setXAttr(path, "user.a", new byte[1]));
        metadata("removeXAttr", FileCallsTest::removeXAttr);
        call("setStoragePolicy", (fs, path) -> fs.setStoragePolicy(path, "HOT"), KEPT, KEPT, KEPT, KEPT);
        call("unsetStoragePolicy", FileSystem::unsetStoragePolicy, KEPT, KEPT, KEPT, KEPT);
        call("setErasureCoding", FileCallsTest::setErasureCodingPolicy, REFUSED, FAILED, KEPT, KEPT);
        metadata("symlink", (fs, path) -> fs.createSymlink(new Path("/x"), beside(path, "link"), false));
        metadata("mkdirs", (fs, path) -> fs.mkdirs(beside(path, "made")));
        call("snapshot", FileCallsTest::snapshot, REFUSED, FAILED, KEPT, KEPT);
        call("rename", (fs, path) -> fs.rename(path, path.suffix("-renamed")), REFUSED, FOREIGN, FOREIGN, KEPT);
        call("rename with options", FileCallsTest::rename, REFUSED, FOREIGN, FOREIGN, KEPT);
        call("delete", (fs, path) -> fs.delete(path, true), REFUSED, FOREIGN, FOREIGN, GONE);
    }

    private void metadata(String name, Call call) {
        call(name, call, REFUSED, KEPT, KEPT, KEPT);
    }

    private static void append(FileSystem fs, Path path) throws IOException {
        try (FSDataOutputStream out = fs.append(path)) {
            out.write(1);
        }
    }

    private static void removeXAttr(FileSystem fs, Path path) throws IOException {
        if (!path.toString().startsWith("/.")) {
            rpc.setXAttr(path, "user.a", new byte[1]);
        }
        fs.removeXAttr(path, "user.a");
    }

    private static void concat(FileSystem fs, Path path) throws IOException {
        Path more = new Path(path.getParent(), "_more");
        if (!path.toString().startsWith("/.")) {
            cluster.write(more.toString(), 10);
        }
        fs.concat(path, new Path[] {more});
    }

    private static void rename(FileSystem fs, Path path) throws IOException {
        if (fs instanceof DistributedFileSystem dfs) {
            dfs.rename(path, path.suffix("-renamed"), Rename.OVERWRITE);
        } else {
            ((WebHdfsFileSystem) fs).rename(path, path.suffix("-renamed"), Rename.OVERWRITE);
        }
    }

    private static void setErasureCodingPolicy(FileSystem fs, Path path) throws IOException {
        if (fs instanceof DistributedFileSystem dfs) {
            dfs.setErasureCodingPolicy(path, "XOR-2-1-1024k");
        } else {
            ((WebHdfsFileSystem) fs).setErasureCodingPolicy(path, "XOR-2-1-1024k");
        }
    }

    private static void snapshot(FileSystem fs, Path path) throws IOException {
        if (fs instanceof DistributedFileSystem dfs) {
            dfs.allowSnapshot(path);
        } else {
            ((WebHdfsFileSystem) fs).allowSnapshot(path);
        }
        fs.createSnapshot(path, "s");
        fs.deleteSnapshot(path, "s");
        rpc.disallowSnapshot(path);
    }

    /** A new name in a directory, or beside a file. */
    private static Path beside(Path path, String name) throws IOException {
        Path directory = rpc.getFileStatus(path).isDirectory() ? path : path.getParent();
        return new Path(directory, "_" + name + ++names);
    }

    private void publish() throws Exception {
        dataset = client.createDataset("/calls" + ++datasets + "/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, rpc);
        commit.publish(client);
    }

    private static Path number(Path path) throws IOException {
        return new Path("/.reserved/.inodes/"
                + rpc.getClient().getFileInfo(path.toString()).getFileId());
    }

    private String outcome(FileSystem fs, String name, Path path) throws Exception {
        try {
            calls.get(name).on(fs, path);
        } catch (IOException | UnsupportedOperationException e) {
            String message = String.valueOf(e.getMessage());
            return message.contains("MPSR") || message.contains("whose replica group decides it") ? REFUSED : FAILED;
        }
        if (fs == web && !name.equals("delete")) {
            await().until(() -> !state().equals(GONE)); // the answer may come before the NameNode has taken note
        }
        return state();
    }

    private String state() throws Exception {
        Optional<Dataset> now = client.listDatasets().stream()
                .filter(d -> d.id().equals(dataset.id()))
                .findFirst();
        if (now.isEmpty()) {
            return GONE;
        }
        return client.plan(now.get().path(), Filter.ALL, null).orElseThrow().stock() ? FOREIGN : KEPT;
    }

    /** Runs a call on a path of a dataset that is as published, over each way. */
    private List<String> outcomes(String name, String place) throws Exception {
        List<String> outcomes = new ArrayList<>();
        for (FileSystem fs : new FileSystem[] {rpc, web}) {
            boolean moves = name.startsWith("rename") || name.equals("delete");
            if (dataset == null || moves || !state().equals(KEPT)) {
                publish();
            }
            outcomes.add(outcome(fs, name, path(place)));
        }
        return outcomes;
    }

    private Path path(String place) throws IOException {
        Path stored = new Path(commit.published("signal"));
        Path file = new Path(commit.published("time"));
        return switch (place) {
            case "a file of the store" -> stored;
            case "a directory of the store" -> stored.getParent();
            case "a file of the store by its number" -> number(stored);
            case "a file" -> file;
            case "a file by its number" -> number(file);
            case "a directory" -> file.getParent();
            default ->
                new Path(client.listDatasets().stream()
                        .filter(d -> d.id().equals(dataset.id()))
                        .findFirst()
                        .orElseThrow()
                        .path());
        };
    }

    @Test
    void everyCallHasTheOutcomeThatTheDocumentsSayOverBothWays() throws Exception {
        calls();
        Map<String, Integer> places = new LinkedHashMap<>();
        places.put("a file of the store", 0);
        places.put("a directory of the store", 0);
        places.put("a file", 1);
        places.put("a directory", 2);
        places.put("the root", 3);
        for (String name : calls.keySet()) {
            for (Map.Entry<String, Integer> place : places.entrySet()) {
                String outcome = expected.get(name).get(place.getValue());
                assertThat(outcomes(name, place.getKey()))
                        .as(name + " on " + place.getKey() + " over RPC, over WebHDFS")
                        .containsExactly(outcome, outcome);
            }
        }
    }

    /** Names that end in a number are no names for new files, so that not every call can be made. */
    @Test
    void aFilesNumberIsNoWayAround() throws Exception {
        calls();
        for (String name : List.of("append", "truncate", "setTimes", "setReplication", "setPermission", "setAcl")) {
            assertThat(outcomes(name, "a file of the store by its number"))
                    .as(name)
                    .containsExactly(REFUSED, REFUSED);
            String outcome = expected.get(name).get(1);
            assertThat(outcomes(name, "a file by its number")).as(name).containsExactly(outcome, outcome);
        }
    }
}
