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

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.LeaseRequest.DatasetRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.namenode.RightsReader.Target;
import org.hadoopmpsr.namenode.RightsReader.Way;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who may read the dataset directory reads the other groups, and nobody else: each way to lose or gain rights, for each
 * user and each way to read, before and after a further publish. What HDFS answers for the dataset directory is right.
 */
class RightsMatrixTest {
    private static final Set<Way> ALL = EnumSet.allOf(Way.class);

    private static TestCluster cluster;
    private static DistributedFileSystem fs;
    private static MpsrClient admin;
    private static FileContext links;
    private static ExecutorService threads;
    private static final List<RightsReader> READERS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        FileSystem.enableSymlinks();
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("fs.trash.interval", 60);
        cluster = TestCluster.startOnLocalhost(conf, 3);
        fs = cluster.fs();
        admin = cluster.client();
        links = FileContext.getFileContext(fs.getUri(), cluster.conf());
        READERS.add(reader("owner", "owner-group"));
        READERS.add(reader("member", "team"));
        READERS.add(reader("named", "named-group"));
        READERS.add(reader("stranger", "stranger-group"));
        READERS.add(new RightsReader(cluster, UserGroupInformation.getLoginUser()));
        threads = Executors.newFixedThreadPool(READERS.size());
    }

    private static RightsReader reader(String name, String group) throws Exception {
        return new RightsReader(cluster, UserGroupInformation.createUserForTesting(name, new String[] {group}));
    }

    @AfterAll
    static void stop() throws Exception {
        threads.shutdownNow();
        for (RightsReader reader : READERS) {
            reader.close();
        }
        admin.close();
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void whoReadsTheDatasetReadsTheOtherGroups(RightsWay way) throws Exception {
        Path path = new Path("/" + way.name().toLowerCase(Locale.ROOT) + "/open/meas");
        fs.mkdirs(path);
        fs.setOwner(path, "owner", "team");
        fs.setPermission(path, new FsPermission("750"));
        Dataset dataset = admin.createDataset(path.toString(), TestCluster.SCHEMA);
        TestCommit replaced = new TestCommit(dataset, 0, 10).stage(admin, fs);
        replaced.publish(admin);
        TestRewrite.of(dataset, "m1", replaced).stage(admin, fs).publish(admin);
        TestCommit before = new TestCommit(dataset, 10, 20).stage(admin, fs);
        before.publish(admin);
        DatasetRun run = new DatasetRun(dataset.id(), MaintenanceRun.started("compact", 1));
        admin.maintain(new LeaseRequest("a", 60_000, false, false, List.of(run)));
        Target target = target(way, dataset, before, "signal");
        String store = "/.mpsr/datasets/" + dataset.id();
        String kept = store + "/replaced/m1/signal";
        Target old = target(
                way + "-replaced", kept, kept + "/" + replaced.file("signal").relativePath());
        // what a plan learned must not outlive the change
        each(reader -> {
            reader.isPlanned(dataset.path(), null);
            return List.of();
        });

        String now = way.go(admin, fs, dataset, before);

        List<String> wrong = new ArrayList<>(compare(way, now, target, ALL));
        compare(way, now, old, ALL).forEach(cell -> wrong.add("of a replaced file: " + cell));
        if (way.leavesADataset() && now != null) {
            // by the path that it had
            Target formerly =
                    new Target(old.root(), new Path(replaced.published("signal")), old.byNumber(), old.link());
            compare(way, now, formerly, EnumSet.of(Way.OPEN, Way.STATUS, Way.BLOCK_LOCATIONS))
                    .forEach(cell -> wrong.add("of a replaced file by its old path: " + cell));
            TestCommit after = new TestCommit(dataset, 20, 30).stage(admin, now, fs);
            after.publish(admin, now);
            compare(way, now, target, EnumSet.of(Way.OPEN, Way.LIST))
                    .forEach(cell -> wrong.add("after a publish: " + cell));
            compare(way, now, target(way, dataset, after, "device"), ALL)
                    .forEach(cell -> wrong.add("of a publish after it: " + cell));
        }
        assertThat(wrong).isEmpty();
    }

    private static Target target(RightsWay way, Dataset dataset, TestCommit commit, String group) throws Exception {
        return target(way + "-" + group, "/.mpsr/datasets/" + dataset.id() + "/" + group, commit.published(group));
    }

    private static Target target(String name, String root, String path) throws Exception {
        Path file = new Path(path);
        Path link = new Path("/links/" + name);
        links.createSymlink(file, link, true);
        return new Target(
                new Path(root),
                file,
                new Path("/.reserved/.inodes/"
                        + fs.getClient().getFileInfo(file.toUri().getPath()).getFileId()),
                link);
    }

    private interface Look {
        List<String> of(RightsReader reader) throws Exception;
    }

    /** What all readers see, each in a thread of its own. */
    private static List<String> each(Look look) throws Exception {
        List<Callable<List<String>>> looks = new ArrayList<>();
        READERS.forEach(reader -> looks.add(() -> look.of(reader)));
        List<String> seen = new ArrayList<>();
        for (Future<List<String>> one : threads.invokeAll(looks)) {
            seen.addAll(one.get());
        }
        return seen;
    }

    /** The cells that differ. */
    private static List<String> compare(RightsWay way, @Nullable String path, Target target, Set<Way> reads)
            throws Exception {
        return each(reader -> {
            boolean stock = reader.readsAllOf(path);
            List<String> wrong = new ArrayList<>();
            for (Way read : reads) {
                if (reader.reads(read, target) != stock) {
                    wrong.add(read + " of " + target.file());
                }
            }
            if (way.leavesADataset() && path != null) {
                if (reader.isDescribed(path) != stock) {
                    wrong.add("description");
                }
                for (String group : new String[] {null, "time"}) {
                    if (reader.isPlanned(path, group) != stock) {
                        wrong.add("plan of group " + group);
                    }
                }
            }
            return wrong.stream()
                    .map(cell ->
                            way + ", " + reader + ", " + cell + ": HDFS says " + stock + " for the dataset directory")
                    .toList();
        });
    }
}
