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
package org.hadoopmpsr.namenode.copies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageBlockReportProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeStorageProto;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockReportsTest {
    private static final int MAX = 1 << 20;

    private static StorageBlockReportProto storage(String id, boolean longs, long... blocks) {
        BlockListAsLongs.Builder list = BlockListAsLongs.builder(MAX);
        for (long block : blocks) {
            list.add(new BlockReportReplica(new Block(block, 10 * block, 100 + block)));
        }
        BlockListAsLongs all = list.build();
        StorageBlockReportProto.Builder report = StorageBlockReportProto.newBuilder()
                .setStorage(DatanodeStorageProto.newBuilder().setStorageUuid(id));
        if (longs) {
            for (long word : all.getBlockListAsLongs()) {
                report.addBlocks(word);
            }
        } else {
            report.setNumberOfBlocks(all.getNumberOfBlocks()).addAllBlocksBuffers(all.getBlocksBuffers());
        }
        return report.build();
    }

    private static List<String> blocks(StorageBlockReportProto storage) {
        BlockListAsLongs all =
                BlockListAsLongs.decodeBuffers((int) storage.getNumberOfBlocks(), storage.getBlocksBuffersList(), MAX);
        List<String> blocks = new ArrayList<>();
        for (BlockReportReplica replica : all) {
            blocks.add(replica.getBlockId() + ":" + replica.getBytesOnDisk() + ":" + replica.getGenerationStamp() + ":"
                    + replica.getState());
        }
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesOutTheBlocks(boolean longs) {
        StorageBlockReportProto kept = BlockReports.without(Set.of(1L, 3L), storage("a", longs, 1, 2, 3, 4), MAX);

        assertThat(kept.getStorage().getStorageUuid()).isEqualTo("a");
        assertThat(kept.getBlocksCount()).isZero();
        assertThat(blocks(kept)).containsExactly("2:20:102:FINALIZED", "4:40:104:FINALIZED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesAReportWithoutThemAsItIs(boolean longs) {
        StorageBlockReportProto report = storage("a", longs, 1, 2);

        assertThat(BlockReports.without(Set.of(3L), report, MAX)).isEqualTo(report);
    }
}
