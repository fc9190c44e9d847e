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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.Wire;
import org.hadoopmpsr.client.proto.MpsrProtos.CommitProto;
import org.hadoopmpsr.core.commit.Fence.Verdict;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commits cut off after their commit point, at every boundary, are complete after a restart of the NameNode. */
class RollForwardTest {
    private static TestCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** The state that a crash leaves after the commit point, {@code moved} renames and maybe the record of offsets. */
    private static TestCommit cutOff(Dataset dataset, int moved, boolean recorded) throws Exception {
        DistributedFileSystem fs = cluster.fs();
        TestCommit commit = new TestCommit(dataset, 0, 10);
        try (MpsrClient client = cluster.client()) {
            commit.stage(client, fs);
        }
        String store = "/.mpsr/datasets/" + dataset.id();
        Path staging = new Path(store + "/staging/" + commit.id());
        Path publishing = new Path(store + "/publishing/" + commit.id());
        for (StagedFile file : commit.files()) {
            Path path = new Path(staging, file.group() + "/" + file.relativePath());
            byte[] statistics = Wire.statistics(file.statistics()).toBuilder()
                    .setLength(fs.getFileStatus(path).getLen())
                    .setModificationTime(fs.getFileStatus(path).getModificationTime())
                    .build()
                    .toByteArray();
            fs.setXAttr(path, Attributes.FILE, statistics);
        }
        CommitProto.Builder proto = CommitProto.newBuilder().setId(commit.id());
        commit.sources().forEach(s -> proto.addSource(Wire.source(s)));
        fs.setXAttr(staging, Attributes.COMMIT, proto.build().toByteArray(), java.util.EnumSet.of(XAttrSetFlag.CREATE));
        for (StagedFile file : commit.files().subList(0, moved)) {
            Path target = new Path(commit.published(file.group()));
            fs.mkdirs(target.getParent());
            fs.rename(new Path(staging, file.group() + "/" + file.relativePath()), target);
        }
        if (recorded) {
            fs.mkdirs(new Path(store + "/offsets/"
                    + Offsets.recordOf(commit.sources().get(0), commit.id()).directoryName()));
        }
        fs.rename(staging, publishing);
        return commit;
    }

    @Test
    void everyCutIsCompleted() throws Exception {
        List<Dataset> datasets = new ArrayList<>();
        try (MpsrClient client = cluster.client()) {
            for (int i = 0; i <= 4; i++) {
                datasets.add(client.createDataset("/cut/meas" + i, TestCluster.SCHEMA));
            }
        }
        List<TestCommit> commits = new ArrayList<>();
        for (int i = 0; i <= 4; i++) {
            commits.add(cutOff(datasets.get(i), Math.min(i, 3), i == 4));
        }

        cluster.restartNameNode();

        try (MpsrClient client = cluster.client()) {
            for (int i = 0; i <= 4; i++) {
                Dataset dataset = client.getDataset(datasets.get(i).path());
                TestCommit commit = commits.get(i);
                assertThat(dataset.representations())
                        .as("after %d of 3 renames", Math.min(i, 3))
                        .allSatisfy(r -> {
                            assertThat(r.files()).isEqualTo(1);
                            assertThat(r.content().count()).isEqualTo(10);
                            assertThat(r.unusable()).isNull();
                        });
                assertThat(dataset.offsets())
                        .singleElement()
                        .satisfies(o -> assertThat(o.end()).isEqualTo(10));
                assertThat(commit.publish(client).verdict()).isEqualTo(Verdict.ALREADY_COMMITTED);
                assertThat(cluster.filesBelow("/.mpsr/datasets/" + dataset.id() + "/publishing"))
                        .isEmpty();
            }
        }
    }
}
