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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.write.HdfsFile;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A NameNode with MPSR keeps the contract. */
class HdfsCommitTargetTest extends CommitTargetContract {
    private static final Path PATH = new Path("/contract/meas");

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem fs;
    private static MpsrClient admin;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = MiniCluster.stock();
        MiniCluster.addGroups(conf, SessionFixture.GROUPS);
        conf.set("dfs.mpsr.commit.max.files", String.valueOf(MAX_FILES));
        cluster = MiniCluster.start(MiniCluster.builder(conf, 2, 2));
        fs = cluster.getFileSystem();
        admin = MpsrClient.create(new Configuration(conf), cluster.getURI());
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.shutdown(true);
    }

    @Test
    void aHostThatNobodyKnowsIsNamedAsOne() {
        URI unknown = URI.create("hdfs://no-such-host.invalid:8020");
        assertThatThrownBy(() -> HdfsCommitTarget.open(cluster.getConfiguration(0), unknown, PATH.toString()))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("no-such-host.invalid");
    }

    @Test
    void aWriteThatFailsSaysWhy() throws Exception {
        Path directory = new Path("/full");
        fs.mkdirs(directory);
        fs.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 100);
        assertThatThrownBy(() -> {
                    try (OutputStream out = new HdfsFile(fs, new Path(directory, "x")).create(0)) {
                        byte[] bytes = new byte[1 << 20];
                        for (int i = 0; i < 256; i++) {
                            out.write(bytes);
                        }
                    }
                })
                .isInstanceOf(DSQuotaExceededException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Override
    void create() throws Exception {
        fs.mkdirs(PATH);
        fs.setOwner(PATH, "writer", "readers");
        admin.createDataset(PATH.toString(), SessionFixture.SCHEMA);
    }

    @Override
    void drop() throws Exception {
        admin.dropDataset(PATH.toString(), true);
        fs.delete(PATH, true);
    }

    @Override
    CommitTarget open() throws Exception {
        PrivilegedExceptionAction<CommitTarget> open =
                () -> HdfsCommitTarget.open(cluster.getConfiguration(0), cluster.getURI(), PATH.toString());
        return UserGroupInformation.createUserForTesting("writer", new String[0])
                .doAs(open);
    }

    @Override
    void permit(boolean writing) throws Exception {
        fs.setPermission(PATH, new FsPermission(writing ? "755" : "555"));
    }

    @Override
    void ready(boolean ready) {
        Configuration conf = new Configuration(cluster.getConfiguration(0));
        if (!ready) {
            // which keeps nothing on its group's nodes
            conf.unset("dfs.block.replicator.classname");
        }
        cluster.getNamesystem().getBlockManager().refreshBlockPlacementPolicy(conf);
    }

    @Override
    void reset(OffsetReset reset) throws Exception {
        String id = admin.getDataset(PATH.toString()).id();
        admin.resetOffsets(PATH.toString(), id, List.of(reset), true);
    }

    @Override
    void leaveSpace(boolean enough) throws Exception {
        fs.setQuota(PATH, HdfsConstants.QUOTA_DONT_SET, enough ? HdfsConstants.QUOTA_RESET : 100);
    }
}
