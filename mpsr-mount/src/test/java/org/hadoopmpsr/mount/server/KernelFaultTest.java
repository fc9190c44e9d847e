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

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.hadoopmpsr.client.mount.Mounts;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What goes wrong around a mount. */
class KernelFaultTest {

    @BeforeEach
    void assumeMountable() throws Exception {
        MountedCluster.assumeMountable();
    }

    private static MiniDFSCluster cluster(Configuration conf, int nodes) throws Exception {
        return MiniCluster.start(MiniCluster.builder(conf, nodes, nodes));
    }

    @Test
    void aDataNodeThatEndsWhileItIsReadIsReadAround() throws Exception {
        try (MountedCluster mounted = new MountedCluster(cluster(MiniCluster.stock(), 3))) {
            byte[] bytes = mounted.write("/d/f", 24 << 20, 2, new Random(3));
            Path mount = mounted.mount("/d", false);
            byte[] read = new byte[bytes.length];
            try (InputStream in = Files.newInputStream(mount.resolve("f"))) {
                assertThat(in.readNBytes(read, 0, 5 << 20)).isEqualTo(5 << 20);
                mounted.cluster().stopDataNode(0);
                assertThat(in.readNBytes(read, 5 << 20, 19 << 20)).isEqualTo(19 << 20);
            }
            assertThat(Arrays.equals(read, bytes)).isTrue();
        }
    }

    @Test
    void noRoomIsTold() throws Exception {
        Configuration conf = MiniCluster.stock();
        SimulatedFSDataset.setFactory(conf);
        conf.setLong(SimulatedFSDataset.CONFIG_PROPERTY_CAPACITY, 1 << 20); // less than a block
        try (MountedCluster mounted = new MountedCluster(cluster(conf, 1))) {
            mounted.fs().mkdirs(new org.apache.hadoop.fs.Path("/d"));
            Path mount = mounted.mount("/d", true);
            assertThatThrownBy(() -> Files.writeString(mount.resolve("f"), "x"))
                    .hasMessageContaining("No space left on device");
        }
    }

    @Test
    void unmountingEndsTheProcess() throws Exception {
        try (MountedCluster mounted = new MountedCluster(cluster(MiniCluster.stock(), 1))) {
            mounted.write("/d/f", 10, 1, new Random(3));
            Path mount = mounted.mount("/d", false);
            ProcessHandle server = MountedCluster.server(mount).orElseThrow();
            LocalMounts mounts = new LocalMounts();
            Mounts.Options again =
                    new Mounts.Options(mounted.cluster().getURI(), "/d", mount, false, false, 1, false, null, "", "");
            assertThatThrownBy(() -> mounts.mount(again, ready -> {}))
                    .hasMessageContaining("is a mount of HDFS already");
            try (InputStream in = Files.newInputStream(mount.resolve("f"))) {
                assertThatThrownBy(() -> mounts.unmount(mount, false))
                        .hasMessageContaining("busy")
                        .hasMessageContaining("--lazy");
                assertThat(in.readAllBytes()).hasSize(10);
            }
            mounts.unmount(mount, false);
            server.onExit().get(1, TimeUnit.MINUTES);
            assertThat(MountPoint.at(mount)).isEmpty();
            assertThatThrownBy(() -> mounts.unmount(mount, false)).hasMessageContaining("is no mount of HDFS");
        }
    }

    /** Another namespace that has a copy of the mount keeps it alive for the kernel. */
    @Tag("long")
    @Test
    void unmountingEndsTheProcessWhereAnotherNamespaceHasTheMount() throws Exception {
        try (MountedCluster mounted = new MountedCluster(cluster(MiniCluster.stock(), 1))) {
            mounted.write("/d/f", 10, 1, new Random(3));
            Path mount = mounted.mount("/d", false);
            ProcessHandle server = MountedCluster.server(mount).orElseThrow();
            Process other = new ProcessBuilder(
                            "unshare", "--mount", "--propagation", "private", "sh", "-c", "echo ready; exec cat")
                    .start();
            try {
                assertThat(other.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
                new LocalMounts().unmount(mount, false);
                server.onExit().get(1, TimeUnit.MINUTES);
            } finally {
                other.destroy();
            }
        }
    }

    @Tag("long")
    @Test
    void aSignalEndsAProgramThatWaitsForTheNameNode() throws Exception {
        try (MountedCluster mounted = new MountedCluster(cluster(MiniCluster.stock(), 1))) {
            mounted.write("/d/f", 10, 1, new Random(3));
            Path mount = mounted.mount("/d", false);
            FSNamesystem namesystem = mounted.cluster().getNamesystem();
            namesystem.writeLock();
            Process waiting;
            try {
                waiting = new ProcessBuilder("stat", mount.resolve("f").toString()).start();
                assertThat(waiting.waitFor(2, TimeUnit.SECONDS)).isFalse();
                waiting.destroy();
                assertThat(waiting.waitFor(1, TimeUnit.MINUTES)).isTrue();
            } finally {
                namesystem.writeUnlock();
            }
            assertThat(waiting.exitValue()).isNotZero();
            assertThat(Files.size(mount.resolve("f"))).isEqualTo(10);
        }
    }

    @Tag("long")
    @Test
    void whatCannotBeMountedIsSaid() throws Exception {
        try (MountedCluster mounted = new MountedCluster(cluster(MiniCluster.stock(), 1))) {
            mounted.write("/d/f", 10, 1, new Random(3));
            assertThatThrownBy(() -> mounted.mount("/d/f", false))
                    .hasMessageContaining("'/d/f' is a file; name a directory to mount");
            assertThatThrownBy(() -> mounted.mount("/none", false)).hasMessageContaining("/none");
            Mounts.Options nowhere = new Mounts.Options(
                    mounted.cluster().getURI(), "/d", Path.of("/none/such"), false, false, 1, false, null, "", "");
            assertThatThrownBy(() -> new LocalMounts().mount(nowhere, ready -> {}))
                    .hasMessage("the mount point /none/such is no directory; create it with 'mkdir'");
        }
    }
}
