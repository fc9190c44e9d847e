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

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.OptionsParser;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Copies from and to a dataset by distcp, each as another user: what comes of it is what comes of a plain directory with
 * equal rights. The store can be read by whoever may read the dataset, and written by nobody. distcp tries for seconds what
 * is refused; the users therefore copy at the same time, each from and to directories of its own.
 */
@Tag("long")
class DistCpTest {
    private static final String[][] OPTIONS = {{}, {"-p"}, {"-update"}};
    private static final String[] UPDATE = {"-update"};
    private static final String MORE = "/more";
    private static final String DONE = "done";

    private static TestCluster cluster;
    private static DistributedFileSystem fs;
    private static MpsrClient admin;
    private static ExecutorService threads;
    private static final Map<String, UserGroupInformation> USERS = new ConcurrentHashMap<>();
    private static final AtomicInteger COPIES = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.startOnLocalhost(TestCluster.threeGroups(), 3);
        fs = cluster.fs();
        admin = cluster.client();
        threads = Executors.newCachedThreadPool();
        user("owner", "team");
        user("member", "team");
        user("stranger", "stranger-group");
        USERS.put("superuser", UserGroupInformation.getLoginUser());
        fs.mkdirs(new Path("/out"));
        fs.setPermission(new Path("/out"), new FsPermission("777"));
        Directories.directory(MORE);
        fs.setPermission(new Path(MORE), new FsPermission("755"));
        asOwner((own, client) -> TestCluster.write(own, MORE + "/day=2014-06-01/x.parquet", 2_000));
    }

    private static void user(String name, String group) {
        USERS.put(name, UserGroupInformation.createUserForTesting(name, new String[] {group}));
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        admin.close();
        cluster.close();
    }

    private interface Action {
        void with(DistributedFileSystem own, MpsrClient client) throws Exception;
    }

    private static void asOwner(Action action) throws Exception {
        USERS.get("owner").doAs((PrivilegedExceptionAction<Void>) () -> {
            try (DistributedFileSystem own =
                            (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), cluster.conf());
                    MpsrClient client = cluster.client()) {
                action.with(own, client);
            }
            return null;
        });
    }

    /** A dataset and a plain directory that both belong to the owner and are open to the team, with one file each. */
    private record Directories(Dataset dataset, String plain) {
        static Directories create(String parent) throws Exception {
            directory(parent + "/meas");
            Dataset dataset = admin.createDataset(parent + "/meas", TestCluster.SCHEMA);
            TestCommit commit = new TestCommit(dataset, 0, 10);
            String plain = parent + "/plain/meas";
            directory(plain);
            asOwner((own, client) -> {
                commit.stage(client, own).publish(client);
                TestCluster.write(own, plain + "/" + commit.file("time").relativePath(), TestCommit.BYTES);
            });
            return new Directories(dataset, plain);
        }

        private static void directory(String path) throws Exception {
            fs.mkdirs(new Path(path));
            fs.setOwner(new Path(path), "owner", "team");
            fs.setPermission(new Path(path), new FsPermission("750"));
        }

        String path() {
            return dataset.path();
        }

        String stored() {
            return "/.mpsr/datasets/" + dataset.id() + "/signal";
        }
    }

    /** Copies. Returns {@link #DONE}, or the class of the error. */
    private static String copy(String user, String[] options, String from, String to) throws Exception {
        Configuration conf = new Configuration(cluster.conf());
        conf.set("fs.defaultFS", fs.getUri().toString());
        conf.set("mapreduce.framework.name", "local");
        conf.setInt("mapreduce.client.completion.pollinterval", 10);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
        String local = MiniCluster.directory("distcp").toString();
        conf.set("hadoop.tmp.dir", local);
        conf.set("mapreduce.jobtracker.staging.root.dir", local + "/staging");
        List<String> args = new ArrayList<>(List.of(options));
        args.add(from);
        args.add(to);
        return USERS.get(user).doAs((PrivilegedExceptionAction<String>) () -> {
            try {
                new DistCp(conf, OptionsParser.parse(args.toArray(new String[0]))).execute();
                return DONE;
            } catch (IOException e) {
                return e.getClass().getSimpleName();
            }
        });
    }

    /** The files below a path, and their lengths. */
    private static List<String> files(String root) throws Exception {
        List<String> files = new ArrayList<>();
        if (fs.exists(new Path(root))) {
            RemoteIterator<LocatedFileStatus> all = fs.listFiles(new Path(root), true);
            while (all.hasNext()) {
                LocatedFileStatus file = all.next();
                files.add(file.getPath().toUri().getPath().substring(root.length()) + " " + file.getLen());
            }
        }
        files.sort(null);
        return files;
    }

    private static String out() {
        return "/out/" + COPIES.incrementAndGet();
    }

    @Test
    void eachUserCopiesAsFromAndToAPlainDirectory() throws Exception {
        List<Future<Void>> all = new ArrayList<>();
        for (String user : USERS.keySet()) {
            all.add(threads.submit(() -> {
                Directories at = Directories.create("/" + user);
                checkCopiesOf(at, user);
                checkCopiesTo(at, user);
                checkStore(at, user);
                return null;
            }));
        }
        all.add(threads.submit(() -> {
            checkWholeDirectory(Directories.create("/whole"));
            return null;
        }));
        for (Future<Void> one : all) {
            one.get();
        }
    }

    private static void checkCopiesOf(Directories at, String user) throws Exception {
        for (String[] options : OPTIONS) {
            String plain = out();
            String copied = out();
            assertThat(copy(user, options, at.path(), copied))
                    .as("%s, distcp %s", user, List.of(options))
                    .isEqualTo(copy(user, options, at.plain(), plain));
            assertThat(files(copied))
                    .as("%s, distcp %s", user, List.of(options))
                    .isEqualTo(files(plain))
                    .hasSize(user.equals("stranger") ? 0 : 1);
        }
    }

    private static void checkCopiesTo(Directories at, String user) throws Exception {
        if (!user.equals("owner") && !user.equals("superuser")) {
            assertThat(copy(user, UPDATE, MORE, at.path())).as(user).isNotEqualTo(DONE);
            assertThat(files(at.path())).as(user).hasSize(1);
            return;
        }
        for (String[] options : OPTIONS) {
            assertThat(copy(user, options, MORE, at.path()))
                    .as("%s, distcp %s", user, List.of(options))
                    .isEqualTo(copy(user, options, MORE, at.plain()));
            assertThat(files(at.path()))
                    .as("%s, distcp %s", user, List.of(options))
                    .isEqualTo(files(at.plain()))
                    .hasSize(2);
            assertThat(cluster.groupsBelow(at.path())).containsExactly("time");
            for (String root : new String[] {at.path(), at.plain()}) {
                fs.delete(new Path(root + MORE), true);
                fs.delete(new Path(root + "/day=2014-06-01"), true);
            }
        }
    }

    private static void checkStore(Directories at, String user) throws Exception {
        List<String> stored = files(at.stored());
        boolean reads = !user.equals("stranger");
        String copied = out();
        assertThat(copy(user, UPDATE, at.stored(), copied).equals(DONE))
                .as(user)
                .isEqualTo(reads);
        assertThat(files(copied)).as(user).isEqualTo(reads ? stored : List.of());
        assertThat(copy(user, UPDATE, MORE, at.stored())).as(user).isNotEqualTo(DONE);
        assertThat(files(at.stored())).hasSize(1).isEqualTo(stored);
    }

    /** distcp writes a file beside the target's directory then, and renames it. */
    private static void checkWholeDirectory(Directories at) throws Exception {
        String whole = "/backup" + at.path();
        TestCluster.write(fs, whole + "/day=2014-06-02/x.parquet", 2_000);
        List<String> before = files(at.path());

        assertThat(copy("superuser", UPDATE, "/backup/whole", "/whole")).isNotEqualTo(DONE);
        assertThat(files(at.path())).isEqualTo(before);
        assertThat(copy("superuser", new String[] {"-update", "-direct"}, "/backup/whole", "/whole"))
                .isEqualTo(DONE);
        assertThat(files(at.path())).contains("/day=2014-06-02/x.parquet 2000");
        assertThat(cluster.groupsBelow(at.path())).containsExactly("time");
    }
}
