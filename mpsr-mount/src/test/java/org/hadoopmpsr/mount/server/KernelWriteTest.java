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
package org.hadoopmpsr.mount.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.awaitility.Awaitility;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs write HDFS through the kernel of this machine. */
class KernelWriteTest {
    private static MountedCluster mounted;
    private static Path mount;

    @BeforeAll
    static void mount() throws Exception {
        MountedCluster.assumeMountable();
        mounted = new MountedCluster(MiniCluster.start(MiniCluster.builder(MiniCluster.stock(), 3, 3)));
        mounted.fs().mkdirs(new org.apache.hadoop.fs.Path("/w"));
        mount = mounted.mount("/w", true);
    }

    @AfterAll
    static void unmount() throws Exception {
        if (mounted != null) {
            mounted.close();
        }
    }

    private static void shell(String script) throws Exception {
        assertThat(said(script)).isEqualTo("0");
    }

    /** The output of a shell's script in the mount, and its code. */
    private static String said(String script) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", script)
                .directory(mount.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8) + process.waitFor();
    }

    private static String inHdfs(String name) throws Exception {
        try (var in = mounted.fs().open(new org.apache.hadoop.fs.Path("/w/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        long seed = Long.getLong("mpsr.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] bytes = new byte[20_000_000 + random.nextInt(1_000_000)];
        random.nextBytes(bytes);
        try (FileChannel out =
                FileChannel.open(mount.resolve("large"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int at = 0; at < bytes.length; ) {
                int size = Math.min(bytes.length - at, 1 + random.nextInt(3_000_000));
                at += out.write(ByteBuffer.wrap(bytes, at, size));
                if (random.nextInt(5) == 0) {
                    out.force(false);
                }
            }
        }
        assertThat(Arrays.equals(Files.readAllBytes(mount.resolve("large")), bytes))
                .as("replay with -Dmpsr.seed=%d", seed)
                .isTrue();
        shell("cp large copy && cmp large copy && mkdir d && mv copy d/moved && cmp large d/moved && rm -r d");
        assertThat(mounted.fs().exists(new org.apache.hadoop.fs.Path("/w/d"))).isFalse();
    }

    @Test
    void shellsWriteAndAppend() throws Exception {
        shell("echo one > a; echo two >> a; echo three >> a; (echo four; cat a | head -1) >> a");
        assertThat(inHdfs("a")).isEqualTo("one\ntwo\nthree\nfour\none\n");
        shell(
                "echo anew > a; test -s a; touch b; test -e b -a ! -s b; : > a; test ! -s a; chmod 600 b; touch -d @1000 b");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mount.resolve("b"))))
                .isEqualTo("rw-------");
        assertThat(Files.getLastModifiedTime(mount.resolve("b")).toMillis()).isEqualTo(1_000_000);
        shell("mkdir t; tar -C /etc -cf t/etc.tar --ignore-failed-read hostname hosts 2>/dev/null;"
                + " tar -C t -xf t/etc.tar && cmp t/hosts /etc/hosts && rm -r t");
    }

    @Test
    void aWriteInTheMiddleIsRefused() throws Exception {
        Files.writeString(mount.resolve("m"), "0123456789");
        try (FileChannel file = FileChannel.open(mount.resolve("m"), StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[1]), 3))
                    .hasMessageContaining("Operation not supported");
            assertThat(file.write(ByteBuffer.wrap("x".getBytes(StandardCharsets.UTF_8)), 10))
                    .isEqualTo(1);
            assertThatThrownBy(() -> file.truncate(5)).hasMessageContaining("Operation not supported");
        }
        assertThat(Files.readString(mount.resolve("m"))).isEqualTo("0123456789x");
    }

    @Test
    void namesFollowPosix() throws Exception {
        Path directory = Files.createDirectory(mount.resolve("names"));
        assertThatThrownBy(() -> Files.createDirectory(directory)).isInstanceOf(FileAlreadyExistsException.class);
        Files.createFile(directory.resolve("f"));
        assertThatThrownBy(() -> Files.createFile(directory.resolve("f")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Files.delete(directory)).isInstanceOf(DirectoryNotEmptyException.class);
        assertThatThrownBy(() -> Files.createSymbolicLink(directory.resolve("l"), directory))
                .isInstanceOf(FileSystemException.class);
        Files.move(directory.resolve("f"), directory.resolve("ä €"));
        assertThat(mounted.fs().exists(new org.apache.hadoop.fs.Path("/w/names/ä €")))
                .isTrue();
    }

    @Test
    void aQuotaThatIsUsedUpIsTold() throws Exception {
        org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/w/quota");
        mounted.fs().mkdirs(directory);
        mounted.fs().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1 << 20);
        assertThat(said("head -c 3000000 /dev/zero > quota/f"))
                .contains("Disk quota exceeded")
                .endsWith("1");
    }

    @Test
    void theEndOfTheProcessUnmountsAndClosesWhatIsWritten() throws Exception {
        mounted.fs().mkdirs(new org.apache.hadoop.fs.Path("/ended"));
        Path other = mounted.mount("/ended", true);
        ProcessHandle server = MountedCluster.server(other).orElseThrow();
        try (FileChannel out =
                FileChannel.open(other.resolve("f"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap("abc".getBytes(StandardCharsets.UTF_8)));
            server.destroy();
            server.onExit().get(2, TimeUnit.MINUTES);
        } catch (IOException e) {
            assertThat(e.getMessage()).contains("not connected");
        }
        assertThat(MountPoint.at(other)).isEmpty();
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/ended/f");
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> mounted.fs().isFileClosed(file));
        assertThat(mounted.fs().getFileStatus(file).getLen()).isEqualTo(3);
    }
}
