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
package org.hadoopmpsr.mount.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.HdfsCommitTarget;
import org.hadoopmpsr.mount.fuse.Entry;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.Operations;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The groups of a dataset in the view. */
class GroupsTest {
    private static final Schema SCHEMA =
            Schema.parse("system string, device string, signal string, timestamp_ns timestamp_ns, value double");
    private static final long ROOT = Operations.ROOT;

    private static MiniDFSCluster cluster;
    private static Dataset dataset;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = MiniCluster.stock();
        MiniCluster.addThreeGroups(conf);
        cluster = MiniCluster.start(MiniCluster.builder(conf, 3, 3).hosts(MiniCluster.hosts(3)));
        try (MpsrClient client = MpsrClient.create(conf(), cluster.getURI())) {
            client.createDataset("/cals/meas", SCHEMA);
            commit();
            dataset = client.getDataset("/cals/meas");
        }
    }

    @AfterAll
    static void stop() {
        cluster.shutdown();
    }

    private static Configuration conf() {
        return new Configuration(cluster.getConfiguration(0));
    }

    private static void commit() throws Exception {
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        CommitSource source = new CommitSource("t", 0, 0, 100);
        try (HdfsCommitTarget target = HdfsCommitTarget.open(conf(), cluster.getURI(), "/cals/meas");
                CommitStager stager = new CommitStager(target, target.dataset().writtenGroups(), 2)) {
            RecordAppender appender =
                    new RecordAppender(buffer, target.dataset().writtenGroups());
            for (int i = 0; i < 100; i++) {
                appender.begin();
                for (int column = 0; column < 3; column++) {
                    byte[] text = ("x" + i % (3 + column)).getBytes(StandardCharsets.UTF_8);
                    appender.putUtf8(column, text, 0, text.length);
                }
                appender.putLong(3, i * 20_000_000_000_000L);
                appender.putDouble(4, i);
                appender.end(0);
            }
            PublishResult result = target.publish(
                    source.text(),
                    List.of(source),
                    stager.stage(
                                    buffer,
                                    source.text(),
                                    target.begin(source.text()).require())
                            .files());
            assertThat(result.outcome()).isEqualTo(PublishResult.Outcome.COMMITTED);
        }
    }

    private static HdfsView open(boolean writable) throws IOException {
        return Connected.to(conf(), cluster.getURI()).view("/", writable);
    }

    private static Entry find(HdfsView view, String path) throws IOException {
        Entry found = null;
        for (String name : path.substring(1).split("/", -1)) {
            found = view.lookup(found == null ? ROOT : found.node(), name);
        }
        return found;
    }

    /** The files below a directory of HDFS, relative to it. */
    private static List<String> files(String root) throws IOException {
        List<String> files = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> found = cluster.getFileSystem().listFiles(new Path(root), true);
        while (found.hasNext()) {
            files.add(found.next().getPath().toUri().getPath().substring(root.length()));
        }
        return files;
    }

    private static String attribute(HdfsView view, String path, String name) throws IOException {
        return new String(view.extendedAttribute(find(view, path).node(), name), StandardCharsets.UTF_8);
    }

    @Test
    void eachGroupsFilesAreReadBelowItsName() throws Exception {
        try (HdfsView view = open(false)) {
            for (Dataset.Representation group : dataset.representations()) {
                String directory = "/cals/meas/.groups/" + group.group();
                assertThat(files(group.root())).isNotEmpty();
                for (String file : files(group.root())) {
                    FileStatus status = cluster.getFileSystem().getFileStatus(new Path(group.root() + file));
                    Entry entry = find(view, directory + file);
                    assertThat(entry.attributes().size()).isEqualTo(status.getLen());
                    long handle = view.open(entry.node(), 0).handle();
                    ByteBuffer bytes = ByteBuffer.allocate((int) status.getLen());
                    view.read(handle, 0, bytes, false);
                    view.release(handle);
                    try (var in = cluster.getFileSystem().open(status.getPath())) {
                        assertThat(bytes.array()).isEqualTo(in.readAllBytes());
                    }
                    assertThat(attribute(view, directory + file, "user.mpsr.group"))
                            .isEqualTo(group.group());
                    assertThat(attribute(view, directory + file, "user.mpsr.dataset"))
                            .isEqualTo("/cals/meas");
                    assertThat(attribute(view, directory + file, "user.mpsr.locations"))
                            .matches("0 " + status.getLen() + " dn\\d\\.test\n");
                    assertThat(view.extendedAttributes(entry.node())).contains("user.mpsr.group", "user.mpsr.dataset");
                }
            }
        }
    }

    /** Copies of a group lie on the group's nodes, and the mount tells which these are. */
    @Test
    void groupsLieOnHostsOfTheirOwn() throws Exception {
        try (HdfsView view = open(false)) {
            List<String> hosts = new ArrayList<>();
            for (Dataset.Representation group : dataset.representations()) {
                String file = files(group.root()).get(0);
                String directory = "/cals/meas/.groups/" + group.group() + file.substring(0, file.lastIndexOf('/'));
                hosts.add(attribute(view, directory, "user.mpsr.hosts").split(" ", 2)[0]);
                assertThat(attribute(view, directory, "user.mpsr.assignment"))
                        .contains(hosts.get(hosts.size() - 1) + " " + file.substring(file.lastIndexOf('/') + 1) + "\n");
            }
            assertThat(hosts).doesNotHaveDuplicates().hasSize(3);
        }
    }

    @Test
    void theDirectoryOfGroupsIsFoundAndNotListed() throws Exception {
        try (HdfsView view = open(false);
                Connected hdfs = Connected.to(conf(), cluster.getURI())) {
            NodeTable nodes = new NodeTable("/cals/meas", 1);
            Node top = nodes.get(ROOT);
            Directories directories = new Directories(hdfs.store(), nodes, hdfs.datasets());
            OpenDirectory.Listed groups = directories.find(top, ".groups");
            List<String> names = new ArrayList<>();
            RemoteIterator<OpenDirectory.Listed> listed = directories.list(nodes.enter(top, ".groups", groups.place()));
            while (listed.hasNext()) {
                names.add(listed.next().name());
            }
            assertThat(names).containsExactlyInAnyOrder("time", "signal", "device");
            fails(Errno.ENOENT, () -> find(view, "/cals/.groups"));
            fails(Errno.ENOENT, () -> find(view, "/cals/meas/.groups/other"));
            fails(Errno.ENOENT, () -> find(view, "/cals/meas/.groups/time/.groups"));
            assertThat(find(view, "/cals/meas/.groups").attributes().mode() & 0222)
                    .isZero();
            assertThat(find(view, "/cals/meas/.groups").attributes().inode())
                    .isNotEqualTo(find(view, "/cals/meas").attributes().inode());
        }
    }

    @Test
    void groupsAreNotWritten() throws Exception {
        try (HdfsView view = open(true)) {
            String file = files("/cals/meas").get(0);
            long groups = find(view, "/cals/meas/.groups").node();
            long time = find(view, "/cals/meas/.groups/time").node();
            long meas = find(view, "/cals/meas").node();
            fails(Errno.EROFS, () -> view.create(time, "x", 0600, 1));
            fails(Errno.EROFS, () -> view.makeDirectory(groups, "x", 0700));
            fails(Errno.EROFS, () -> view.makeDirectory(meas, ".groups", 0700));
            fails(Errno.EROFS, () -> view.removeDirectory(meas, ".groups"));
            fails(Errno.EROFS, () -> view.rename(meas, ".groups", meas, "x", true));
            fails(
                    Errno.EROFS,
                    () -> view.open(find(view, "/cals/meas/.groups/time" + file).node(), 1));
        }
    }

    /** HDFS decides: whoever may not read all of the dataset directory reads no other group. */
    @Test
    void whoMayNotReadTheDatasetReadsNoGroup() throws Exception {
        Path directory = new Path("/cals/meas");
        UserGroupInformation ann = UserGroupInformation.createUserForTesting("ann", new String[] {"people"});
        String file = dataset.representations().stream()
                .filter(group -> group.group().equals("signal"))
                .findFirst()
                .orElseThrow()
                .root();
        String name = "/cals/meas/.groups/signal" + files(file).get(0);
        ann.doAs((PrivilegedExceptionAction<Void>) () -> {
            try (HdfsView hers = open(false)) {
                assertThat(find(hers, name).attributes().size()).isPositive();
            }
            return null;
        });
        FsPermission before = cluster.getFileSystem().getFileStatus(directory).getPermission();
        cluster.getFileSystem().setPermission(directory, new FsPermission((short) 0700));
        try {
            ann.doAs((PrivilegedExceptionAction<Void>) () -> {
                try (HdfsView hers = open(false)) {
                    assertThatThrownBy(() -> find(hers, name))
                            .satisfies(failure -> assertThat(Errors.of(failure)).isIn(Errno.EACCES, Errno.ENOENT));
                }
                return null;
            });
        } finally {
            cluster.getFileSystem().setPermission(directory, before);
        }
    }

    private static void fails(Errno errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(failure -> assertThat(Errors.of(failure)).isEqualTo(errno));
    }
}
