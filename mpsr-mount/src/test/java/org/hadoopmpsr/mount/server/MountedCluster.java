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

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.hadoopmpsr.client.mount.Mounts;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.Assumptions;

/** Mounts of a mini cluster, each served by a process of its own, as the command starts it. */
final class MountedCluster implements AutoCloseable {
    static final int BLOCK = 1 << 20;

    private final MiniDFSCluster cluster;
    private final List<Path> mounts = new ArrayList<>();

    MountedCluster(MiniDFSCluster cluster) {
        this.cluster = cluster;
    }

    /** Leaves out the tests of a class where nothing can be mounted. */
    static void assumeMountable() throws IOException {
        Assumptions.assumeTrue(
                Files.isReadable(Path.of("/dev/fuse")) && Programs.isRoot(),
                "mounts are not tested: there is no /dev/fuse, or the user is not root");
    }

    MiniDFSCluster cluster() {
        return cluster;
    }

    DistributedFileSystem fs() throws IOException {
        return cluster.getFileSystem();
    }

    /** Mounts a directory, and returns the mount point. */
    Path mount(String path, boolean write) throws Exception {
        return mount(cluster.getURI(), path, write);
    }

    /** As {@link #mount(String, boolean)}, with another name of the file system. */
    Path mount(URI fs, String path, boolean write) throws Exception {
        Path directory = MiniCluster.directory("mount");
        Path log = directory.resolveSibling(directory.getFileName() + ".log");
        Mounts.Options options = new Mounts.Options(fs, path, directory, write, false, 16, false, log, "", "");
        List<Mounts.Mounted> mounted = new ArrayList<>();
        assertThat(new LocalMounts().mount(options, mounted::add)).isZero();
        mounts.add(directory);
        assertThat(mounted).containsExactly(new Mounts.Mounted(fs + path, directory, log));
        return directory;
    }

    /** Ends a mount that a test makes by itself. */
    Path adopt(Path directory) {
        mounts.add(directory);
        return directory;
    }

    /** The process that serves a mount. */
    static Optional<ProcessHandle> server(Path directory) {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains(MountProcess.class.getName()))
                .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()))
                .findFirst();
    }

    /** Writes a file of random bytes past the mount, and returns them. */
    byte[] write(String path, int size, int replication, Random random) throws IOException {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        try (FSDataOutputStream out =
                fs().create(new org.apache.hadoop.fs.Path(path), true, 4096, (short) replication, BLOCK)) {
            out.write(bytes);
        }
        return bytes;
    }

    @Override
    public void close() throws Exception {
        for (Path directory : mounts) {
            Optional<ProcessHandle> server = server(directory);
            if (MountPoint.at(directory).isPresent()) {
                new LocalMounts().unmount(directory, true);
            }
            if (server.isPresent()) {
                server.get().destroyForcibly();
                server.get().onExit().get(1, TimeUnit.MINUTES);
            }
        }
        cluster.shutdown();
    }
}
