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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hadoopmpsr.mount.fuse.AttributeChange;
import org.hadoopmpsr.mount.fuse.Attributes;
import org.hadoopmpsr.mount.fuse.Entry;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.Opened;
import org.hadoopmpsr.mount.fuse.Operations;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The view on a mini cluster, without a kernel. */
class HdfsViewTest {
    private static final int WRITE = 1;
    private static final int READ_WRITE = 2;
    private static final int TRUNCATE = 01000;
    private static final int APPEND = 02000;
    private static final int EXCLUSIVE = 0200;
    private static final long ROOT = Operations.ROOT;

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem fs;

    private HdfsView view;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniCluster.start(MiniCluster.builder(MiniCluster.stock(), 3, 3));
        fs = cluster.getFileSystem();
    }

    @AfterAll
    static void stop() throws IOException {
        fs.close();
        cluster.shutdown();
    }

    @BeforeEach
    void view() throws Exception {
        fs.mkdirs(new Path("/m"));
        view = open(true);
    }

    private static HdfsView open(boolean writable) throws IOException {
        return Connected.to(new Configuration(cluster.getConfiguration(0)), cluster.getURI())
                .view("/m", writable);
    }

    @AfterEach
    void close() throws Exception {
        view.close();
        fs.delete(new Path("/m"), true);
    }

    private static void fails(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(failure -> assertThat(Errors.of(failure)).isEqualTo(errno));
    }

    private byte[] written(String name, int size, Random random) throws IOException {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        try (FSDataOutputStream out = fs.create(new Path("/m/" + name), true, 4096, (short) 2, 1 << 20)) {
            out.write(bytes);
        }
        return bytes;
    }

    private byte[] read(long handle, long offset, int size, boolean inSequence) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(size);
        view.read(handle, offset, into, inSequence);
        into.flip();
        byte[] bytes = new byte[into.remaining()];
        into.get(bytes);
        return bytes;
    }

    private void write(long handle, long offset, String text) throws IOException {
        view.write(handle, offset, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String content(String name) throws IOException {
        try (var in = fs.open(new Path("/m/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Operations.Created created(String name) throws IOException {
        return view.create(ROOT, name, 0640, WRITE);
    }

    private static AttributeChange size(long size) {
        return new AttributeChange(0, size, null, null, null, null, null);
    }

    /** As fsx reads: places and lengths that nobody expects, in sequence and not. */
    @Test
    void randomReadsAreRight() throws Exception {
        long seed = Long.getLong("mpsr.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] bytes = written("f", 5_000_000 + random.nextInt(100_000), random);
        long handle = view.open(view.lookup(ROOT, "f").node(), 0).handle();
        long next = 0;
        for (int i = 0; i < 2_000; i++) {
            long offset = random.nextInt(4) > 0 ? next : random.nextInt(bytes.length + 10_000);
            int size = 1 + random.nextInt(random.nextInt(10) == 0 ? 400_000 : 5_000);
            boolean inSequence = view.order(handle, offset, size, Runnable::run) != null;
            int from = (int) Math.min(offset, bytes.length);
            assertThat(Arrays.equals(
                            read(handle, offset, size, inSequence),
                            Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size))))
                    .as("%d bytes at %d; replay with -Dmpsr.seed=%d, read %d", size, offset, seed, i)
                    .isTrue();
            next = offset + size > bytes.length ? 0 : offset + size;
        }
        view.release(handle);
        fails(Errno.EBADF, () -> read(handle, 0, 1, false));
    }

    @Test
    void readsInSequenceWaitForEachOther() throws Exception {
        written("f", 1_000, new Random(1));
        long handle = view.open(view.lookup(ROOT, "f").node(), 0).handle();
        assertThat(view.order(handle, 0, 131_072, Runnable::run))
                .as("the first read")
                .isNull();
        assertThat(view.order(handle, 131_072, 131_072, Runnable::run)).isNotNull();
        assertThat(view.order(handle, 262_144, 131_072, Runnable::run)).isNotNull();
        assertThat(view.order(handle, 1_000, 10, Runnable::run)).as("elsewhere").isNull();
        assertThat(view.order(99, 0, 10, Runnable::run)).as("no such handle").isNull();
    }

    @Test
    void theKernelKeepsBytesOfTheSameFileOnly() throws Exception {
        written("f", 1_000, new Random(1));
        long node = view.lookup(ROOT, "f").node();
        assertThat(view.open(node, 0).cache()).isEqualTo(Opened.Cache.RENEW);
        assertThat(view.open(node, 0).cache()).isEqualTo(Opened.Cache.KEEP);
        try (FSDataOutputStream out = fs.append(new Path("/m/f"))) {
            out.write(1);
        }
        assertThat(view.open(node, 0).cache()).isEqualTo(Opened.Cache.RENEW);
        written("f", 1_000, new Random(2));
        fails(Errno.ESTALE, () -> view.open(node, 0));
        assertThat(view.lookup(ROOT, "f").node()).isNotEqualTo(node);
    }

    @Test
    void aDeletedFileThatIsOpenHasItsAttributes() throws Exception {
        byte[] bytes = written("f", 1_000, new Random(1));
        long node = view.lookup(ROOT, "f").node();
        long handle = view.open(node, 0).handle();
        view.unlink(ROOT, "f");
        assertThat(view.attributes(node, handle).size()).isEqualTo(1_000);
        assertThat(read(handle, 0, 2_000, false)).isEqualTo(bytes);
        fails(Errno.ENOENT, () -> view.attributes(node, 0));
    }

    @Test
    void whatAnotherProgramWritesIsReadUpToWhereItHasFlushed() throws Exception {
        try (FSDataOutputStream out = fs.create(new Path("/m/f"))) {
            out.write("abc".getBytes(StandardCharsets.UTF_8));
            out.hflush();
            Opened opened = view.open(view.lookup(ROOT, "f").node(), 0);
            assertThat(opened.cache()).isEqualTo(Opened.Cache.NONE);
            assertThat(read(opened.handle(), 0, 10, false)).asString().isEqualTo("abc");
            out.write("de".getBytes(StandardCharsets.UTF_8));
            out.hflush();
            assertThat(read(opened.handle(), 3, 10, false)).asString().isEqualTo("de");
            assertThat(read(opened.handle(), 5, 10, false)).isEmpty();
        }
    }

    @Test
    void filesAreWrittenInSequence() throws Exception {
        Operations.Created created = created("f");
        long handle = created.opened().handle();
        write(handle, 0, "one,");
        write(handle, 4, "two");
        assertThat(view.lookup(ROOT, "f").attributes().size())
                .as("not flushed yet")
                .isEqualTo(7);
        fails(Errno.EOPNOTSUPP, () -> write(handle, 2, "x"));
        fails(Errno.EOPNOTSUPP, () -> write(handle, 9, "x"));
        view.flush(handle);
        assertThat(content("f")).isEqualTo("one,two");
        write(handle, 7, ".");
        view.sync(handle);
        view.release(handle);
        assertThat(content("f")).isEqualTo("one,two.");
        assertThat(fs.getFileStatus(new Path("/m/f")).getPermission()).isEqualTo(new FsPermission((short) 0640));
        assertThat(fs.isFileClosed(new Path("/m/f"))).isTrue();
        fails(Errno.EEXIST, () -> view.create(ROOT, "f", 0640, WRITE | EXCLUSIVE));
    }

    @Test
    void openFilesOfTheSameFileShareTheWriter() throws Exception {
        long node = created("f").entry().node();
        long first = view.open(node, WRITE | APPEND).handle();
        long second = view.open(node, WRITE | APPEND).handle();
        write(first, 0, "a");
        write(second, 0, "b");
        view.flush(first);
        view.release(first);
        write(second, 77, "c");
        view.release(second);
        long third = view.open(node, WRITE).handle();
        write(third, 3, "d");
        view.release(third);
        assertThat(view.attributes(node, 0).size()).isEqualTo(4);
    }

    @Test
    void whatIsWrittenIsReadThroughTheSameHandle() throws Exception {
        Operations.Created created = view.create(ROOT, "f", 0640, READ_WRITE);
        long handle = created.opened().handle();
        write(handle, 0, "abc");
        assertThat(read(handle, 0, 10, false)).asString().isEqualTo("abc");
        write(handle, 3, "def");
        assertThat(read(handle, 2, 10, false)).asString().isEqualTo("cdef");
        view.release(handle);
    }

    @Test
    void filesAreMadeEmptyAndNotOtherwiseResized() throws Exception {
        written("f", 1_000, new Random(1));
        long node = view.lookup(ROOT, "f").node();
        fails(Errno.EOPNOTSUPP, () -> view.change(node, size(500)));
        fails(Errno.EOPNOTSUPP, () -> view.change(node, size(2_000)));
        assertThat(view.change(node, size(1_000)).size()).isEqualTo(1_000);
        assertThat(view.change(node, size(0)).size()).isZero();
        long handle = view.open(node, WRITE | TRUNCATE).handle();
        write(handle, 0, "new");
        assertThat(view.change(node, size(0)).size()).as("while it is written").isZero();
        write(handle, 0, "newer");
        view.release(handle);
        assertThat(content("f")).isEqualTo("newer");
        assertThat(view.lookup(ROOT, "f").node()).as("the same file").isEqualTo(node);
    }

    @Test
    void timesThatAreSetBeforeCloseStay() throws Exception {
        Operations.Created created = created("f");
        write(created.opened().handle(), 0, "abc");
        AttributeChange times = new AttributeChange(0, null, null, null, null, 1_000_000L, 2_000_000L);
        assertThat(view.change(created.entry().node(), times).modificationTimeMs())
                .isEqualTo(2_000_000);
        view.release(created.opened().handle());
        assertThat(fs.getFileStatus(new Path("/m/f")).getModificationTime()).isEqualTo(2_000_000);
    }

    @Test
    void filesThatAreWrittenCanBeRenamed() throws Exception {
        Operations.Created created = created("f");
        long handle = created.opened().handle();
        write(handle, 0, "abc");
        Entry directory = view.makeDirectory(ROOT, "d", 0750);
        view.rename(ROOT, "f", directory.node(), "g", true);
        write(handle, 3, "def");
        view.release(handle);
        assertThat(content("d/g")).isEqualTo("abcdef");
        assertThat(view.attributes(created.entry().node(), 0).size()).isEqualTo(6);
        fails(Errno.ENOENT, () -> view.lookup(ROOT, "f"));
    }

    /** Another client of HDFS takes the name of a file that is open to be written. */
    @Test
    void writesGoToTheFileThatWasOpened() throws Exception {
        fs.create(new Path("/m/f")).close();
        Entry entry = view.lookup(ROOT, "f");
        Opened opened = view.open(entry.node(), WRITE);
        fs.rename(new Path("/m/f"), new Path("/m/g"));
        fs.create(new Path("/m/f")).close();

        write(opened.handle(), 0, "mine");
        view.release(opened.handle());

        assertThat(content("g")).isEqualTo("mine");
        assertThat(content("f")).isEmpty();
    }

    @Test
    void readersSeeWhatIsAppendedAfterTheyOpened() throws Exception {
        try (FSDataOutputStream out = fs.create(new Path("/m/f"))) {
            out.writeBytes("first");
        }
        Entry entry = view.lookup(ROOT, "f");
        Opened reader = view.open(entry.node(), 0);
        Opened writer = view.open(entry.node(), WRITE | APPEND);

        write(writer.handle(), 0, " second");

        assertThat(new String(read(reader.handle(), 0, 100, false), StandardCharsets.UTF_8))
                .isEqualTo("first second");
        view.release(reader.handle());
        view.release(writer.handle());
    }

    @Test
    void aWriteAfterTouchIsAModification() throws Exception {
        Operations.Created created = created("f");
        write(created.opened().handle(), 0, "a");
        view.change(created.entry().node(), new AttributeChange(0, null, null, null, null, null, 1_000L));
        write(created.opened().handle(), 1, "b");
        view.release(created.opened().handle());

        assertThat(fs.getFileStatus(new Path("/m/f")).getModificationTime()).isGreaterThan(1_000L);
    }

    /** Programs compare numbers of files: cp would call a file and the copy in a snapshot the same one. */
    @Test
    void copiesInSnapshotsAreFilesOfTheirOwnAndStay() throws Exception {
        fs.create(new Path("/m/f")).close();
        fs.allowSnapshot(new Path("/m"));
        fs.createSnapshot(new Path("/m"), "s");
        fs.createSnapshot(new Path("/m"), "t");
        try {
            Entry live = view.lookup(ROOT, "f");
            Entry snapshots = view.lookup(ROOT, ".snapshot");
            Entry s = view.lookup(snapshots.node(), "s");
            Entry t = view.lookup(snapshots.node(), "t");
            Entry ofS = view.lookup(s.node(), "f");
            assertThat(List.of(view.attributes(ROOT, 0), live.attributes(), snapshots.attributes(), s.attributes()))
                    .extracting(Attributes::inode)
                    .doesNotHaveDuplicates()
                    .doesNotContain(ofS.attributes().inode(), t.attributes().inode());
            assertThat(view.lookup(t.node(), "f").attributes().inode())
                    .isNotEqualTo(ofS.attributes().inode());
            assertThat(view.lookup(s.node(), "f").attributes().inode())
                    .isEqualTo(ofS.attributes().inode());

            fails(Errno.EROFS, () -> view.open(ofS.node(), WRITE));
            fails(Errno.EROFS, () -> view.change(ofS.node(), size(0)));
            fails(Errno.EROFS, () -> view.makeDirectory(s.node(), "d", 0755));
            fails(Errno.EROFS, () -> view.unlink(s.node(), "f"));
        } finally {
            fs.deleteSnapshot(new Path("/m"), "s");
            fs.deleteSnapshot(new Path("/m"), "t");
            fs.disallowSnapshot(new Path("/m"));
        }
    }

    @Test
    void anOpenFileIsReadOnWhenNoNameNodeAnswers() throws Exception {
        byte[] bytes = written("f", 3 << 20, new Random(1));
        Configuration conf = new Configuration(cluster.getConfiguration(0));
        conf.setInt("ipc.client.connect.max.retries", 0);
        conf.set("dfs.client.context", "without the connections of others");
        try (HdfsView mounted = Connected.to(conf, cluster.getURI()).view("/m", false)) {
            Entry entry = mounted.lookup(ROOT, "f");
            Opened opened = mounted.open(entry.node(), 0);
            cluster.shutdownNameNode(0);
            try {
                assertThat(mounted.attributes(entry.node(), opened.handle()).size())
                        .isEqualTo(bytes.length);
                fails(Errno.EHOSTDOWN, () -> mounted.attributes(entry.node(), 0));
                ByteBuffer into = ByteBuffer.allocateDirect(bytes.length);
                mounted.read(opened.handle(), 0, into, false);
                assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(bytes));
            } finally {
                cluster.restartNameNode(0);
            }
            mounted.release(opened.handle());
        }
    }

    @Test
    void renamesFollowPosix() throws Exception {
        byte[] a = written("a", 10, new Random(1));
        written("b", 20, new Random(2));
        written("d/x", 1, new Random(3));
        fs.mkdirs(new Path("/m/e"));
        fails(Errno.EEXIST, () -> view.rename(ROOT, "a", ROOT, "b", false));
        fails(Errno.EISDIR, () -> view.rename(ROOT, "a", ROOT, "d", true));
        fails(Errno.ENOTDIR, () -> view.rename(ROOT, "d", ROOT, "a", true));
        fails(Errno.ENOTEMPTY, () -> view.rename(ROOT, "e", ROOT, "d", true));
        fails(Errno.ENOENT, () -> view.rename(ROOT, "none", ROOT, "d", true));
        long d = view.lookup(ROOT, "d").node();
        fails(Errno.EINVAL, () -> view.rename(ROOT, "d", d, "inside", true));
        view.rename(ROOT, "a", ROOT, "b", true);
        assertThat(fs.getFileStatus(new Path("/m/b")).getLen()).isEqualTo(a.length);
        view.rename(ROOT, "d", ROOT, "e", true);
        assertThat(fs.exists(new Path("/m/e/x"))).isTrue();
    }

    @Test
    void directoriesAreMadeAndRemoved() throws Exception {
        Entry directory = view.makeDirectory(ROOT, "d", 01770);
        assertThat(directory.attributes().mode()).isEqualTo(0041770);
        fails(Errno.EEXIST, () -> view.makeDirectory(ROOT, "d", 0700));
        written("d/x", 1, new Random(1));
        fails(Errno.ENOTEMPTY, () -> view.removeDirectory(ROOT, "d"));
        fails(Errno.EISDIR, () -> view.unlink(ROOT, "d"));
        fails(Errno.ENOTDIR, () -> view.removeDirectory(directory.node(), "x"));
        view.unlink(directory.node(), "x");
        view.removeDirectory(ROOT, "d");
        fails(Errno.ENOENT, () -> view.lookup(ROOT, "d"));
        fails(Errno.ENOENT, () -> view.makeDirectory(ROOT, "a:b", 0700));
        fails(Errno.EISDIR, () -> view.open(ROOT, 0));
    }

    @Test
    void aMountToReadChangesNothing() throws Exception {
        written("f", 10, new Random(1));
        try (HdfsView other = open(false)) {
            long node = other.lookup(ROOT, "f").node();
            fails(Errno.EROFS, () -> other.open(node, WRITE));
            fails(Errno.EROFS, () -> other.open(node, TRUNCATE));
            fails(Errno.EROFS, () -> other.create(ROOT, "g", 0600, WRITE));
            fails(Errno.EROFS, () -> other.makeFile(ROOT, "g", 0600));
            fails(Errno.EROFS, () -> other.makeDirectory(ROOT, "g", 0600));
            fails(Errno.EROFS, () -> other.unlink(ROOT, "f"));
            fails(Errno.EROFS, () -> other.removeDirectory(ROOT, "f"));
            fails(Errno.EROFS, () -> other.rename(ROOT, "f", ROOT, "g", true));
            fails(Errno.EROFS, () -> other.change(node, size(0)));
            fails(Errno.EROFS, () -> other.setExtendedAttribute(node, "user.x", new byte[1], 0));
            fails(Errno.EROFS, () -> other.removeExtendedAttribute(node, "user.x"));
            fails(Errno.EROFS, () -> other.access(node, 2));
            other.access(node, 4);
        }
        assertThat(fs.listStatus(new Path("/m"))).hasSize(1);
    }

    @Test
    void attributesOfUsersAreHdfss() throws Exception {
        written("f", 10, new Random(1));
        long node = view.lookup(ROOT, "f").node();
        fails(Errno.ENODATA, () -> view.extendedAttribute(node, "user.x"));
        view.setExtendedAttribute(node, "user.x", new byte[] {1, 2}, 0);
        assertThat(fs.getXAttr(new Path("/m/f"), "user.x")).containsExactly(1, 2);
        assertThat(view.extendedAttribute(node, "user.x")).containsExactly(1, 2);
        assertThat(view.extendedAttributes(node)).contains("user.x", "user.mpsr.locations");
        fails(Errno.EEXIST, () -> view.setExtendedAttribute(node, "user.x", new byte[1], 1));
        fails(Errno.ENODATA, () -> view.setExtendedAttribute(node, "user.y", new byte[1], 2));
        fails(Errno.EPERM, () -> view.setExtendedAttribute(node, "user.mpsr.group", new byte[1], 0));
        fails(Errno.EOPNOTSUPP, () -> view.setExtendedAttribute(node, "trusted.x", new byte[1], 0));
        view.removeExtendedAttribute(node, "user.x");
        fails(Errno.ENODATA, () -> view.removeExtendedAttribute(node, "user.x"));
        fails(Errno.ENODATA, () -> view.extendedAttribute(node, "security.selinux"));
        fails(Errno.ENODATA, () -> view.extendedAttribute(node, "user.mpsr.group"));
        fails(Errno.ENODATA, () -> view.extendedAttribute(node, "user.mpsr.locations.x"));
        assertThat(view.extendedAttribute(node, "user.mpsr.locations.0"))
                .isEqualTo(view.extendedAttribute(node, "user.mpsr.locations"));
    }

    @Test
    void quotasAreTold() throws Exception {
        fs.mkdirs(new Path("/m/q"));
        fs.setQuota(new Path("/m/q"), 2, HdfsConstants.QUOTA_DONT_SET);
        long q = view.lookup(ROOT, "q").node();
        view.release(view.create(q, "a", 0600, WRITE).opened().handle());
        fails(Errno.EDQUOT, () -> view.create(q, "b", 0600, WRITE));
    }

    @Test
    void anotherWriterIsTold() throws Exception {
        try (FSDataOutputStream out = fs.create(new Path("/m/f"))) {
            out.write(1);
            out.hflush();
            long handle =
                    view.open(view.lookup(ROOT, "f").node(), WRITE | APPEND).handle();
            fails(Errno.EBUSY, () -> write(handle, 0, "x"));
            view.release(handle);
        }
    }

    @Test
    void hdfsChecksTheUser() throws Exception {
        written("f", 10, new Random(1));
        written("secret/g", 10, new Random(1));
        fs.setPermission(new Path("/m/f"), new FsPermission((short) 0640));
        fs.setPermission(new Path("/m/secret"), new FsPermission((short) 0700));
        UserGroupInformation ann = UserGroupInformation.createUserForTesting("ann", new String[] {"people"});
        ann.doAs((PrivilegedExceptionAction<Void>) () -> {
            try (HdfsView hers = open(true)) {
                long f = hers.lookup(ROOT, "f").node();
                fails(Errno.EACCES, () -> hers.open(f, 0));
                fails(Errno.EACCES, () -> hers.open(f, WRITE));
                fails(Errno.EACCES, () -> hers.access(f, 4));
                fails(Errno.EACCES, () -> hers.unlink(ROOT, "f"));
                fails(Errno.EACCES, () -> hers.create(ROOT, "h", 0600, WRITE));
                long secret = hers.lookup(ROOT, "secret").node();
                fails(Errno.EACCES, () -> hers.lookup(secret, "g"));
                fails(Errno.EACCES, () -> hers.openDirectory(secret));
                fails(Errno.EACCES, () -> hers.extendedAttribute(secret, "user.mpsr.hosts"));
                assertThat(hers.lookup(ROOT, "f").attributes().user()).isZero();
            }
            return null;
        });
    }

    @Test
    void aFileCannotBeMounted() throws Exception {
        written("f", 10, new Random(1));
        try (Connected hdfs = Connected.to(new Configuration(cluster.getConfiguration(0)), cluster.getURI())) {
            assertThatThrownBy(() -> hdfs.view("/m/f", false))
                    .hasMessage("'/m/f' is a file; name a directory to mount");
            fails(Errno.ENOENT, () -> hdfs.view("/none", false));
        }
        assertThatThrownBy(() -> Connected.to(new Configuration(), java.net.URI.create("file:///")))
                .hasMessageContaining("is not HDFS");
    }
}
