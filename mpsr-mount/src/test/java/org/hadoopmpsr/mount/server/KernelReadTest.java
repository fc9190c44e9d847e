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
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs read HDFS through the kernel of this machine. */
class KernelReadTest {
    private static final int LARGE = 64 << 20;
    private static final int RANDOM_READS = 10_000;

    private static MountedCluster mounted;
    private static Path mount;
    private static byte[] large;

    @BeforeAll
    static void mount() throws Exception {
        MountedCluster.assumeMountable();
        mounted = new MountedCluster(
                MiniCluster.start(MiniCluster.builder(MiniCluster.stock(), 3, 3).hosts(MiniCluster.hosts(3))));
        large = mounted.write("/d/large", LARGE, 2, new Random(1));
        mounted.write("/d/empty", 0, 1, new Random(1));
        mounted.fs().mkdirs(new org.apache.hadoop.fs.Path("/d/a directory/below"));
        mount = mounted.mount("/d", false);
    }

    @AfterAll
    static void unmount() throws Exception {
        if (mounted != null) {
            mounted.close();
        }
    }

    @Test
    void aLargeFileIsReadInSequence() throws Exception {
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        try (InputStream in = Files.newInputStream(mount.resolve("large"))) {
            byte[] buffer = new byte[1 << 17];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                md5.update(buffer, 0, count);
            }
        }
        assertThat(md5.digest()).isEqualTo(MessageDigest.getInstance("MD5").digest(large));
    }

    /** As fsx reads: places and lengths that nobody expects, alone and in runs, by several threads at once. */
    @Test
    void randomReadsAreRight() throws Exception {
        long seed = Long.getLong("mpsr.seed", System.nanoTime());
        System.out.println("replay with -Dmpsr.seed=" + seed);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> readers = new ArrayList<>();
        for (int reader = 0; reader < 4; reader++) {
            Random random = new Random(seed + reader);
            readers.add(threads.submit(() -> {
                readRandomly(random, RANDOM_READS / 4);
                return null;
            }));
        }
        for (Future<?> reader : readers) {
            reader.get(5, TimeUnit.MINUTES);
        }
        threads.shutdown();
    }

    private static void readRandomly(Random random, int count) throws IOException {
        FileChannel file = FileChannel.open(mount.resolve("large"));
        long next = 0;
        for (int i = 0; i < count; i++) {
            if (random.nextInt(500) == 0) {
                file.close();
                file = FileChannel.open(mount.resolve("large"));
            }
            long offset = random.nextInt(3) == 0 ? next : random.nextInt(LARGE + 4096);
            int size = 1 + random.nextInt(random.nextInt(20) == 0 ? 300_000 : 10_000);
            ByteBuffer into = ByteBuffer.allocate(size);
            int expected = (int) Math.max(0, Math.min(size, LARGE - offset));
            int got = 0;
            for (int n = file.read(into, offset); n > 0; n = into.hasRemaining() ? file.read(into, offset + got) : 0) {
                got += n;
            }
            assertThat(got).as("bytes at %d of %d", offset, size).isEqualTo(expected);
            int from = (int) Math.min(offset, LARGE);
            assertThat(Arrays.equals(into.array(), 0, got, large, from, from + got))
                    .as("%d bytes at %d", size, offset)
                    .isTrue();
            next = offset + size;
        }
        file.close();
    }

    @Test
    void directoriesAreListedWithAttributes() throws Exception {
        mounted.fs().setPermission(new org.apache.hadoop.fs.Path("/d/a directory"), new FsPermission((short) 0750));
        try (Stream<Path> names = Files.list(mount)) {
            assertThat(names.map(path -> path.getFileName().toString()).sorted().toList())
                    .containsExactly("a directory", "empty", "large");
        }
        PosixFileAttributes attributes = Files.readAttributes(mount.resolve("large"), PosixFileAttributes.class);
        assertThat(attributes.size()).isEqualTo(LARGE);
        assertThat(attributes.isRegularFile()).isTrue();
        assertThat(attributes.lastModifiedTime().toMillis())
                .isEqualTo(mounted.fs()
                        .getFileStatus(new org.apache.hadoop.fs.Path("/d/large"))
                        .getModificationTime());
        assertThat(attributes.owner().getName()).isEqualTo("root");
        PosixFileAttributes directory = Files.readAttributes(mount.resolve("a directory"), PosixFileAttributes.class);
        assertThat(directory.isDirectory()).isTrue();
        assertThat(PosixFilePermissions.toString(directory.permissions())).isEqualTo("rwxr-x---");
        assertThat(run("ls", "-la", mount.toString())).contains("large", "a directory", " 67108864 ");
        assertThat(run("df", mount.toString())).contains("hdfs://");
    }

    @Tag("long")
    @Test
    void aDirectoryOfManyFilesIsListedCompletely() throws Exception {
        int count = 2_500;
        for (int i = 0; i < count; i++) {
            mounted.fs()
                    .create(new org.apache.hadoop.fs.Path("/d/a directory/below/file-" + i))
                    .close();
        }
        try (Stream<Path> names = Files.list(mount.resolve("a directory/below"))) {
            assertThat(names.map(path -> path.getFileName().toString()).distinct())
                    .hasSize(count);
        }
        assertThat(run("sh", "-c", "ls -l '" + mount.resolve("a directory/below") + "' | wc -l")
                        .trim())
                .isEqualTo(String.valueOf(count + 1));
    }

    @Test
    void attributesTellWhereBlocksLie() throws Exception {
        StringBuilder expected = new StringBuilder();
        for (BlockLocation block :
                mounted.fs().getFileBlockLocations(new org.apache.hadoop.fs.Path("/d/large"), 0, LARGE)) {
            expected.append(block.getOffset())
                    .append(' ')
                    .append(block.getLength())
                    .append(' ');
            expected.append(String.join(",", block.getHosts())).append('\n');
        }
        assertThat(expected.toString().lines()).hasSize(64).allMatch(line -> line.contains(".test"));
        Path file = mount.resolve("large");
        assertThat(attribute(file, "mpsr.replication")).isEqualTo("2");
        assertThat(attribute(file, "mpsr.blocksize")).isEqualTo(String.valueOf(MountedCluster.BLOCK));
        assertThat(attribute(file, "mpsr.hosts").lines()).hasSize(3);
        assertThat(attribute(file, "mpsr.checksum")).startsWith("MD5-of-");
        assertThat(sorted(attribute(file, "mpsr.locations"))).isEqualTo(sorted(expected.toString()));
        assertThat(Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
                        .list())
                .containsExactly("mpsr.locations", "mpsr.hosts", "mpsr.replication", "mpsr.blocksize");
        assertThat(attribute(mount, "mpsr.assignment").lines().map(line -> line.split(" ")[1]))
                .containsExactly("empty", "large");
        assertThatThrownBy(() -> attribute(file, "mpsr.none")).isInstanceOf(FileSystemException.class);
    }

    /** The replicas of a block come in an order that differs from call to call. */
    private static List<String> sorted(String locations) {
        return locations
                .lines()
                .map(line -> {
                    String[] fields = line.split(" ");
                    String[] hosts = fields[2].split(",");
                    Arrays.sort(hosts);
                    return fields[0] + " " + fields[1] + " " + String.join(",", hosts);
                })
                .toList();
    }

    @Test
    void nothingIsWritten() {
        assertThatThrownBy(() -> Files.writeString(mount.resolve("new"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only file system");
        assertThatThrownBy(() -> Files.delete(mount.resolve("large"))).hasMessageContaining("Read-only file system");
        assertThatThrownBy(() -> Files.createDirectory(mount.resolve("e")))
                .hasMessageContaining("Read-only file system");
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThatThrownBy(() -> Files.size(mount.resolve("none"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Files.size(mount.resolve("a:b"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Files.list(mount.resolve(".groups"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Files.newInputStream(mount.resolve("empty/x")))
                .isInstanceOf(FileSystemException.class);
    }

    @Test
    void aChangedFileIsReadAsItIsNow() throws Exception {
        Random random = new Random(7);
        byte[] first = mounted.write("/d/changing", 10_000, 1, random);
        assertThat(Files.readAllBytes(mount.resolve("changing"))).isEqualTo(first);
        byte[] second = mounted.write("/d/changing", 10_000, 1, random);
        org.awaitility.Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Files.readAllBytes(mount.resolve("changing")))
                        .isEqualTo(second));
        mounted.fs().delete(new org.apache.hadoop.fs.Path("/d/changing"), false);
    }

    private static String attribute(Path path, String name) throws IOException {
        return new String((byte[]) Files.getAttribute(path, "user:" + name), StandardCharsets.UTF_8);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
