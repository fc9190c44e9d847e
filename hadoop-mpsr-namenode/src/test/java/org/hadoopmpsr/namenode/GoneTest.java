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

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportContextProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeRegistrationProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageBlockReportProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeStorageProto;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.junit.jupiter.api.Test;

/** A NameNode runs for years: what it knew of datasets and nodes that are gone must not stay in memory. */
class GoneTest {

    @Test
    void nothingIsKnownOfWhatIsGone() throws Exception {
        try (TestCluster cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
                MpsrClient client = cluster.client()) {
            client.createDataset("/dropped/meas", TestCluster.SCHEMA);
            client.createDataset("/deleted/meas", TestCluster.SCHEMA);
            client.createDataset("/kept/meas", TestCluster.SCHEMA);
            MpsrNamesystem system = new MpsrNamesystem(cluster.mini().getNameNode());
            Mpsr parts =
                    Wiring.connect(system, MpsrConfig.read(key -> system.conf().getTrimmed(key)));
            parts.activation().activate();
            for (DatasetRecord dataset : parts.datasets().all()) {
                parts.infos().describe(dataset);
                parts.rights().ensure(dataset.inodeId());
            }
            assertThat(parts.rights().size()).isEqualTo(3);
            assertThat(parts.indexes().size()).isEqualTo(3);
            assertThat(parts.verification().size()).isEqualTo(9);

            client.dropDataset("/dropped/meas", true);
            cluster.fs().delete(new Path("/deleted"), true);
            parts.datasets().load();

            parts.rights().retain();

            assertThat(parts.rights().size())
                    .as("the deleted directory's store is still there")
                    .isEqualTo(2);
            parts.rights().ensure(1_000_000); // whoever asks for what never was
            parts.rights().retain();
            assertThat(parts.rights().size()).isEqualTo(2);
            assertThat(parts.indexes().size()).isEqualTo(1);
            assertThat(parts.verification().size()).isEqualTo(3);

            String gone = cluster.mini().getDataNodes().get(0).getDatanodeUuid();
            String stays = cluster.mini().getDataNodes().get(1).getDatanodeUuid();
            parts.firstReports().read(report(gone, 1, "s1", "replaced"), 1 << 20);
            parts.firstReports().read(report(gone, 2, "s1", "s2"), 1 << 20);
            parts.firstReports().read(report(stays, 1, "s3"), 1 << 20);
            assertThat(parts.firstReports().size()).isEqualTo(3);

            system.write("forget", edits -> {
                parts.allocation().forget(edits, List.of(gone));
                return true;
            });

            assertThat(parts.firstReports().size()).isEqualTo(1);
        }
    }

    private static BlockReportRequestProto report(String node, long id, String... storages) {
        BlockReportRequestProto.Builder report = BlockReportRequestProto.newBuilder()
                .setRegistration(DatanodeRegistrationProto.newBuilder()
                        .setDatanodeID(DatanodeIDProto.newBuilder()
                                .setDatanodeUuid(node)
                                .buildPartial())
                        .buildPartial())
                .setContext(BlockReportContextProto.newBuilder()
                        .setTotalRpcs(1)
                        .setCurRpc(0)
                        .setId(id));
        for (String storage : storages) {
            report.addReports(StorageBlockReportProto.newBuilder()
                    .setStorage(DatanodeStorageProto.newBuilder().setStorageUuid(storage)));
        }
        return report.buildPartial();
    }
}
