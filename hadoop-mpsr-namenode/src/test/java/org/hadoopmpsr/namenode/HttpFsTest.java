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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.testing.MiniCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Through HttpFS each user gets what the user gets from the NameNode itself, of the dataset directory and of the store. */
@Tag("long")
class HttpFsTest {
    private static TestCluster cluster;
    private static @Nullable HttpFsServer server;
    private static MpsrClient admin;
    private static final Map<String, UserGroupInformation> USERS = new LinkedHashMap<>();

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        String self = UserGroupInformation.getLoginUser().getShortUserName();
        conf.set("hadoop.proxyuser." + self + ".hosts", "*");
        conf.set("hadoop.proxyuser." + self + ".groups", "*");
        cluster = TestCluster.startOnLocalhost(conf, 3);
        admin = cluster.client();
        server = new HttpFsServer(MiniCluster.directory("httpfs"), cluster.fs().getUri());
        USERS.put("owner", UserGroupInformation.createUserForTesting("owner", new String[] {"owner-group"}));
        USERS.put("member", UserGroupInformation.createUserForTesting("member", new String[] {"team"}));
        USERS.put("stranger", UserGroupInformation.createUserForTesting("stranger", new String[] {"others"}));
        USERS.put("superuser", UserGroupInformation.getLoginUser());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        admin.close();
        cluster.close();
    }

    private interface Call {
        void on(FileSystem fs, Path file) throws IOException;
    }

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("status", FileSystem::getFileStatus);
        calls.put("open", (fs, file) -> {
            try (InputStream in = fs.open(file)) {
                assertThat(in.readNBytes(TestCommit.BYTES)).hasSize(TestCommit.BYTES);
            }
        });
        calls.put("list", (fs, file) -> fs.listStatus(file.getParent()));
        calls.put("summary", (fs, file) -> fs.getContentSummary(file.getParent()));
        calls.put("checksum", FileSystem::getFileChecksum);
        calls.put("attributes", FileSystem::getXAttrs);
        calls.put("setReplication", (fs, file) -> fs.setReplication(file, (short) 3));
        calls.put("setReplication of a directory", (fs, file) -> fs.setReplication(file.getParent(), (short) 3));
        calls.put("setTimes", (fs, file) -> fs.setTimes(file, 1, 1));
        calls.put("setPermission", (fs, file) -> fs.setPermission(file, new FsPermission("644")));
        calls.put("mkdirs", (fs, file) -> fs.mkdirs(new Path(file.getParent(), "made")));
        calls.put(
                "create",
                (fs, file) -> fs.create(new Path(file.getParent(), "written")).close());
        calls.put("append", (fs, file) -> {
            try (OutputStream out = fs.append(file)) {
                out.write(1);
            }
        });
        calls.put("truncate", (fs, file) -> fs.truncate(file, 500));
        calls.put(
                "rename",
                (fs, file) -> assertThat(fs.rename(file, file.suffix("-x"))).isTrue());
        return calls;
    }

    /** A dataset that the owner has, the team may read, and others may not see. */
    private static Dataset dataset(String path) throws Exception {
        Path directory = new Path(path);
        cluster.fs().mkdirs(directory);
        cluster.fs().setOwner(directory, "owner", "team");
        cluster.fs().setPermission(directory, new FsPermission("750"));
        Dataset dataset = admin.createDataset(path, TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(admin, cluster.fs()).publish(admin);
        return dataset;
    }

    /** What comes of all calls by a user on a file of a dataset of its own. */
    private static List<String> outcomes(String user, String group, boolean throughHttpFs) throws Exception {
        Dataset dataset = dataset("/" + user + "/" + group + "/" + (throughHttpFs ? "httpfs" : "direct"));
        Path file = new Path(new TestCommit(dataset, 0, 10).published(group));
        UserGroupInformation caller = USERS.get(user);
        List<String> outcomes = new ArrayList<>();
        try (FileSystem fs = throughHttpFs ? httpFs(caller) : direct(caller)) {
            for (Map.Entry<String, Call> call : calls().entrySet()) {
                outcomes.add(call.getKey() + " "
                        + caller.doAs((PrivilegedExceptionAction<String>)
                                () -> outcome(() -> call.getValue().on(fs, file))));
            }
        }
        return outcomes;
    }

    private static FileSystem httpFs(UserGroupInformation user) throws Exception {
        Configuration conf = new Configuration(cluster.conf());
        conf.set("dfs.namenode.http-address", Objects.requireNonNull(server).address());
        return WebHdfsTestUtil.getWebHdfsFileSystemAs(user, conf, "webhdfs");
    }

    private static FileSystem direct(UserGroupInformation user) throws Exception {
        return user.doAs((PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(cluster.fs().getUri(), cluster.conf()));
    }

    private interface Attempt {
        void run() throws IOException;
    }

    private static String outcome(Attempt attempt) {
        try {
            attempt.run();
            return "is done";
        } catch (AccessControlException e) {
            return "is denied";
        } catch (FileNotFoundException e) {
            return "finds nothing";
        } catch (IOException e) {
            return "fails";
        }
    }

    @Test
    void eachCallDoesWhatItDoesOnTheNameNode() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (String user : USERS.keySet()) {
            for (String group : new String[] {"time", "signal"}) {
                List<String> direct = outcomes(user, group, false);
                List<String> through = outcomes(user, group, true);
                for (int i = 0; i < direct.size(); i++) {
                    if (!direct.get(i).equals(through.get(i))) {
                        wrong.add(user + ", group " + group + ": " + direct.get(i) + ", through HttpFS "
                                + through.get(i));
                    }
                }
                String opened = user.equals("stranger") ? "open is denied" : "open is done";
                assertThat(direct).as("%s, group %s", user, group).contains(opened);
                if (group.equals("signal")) {
                    assertThat(direct).contains("append is denied", "create is denied", "setTimes is denied");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }
}
