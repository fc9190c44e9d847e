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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportContextProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageBlockReportProto;
import org.hadoopmpsr.namenode.copies.MovedCopies.Origin;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;

/**
 * Searches the first full report of each storage after the NameNode's start for copies outside of their block's replica
 * group. These are copies of refused moves that were not deleted before the NameNode stopped. Later reports are not
 * searched, because new copies are seen when they arrive. Thread-safe.
 */
public final class FirstReports {
    /** The number of blocks in one hold of the read lock. */
    private static final int BATCH = 1_000;

    private final Allocation allocation;
    private final BlockGroups groups;
    private final MovedCopies movedCopies;
    private final SearchedStorages searched = new SearchedStorages();

    public FirstReports(Allocation allocation, BlockGroups groups, MovedCopies movedCopies) {
        this.allocation = allocation;
        this.groups = groups;
        this.movedCopies = movedCopies;
    }

    /**
     * Remembers the wrong copies of a report, before HDFS counts them and may find excess copies.
     *
     * @param maxDataLength the maximum number of bytes of a call
     */
    public void read(BlockReportRequestProto report, int maxDataLength) throws IOException {
        String node = report.getRegistration().getDatanodeID().getDatanodeUuid();
        String group = allocation.recorded().get(node);
        if (group == null || !groups.any()) {
            return; // no dataset is known yet, or none is there
        }
        BlockReportContextProto part = report.getContext(); // a node with many blocks sends its report in parts
        for (StorageBlockReportProto storage : report.getReportsList()) {
            if (searched.add(node, storage.getStorage().getStorageUuid(), part.getId())) {
                read(BlockReports.blocks(storage, maxDataLength), group, node);
            }
        }
        if (report.hasContext() && part.getCurRpc() + 1 >= part.getTotalRpcs()) {
            searched.completed(node, part.getId());
        }
    }

    /** Drops the entries of nodes that no longer have a group because they were forgotten. */
    public void retain(Set<String> nodes) {
        searched.retain(nodes);
    }

    /** The number of storages whose reports were searched. */
    public int size() {
        return searched.size();
    }

    private void read(BlockListAsLongs blocks, String group, String node) throws IOException {
        List<Block> batch = new ArrayList<>();
        for (BlockReportReplica replica : blocks) {
            batch.add(new Block(replica));
            if (batch.size() == BATCH) {
                remember(batch, group, node);
                batch.clear();
            }
        }
        remember(batch, group, node);
    }

    private void remember(List<Block> batch, String group, String node) throws IOException {
        groups.others(group, batch).forEach(block -> movedCopies.remember(block, node, Origin.FOUND));
    }
}
