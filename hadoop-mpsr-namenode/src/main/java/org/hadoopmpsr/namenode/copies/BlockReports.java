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

import java.util.Set;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageBlockReportProto;

/** Full block reports, as DataNodes send them. */
public final class BlockReports {

    private BlockReports() {}

    /**
     * The blocks in a storage's report.
     *
     * @param maxDataLength the maximum number of bytes of a call
     */
    static BlockListAsLongs blocks(StorageBlockReportProto storage, int maxDataLength) {
        return storage.hasNumberOfBlocks()
                ? BlockListAsLongs.decodeBuffers(
                        (int) storage.getNumberOfBlocks(), storage.getBlocksBuffersList(), maxDataLength)
                : BlockListAsLongs.decodeLongs(storage.getBlocksList(), maxDataLength);
    }

    /**
     * A storage's report without the given blocks.
     *
     * @param maxDataLength the maximum number of bytes of a call
     */
    public static StorageBlockReportProto without(
            Set<Long> blocks, StorageBlockReportProto storage, int maxDataLength) {
        BlockListAsLongs all = blocks(storage, maxDataLength);
        BlockListAsLongs.Builder some = BlockListAsLongs.builder(maxDataLength);
        for (BlockReportReplica replica : all) {
            if (!blocks.contains(replica.getBlockId())) {
                some.add(replica);
            }
        }
        BlockListAsLongs rest = some.build();
        if (rest.getNumberOfBlocks() == all.getNumberOfBlocks()) {
            return storage;
        }
        return storage.toBuilder()
                .clearBlocks()
                .clearBlocksBuffers()
                .setNumberOfBlocks(rest.getNumberOfBlocks())
                .addAllBlocksBuffers(rest.getBlocksBuffers())
                .build();
    }
}
