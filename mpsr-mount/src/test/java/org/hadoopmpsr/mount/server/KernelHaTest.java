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

import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.Test;

/** A mount of a nameservice with two NameNodes. */
class KernelHaTest {

    @Test
    void readsAndWritesGoOnWithAnotherNameNode() throws Exception {
        MountedCluster.assumeMountable();
        Configuration conf = MiniCluster.stock();
        conf.setInt("dfs.ha.tail-edits.period", 1);
        conf.setInt("dfs.client.failover.sleep.base.millis", 50);
        // DataNodes end only when they have given up the NameNode that is gone
        conf.setInt("ipc.client.connect.max.retries", 1);
        conf.setInt("ipc.client.connect.retry.interval", 100);
        MiniDFSCluster cluster =
                MiniCluster.start(MiniCluster.builder(conf, 3, 3).nnTopology(MiniDFSNNTopology.simpleHATopology()));
        try (MountedCluster mounted = new MountedCluster(cluster)) {
            cluster.transitionToActive(0);
            HATestUtil.setFailoverConfigurations(cluster, conf, "ha-mount");
            byte[] bytes = new byte[12 << 20];
            new Random(5).nextBytes(bytes);
            URI uri = URI.create("hdfs://ha-mount");
            try (FileSystem fs = FileSystem.newInstance(uri, conf);
                    OutputStream out = fs.create(
                            new org.apache.hadoop.fs.Path("/d/f"), true, 4096, (short) 2, MountedCluster.BLOCK)) {
                out.write(bytes);
            }
            Path mount = mountConfigured(mounted, uri, conf);
            byte[] read = new byte[bytes.length];
            try (InputStream in = Files.newInputStream(mount.resolve("f"));
                    FileChannel out = FileChannel.open(
                            mount.resolve("g"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                assertThat(in.readNBytes(read, 0, 3 << 20)).isEqualTo(3 << 20);
                out.write(ByteBuffer.wrap("before,".getBytes(StandardCharsets.UTF_8)));
                out.force(false);
                cluster.shutdownNameNode(0);
                cluster.transitionToActive(1);
                assertThat(in.readNBytes(read, 3 << 20, 9 << 20)).isEqualTo(9 << 20);
                out.write(ByteBuffer.wrap("after".getBytes(StandardCharsets.UTF_8)));
            }
            assertThat(Arrays.equals(read, bytes)).isTrue();
            assertThat(Files.readString(mount.resolve("g"))).isEqualTo("before,after");
            assertThat(Files.size(mount.resolve("f"))).isEqualTo(bytes.length);
        }
    }

    /** The server finds the nameservice as any client does: in hdfs-site.xml on its class path. */
    private static Path mountConfigured(MountedCluster mounted, URI uri, Configuration conf) throws Exception {
        Path directory = MiniCluster.directory("conf");
        try (OutputStream out = Files.newOutputStream(directory.resolve("hdfs-site.xml"))) {
            conf.writeXml(out);
        }
        String classPath = System.getProperty("java.class.path");
        System.setProperty("java.class.path", directory + File.pathSeparator + classPath);
        try {
            return mounted.mount(uri, "/d", true);
        } finally {
            System.setProperty("java.class.path", classPath);
        }
    }
}
