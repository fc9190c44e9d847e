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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private static Dataset dataset;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 9, 3);
        // the mini cluster turns it off, real clusters have it on
        cluster.mini().getConfiguration(0).setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, true);
        cluster.restartNameNode();
        client = cluster.client();
        dataset = client.createDataset("/placed/meas", TestCluster.SCHEMA);
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static String root(String group) throws IOException {
        return cluster.writableRoot(dataset, group);
    }

    @Test
    void everyBlockLiesInItsGroup() throws Exception {
        for (String group : dataset.groups().names()) {
            for (int i = 0; i < 4; i++) {
                cluster.write(root(group) + "/many/" + i, 3 << 20);
            }
            assertThat(cluster.groupsBelow(root(group) + "/many")).containsExactly(group);
        }
    }

    @Test
    void aGroupIsARackWhereThereAreRacksEnough() throws Exception {
        assertThat(cluster.status().getNodeList())
                .hasSize(9)
                .allSatisfy(n -> assertThat(n.hasGroup()).isTrue());
        assertThat(cluster.status().getNodeList().stream()
                        .map(n -> n.getGroup() + n.getRack())
                        .distinct())
                .hasSize(3);
    }

    @Test
    void favoredNodesOfOtherGroupsDoNotCount() throws Exception {
        InetSocketAddress[] favored = cluster.mini().getDataNodes().stream()
                .map(dn -> dn.getXferAddress())
                .toArray(InetSocketAddress[]::new);
        for (String group : dataset.groups().names()) {
            for (InetSocketAddress node : favored) {
                Path path = new Path(root(group) + "/favored/" + node.getPort());
                try (HdfsDataOutputStream out = cluster.fs()
                        .create(
                                path,
                                FsPermission.getFileDefault(),
                                true,
                                4096,
                                (short) 1,
                                1 << 20,
                                null,
                                new InetSocketAddress[] {node})) {
                    out.write(1);
                }
            }
            assertThat(cluster.groupsBelow(root(group) + "/favored")).containsExactly(group);
        }
    }

    @Test
    void theGroupDecidesTheReplication() throws Exception {
        String path = root("signal") + "/replicated";
        try (FSDataOutputStream out = cluster.fs().create(new Path(path), (short) 5)) {
            out.write(1);
        }
        assertThat(cluster.fs().setReplication(new Path(path), (short) 4))
                .as("the file is not published")
                .isFalse();
        assertThat(cluster.fs().setReplication(new Path(path), (short) 1)).isTrue();

        assertThat(cluster.stat(path).getReplication()).isEqualTo((short) 1);
    }

    /** Until a job has written its records in all groups, the file has the only copies of them. */
    @Test
    void anOrdinaryWritersFileHasAsManyCopiesAsItsWriterAsksFor() throws Exception {
        String path = root("time") + "/day=2014-05-01/ordinary";
        try (FSDataOutputStream out = cluster.fs().create(new Path(path), (short) 2)) {
            out.write(new byte[100]);
        }
        assertThat(cluster.stat(path).getReplication()).isEqualTo((short) 2);
        assertThat(cluster.fs().setReplication(new Path(path), (short) 1)).isTrue();
        assertThat(cluster.fs().setReplication(new Path(path), (short) 2)).isTrue();
        assertThat(cluster.fs().setReplication(new Path(path), (short) 3))
                .as("the group has three nodes, of which one may be decommissioned")
                .isFalse();
        DFSTestUtil.waitReplication(cluster.fs(), new Path(path), (short) 2);
        assertThat(cluster.groupsBelow(path)).containsExactly("time");

        String many = root("time") + "/day=2014-05-01/many";
        try (FSDataOutputStream out = cluster.fs().create(new Path(many), (short) 5)) {
            out.write(1);
        }
        assertThat(cluster.stat(many).getReplication()).isEqualTo((short) 2);
    }

    @Test
    void appendedBlocksStayInTheGroup() throws Exception {
        String path = root("device") + "/appended";
        cluster.write(path, 100);
        try (FSDataOutputStream out =
                cluster.fs().append(new Path(path), EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
            out.write(new byte[100]);
        }

        assertThat(cluster.groupsBelow(path)).containsExactly("device");
    }

    @Test
    void aliasesOfAPathDoNotEscape() throws Exception {
        long inode = cluster.mini()
                .getNamesystem()
                .getFSDirectory()
                .getINode(root("signal"))
                .getId();
        cluster.write("/.reserved/.inodes/" + inode + "/alias", 100);
        cluster.write("/.reserved/raw" + root("signal") + "/raw", 100);

        for (String name : List.of("alias", "raw")) {
            assertThat(cluster.stat(root("signal") + "/" + name).getReplication())
                    .isEqualTo((short) 1);
            assertThat(cluster.groupsBelow(root("signal") + "/" + name)).containsExactly("signal");
        }
    }

    @Test
    void otherFilesArePlacedAsEver() throws Exception {
        cluster.write("/elsewhere/file", 100);
        DFSTestUtil.waitReplication(cluster.fs(), new Path("/elsewhere/file"), (short) 3);

        assertThat(cluster.stat("/elsewhere/file").getReplication()).isEqualTo((short) 3);
    }

    @Test
    void manyStreamsToOneGroupAreServed() throws Exception {
        List<FSDataOutputStream> open = new ArrayList<>();
        try {
            for (int i = 0; i < 30; i++) {
                FSDataOutputStream out = cluster.fs().create(new Path(root("signal") + "/open/" + i));
                open.add(out);
                out.write(1);
                out.hflush();
                if (i % 10 == 9) {
                    // so that the NameNode knows how busy the group is
                    cluster.mini().triggerHeartbeats();
                }
            }
        } finally {
            for (FSDataOutputStream out : open) {
                close(out);
            }
        }
        assertThat(cluster.groupsBelow(root("signal") + "/open")).containsExactly("signal");
    }

    private static void close(FSDataOutputStream out) throws IOException {
        out.close();
    }
}
