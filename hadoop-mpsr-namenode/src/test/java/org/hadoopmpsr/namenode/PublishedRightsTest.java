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
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A published file of the default group has the rights that HDFS gives to a file that the writer writes in its place. */
class PublishedRightsTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;
    private static int names;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Path directory(String name, String mode, String acl) throws Exception {
        Path directory = new Path("/rights" + names + "/" + name);
        fs.mkdirs(directory);
        fs.setOwner(directory, "owner", "writer-group");
        fs.setPermission(directory, new FsPermission(mode));
        if (!acl.isEmpty()) {
            fs.modifyAclEntries(directory, AclEntry.parseAclSpec(acl, true));
        }
        return directory;
    }

    private static List<String> rights(Path directory, String file) throws Exception {
        List<String> rights = new ArrayList<>();
        Path path = new Path(directory, file);
        for (Path at = path; !at.equals(directory); at = at.getParent()) {
            FileStatus status = fs.getFileStatus(at);
            rights.add(status.getOwner() + " " + status.getGroup() + " " + status.getPermission() + " "
                    + fs.getAclStatus(at).getEntries());
        }
        return rights;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "775 | 022 | ''",
                "770 | 077 | ''",
                "777 | 002 | ''",
                "775 | 022 | default:user:analyst:r-x",
                "775 | 077 | default:user:analyst:rwx,default:group::r-x,default:other::---"
            })
    void areThoseOfAStockWrite(String mode, String umask, String acl) throws Exception {
        names++;
        Path plain = directory("plain", mode, acl);
        Path meas = directory("meas", mode, acl);
        Dataset dataset = client.createDataset(meas.toString(), TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10);
        String file = commit.published("time").substring(meas.toString().length() + 1);
        Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
        conf.set("fs.permissions.umask-mode", umask);
        cluster.call("writer", own -> {
            try (DistributedFileSystem writer = (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), conf)) {
                writer.mkdirs(new Path(plain, file).getParent());
                writer.create(new Path(plain, file)).close();
                return commit.stage(own, writer).publish(own);
            }
        });
        assertThat(rights(meas, file)).isEqualTo(rights(plain, file));
    }
}
