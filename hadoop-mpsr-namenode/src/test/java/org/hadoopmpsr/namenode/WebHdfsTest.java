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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** WebHDFS follows the rules of docs/semantics.md, although the NameNode carries out some of its calls itself. */
class WebHdfsTest {
    private static TestCluster cluster;
    private static Dataset dataset;
    private static FileSystem web;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.startOnLocalhost(TestCluster.threeGroups(), 3);
        try (MpsrClient client = cluster.client()) {
            dataset = client.createDataset("/web/meas", TestCluster.SCHEMA);
        }
        web = WebHdfsTestUtil.getWebHdfsFileSystem(cluster.mini().getConfiguration(0), "webhdfs");
    }

    @AfterAll
    static void stop() throws Exception {
        web.close();
        cluster.close();
    }

    private static void assertInGroup(Path path, String group) throws Exception {
        assertThat(cluster.groupsBelow(path.toString())).containsExactly(group);
        assertThat(cluster.fs().getFileStatus(path).getReplication()).isEqualTo((short) 1);
    }

    @Test
    void filesAreWrittenInTheirGroup() throws Exception {
        for (Dataset.Representation r : dataset.representations()) {
            Path file = new Path(cluster.writableRoot(dataset, r.group()) + "/written");
            try (FSDataOutputStream out = web.create(file, (short) 3)) {
                out.write(new byte[1_000]);
            }
            assertInGroup(file, r.group());
            try (FSDataOutputStream out = web.append(file)) {
                out.write(new byte[1_000]);
            }
            assertInGroup(file, r.group());
        }
    }

    @Test
    void theGroupDecidesTheReplication() throws Exception {
        Path file = new Path(dataset.path() + "/replicated");
        cluster.write(file.toString(), 1_000);

        assertThat(web.setReplication(file, (short) 3))
                .as("the file is not published")
                .isFalse();
        long number = cluster.fs().getClient().getFileInfo(file.toString()).getFileId();
        assertThat(web.setReplication(new Path("/.reserved/.inodes/" + number), (short) 3))
                .isFalse();
        assertInGroup(file, "time");
    }

    @Test
    void aFileFromOutsideIsNotRenamedIntoADataset() throws Exception {
        Path outside = new Path("/outside/file");
        DFSTestUtil.createFile(cluster.fs(), outside, 1_000, (short) 3, 1);

        assertThatThrownBy(() -> web.rename(outside, new Path(dataset.path() + "/in")))
                .hasMessageContaining("has 3 copies of each block and not 1; copy it instead");
        assertThatThrownBy(() -> web.rename(outside, new Path(dataset.path()))).hasMessageContaining("copy it instead");
        assertThat(cluster.fs().exists(outside)).isTrue();
    }

    @Test
    void aReplacedFileIsReadByItsOldPath() throws Exception {
        try (MpsrClient client = cluster.client()) {
            Dataset rewritten = client.createDataset("/web/rewritten", TestCluster.SCHEMA);
            TestCommit commit = new TestCommit(rewritten, 0, 10).stage(client, cluster.fs());
            commit.publish(client);
            TestRewrite rewrite = TestRewrite.of(rewritten, "m1", commit).stage(client, cluster.fs());
            assertThat(rewrite.publish(client).reason()).isEmpty();
            for (String group : List.of("time", "signal", "device")) {
                Path old = new Path(commit.published(group));
                assertThat(web.getFileStatus(old).getLen()).isEqualTo(1_000);
                assertThat(web.listStatus(old)).hasSize(1);
                assertThat(DFSTestUtil.readFileBuffer(web, old)).hasSize(1_000);
                assertThatThrownBy(() -> web.getFileStatus(new Path(old + "x")))
                        .isInstanceOf(FileNotFoundException.class);
            }
        }
    }

    @Test
    void otherFilesAreAsEver() throws Exception {
        Path file = new Path("/elsewhere/file");
        try (FSDataOutputStream out = web.create(file, (short) 3)) {
            out.write(new byte[1_000]);
        }
        assertThat(web.setReplication(file, (short) 2)).isTrue();
        assertThat(web.rename(file, new Path("/elsewhere/renamed"))).isTrue();
        assertThat(web.getFileStatus(new Path("/elsewhere/renamed")).getReplication())
                .isEqualTo((short) 2);
        assertThat(DFSTestUtil.readFileBuffer(web, new Path("/elsewhere/renamed")))
                .hasSize(1_000);
    }
}
