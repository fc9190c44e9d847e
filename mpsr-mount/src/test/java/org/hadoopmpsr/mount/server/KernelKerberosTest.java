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

import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.hadoopmpsr.client.cli.MpsrCommand;
import org.hadoopmpsr.testing.KerberosRealm;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A mount of a cluster with Kerberos, by the command as a user runs it: in a process that has nothing but a keytab. */
@Tag("long")
class KernelKerberosTest {

    @Test
    void aMountHasTheRightsOfTheKeytabsUser() throws Exception {
        MountedCluster.assumeMountable();
        try (KerberosRealm realm = KerberosRealm.start()) {
            Configuration conf = realm.secure(MiniCluster.stock());
            KerberosRealm.enter(conf);
            realm.loginSuperuser();
            realm.login("ann");
            realm.loginSuperuser();
            MiniDFSCluster cluster = MiniCluster.start(MiniCluster.builder(conf, 3, 3));
            try (MountedCluster mounted = new MountedCluster(cluster)) {
                write(mounted.fs(), "/d/hers", "ann");
                write(mounted.fs(), "/d/theirs", "hdfs");
                mounted.fs().setPermission(new org.apache.hadoop.fs.Path("/d"), new FsPermission((short) 0777));

                Path mount = mounted.adopt(MiniCluster.directory("mount"));
                assertThat(run(
                                conf,
                                "mount",
                                cluster.getURI() + "/d",
                                mount.toString(),
                                "--write",
                                "--principal",
                                realm.principal("ann"),
                                "--keytab",
                                realm.keytab("ann")))
                        .contains("is mounted at " + mount);

                assertThat(mount.resolve("hers")).hasContent("of ann");
                Path theirs = mount.resolve("theirs");
                assertThat(theirs).exists();
                assertThatThrownBy(() -> Files.readString(theirs)).isInstanceOf(AccessDeniedException.class);
                Files.writeString(mount.resolve("new"), "by ann");
                assertThat(mounted.fs()
                                .getFileStatus(new org.apache.hadoop.fs.Path("/d/new"))
                                .getOwner())
                        .isEqualTo("ann");

                Path other = MiniCluster.directory("mount");
                assertThat(run(conf, "mount", cluster.getURI() + "/d", other.toString()))
                        .contains("Client cannot authenticate via:[TOKEN, KERBEROS]");
                assertThat(MountPoint.at(other)).isEmpty();
            }
        }
    }

    private static void write(DistributedFileSystem fs, String path, String owner) throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
        try (FSDataOutputStream out = fs.create(file)) {
            out.writeBytes("of " + owner);
        }
        fs.setPermission(file, new FsPermission((short) 0600));
        fs.setOwner(file, owner, "users");
    }

    /** Runs a command to its end; returns all that it says. */
    private static String run(Configuration conf, String... arguments) throws Exception {
        Path directory = MiniCluster.directory("conf");
        for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
            try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
                conf.writeXml(out);
            }
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.security.krb5.conf=" + System.getProperty("java.security.krb5.conf"),
                "-Djava.net.preferIPv4Stack=true"));
        command.add(MpsrCommand.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", directory + File.pathSeparator + System.getProperty("java.class.path"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
