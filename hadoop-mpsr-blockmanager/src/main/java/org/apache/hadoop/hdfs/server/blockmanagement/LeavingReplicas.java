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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * Moves blocks away from one DataNode by HDFS's own means. A copy is ordered from the node as for a block that lacks a
 * copy. When the copy exists, HDFS deletes the excess one. Methods say if they need the namesystem's lock.
 */
public final class LeavingReplicas {
    private final BlockManager blocks;
    private final DatanodeDescriptor node;
    private final Predicate<DatanodeDescriptor> stays;

    /**
     * @param node the node that the blocks leave
     * @param stays the nodes whose copies count
     */
    public LeavingReplicas(BlockManager blocks, DatanodeDescriptor node, Predicate<DatanodeDescriptor> stays) {
        this.blocks = blocks;
        this.node = node;
        this.stays = stays;
    }

    /** The progress of a block. */
    public enum State {
        /** The node no longer holds the block. */
        GONE,
        /** The block is being written. */
        WRITTEN,
        /** A copy is being made. */
        COPIED,
        /** Other nodes hold enough copies, and HDFS has not noticed yet that this copy is in excess. */
        ENOUGH,
        /** HDFS has told the node to delete the block. */
        DELETED,
        /** A copy must be made first. */
        NEEDED
    }

    /**
     * A copy to be ordered.
     *
     * @param path the path of the file
     * @param policy the storage policy of the file
     * @param others the copies that stay
     */
    public record Copy(BlockInfo block, String path, BlockStoragePolicy policy, List<DatanodeStorageInfo> others) {}

    /** The reason why the NameNode does not know all blocks of a node, or null if it does. Needs the read lock. */
    public static @Nullable String incomplete(DatanodeDescriptor node) {
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
            if (storage.getState() == DatanodeStorage.State.FAILED) {
                return "the storage " + storage.getStorageID() + " has failed";
            }
            if (storage.getBlockReportCount() == 0 || storage.areBlockContentsStale()) {
                return "the storage " + storage.getStorageID() + " has not reported its blocks yet";
            }
        }
        return node.getStorageInfos().length == 0 ? "it has not told its storages yet" : null;
    }

    /** The length of a block that the node holds, or -1 if it does not hold the block. Needs the read lock. */
    public long length(long id) {
        BlockInfo block = blocks.getStoredBlock(new Block(id));
        return block == null || block.findStorageInfo(node) == null ? -1 : block.getNumBytes();
    }

    /** The progress of a block. Needs the read lock. */
    public State state(long id) {
        BlockInfo block = blocks.getStoredBlock(new Block(id));
        if (block == null || block.isDeleted() || block.findStorageInfo(node) == null) {
            return State.GONE;
        }
        if (!block.isComplete()) {
            return State.WRITTEN;
        }
        if (blocks.pendingReconstruction.getNumReplicas(block) > 0) {
            return State.COPIED;
        }
        if (blocks.isExcess(node, block)) {
            return State.DELETED;
        }
        return others(block).size() < blocks.getExpectedRedundancyNum(block) ? State.NEEDED : State.ENOUGH;
    }

    /** The data for ordering a copy. Needs the read lock. The block must be in the state {@code NEEDED}. */
    public Copy copy(long id, String path) {
        BlockInfo block = blocks.getStoredBlock(new Block(id));
        byte policy = blocks.getBlockCollection(block).getStoragePolicyID();
        return new Copy(block, path, blocks.getStoragePolicySuite().getPolicy(policy), others(block));
    }

    private List<DatanodeStorageInfo> others(BlockInfo block) {
        List<DatanodeStorageInfo> others = new ArrayList<>();
        for (DatanodeStorageInfo storage : blocks.getStorages(block)) {
            DatanodeDescriptor holder = storage.getDatanodeDescriptor();
            if (storage.getState() == DatanodeStorage.State.NORMAL
                    && holder.isAlive()
                    && holder.isInService()
                    && stays.test(holder)
                    && !blocks.isReplicaCorrupt(block, holder)
                    && !blocks.isExcess(holder, block)) {
                others.add(storage);
            }
        }
        return others;
    }

    /** Chooses the target of a copy by the placement policy; empty if there is no target. */
    public DatanodeStorageInfo[] target(Copy copy) {
        Set<Node> excluded = new HashSet<>(List.of(node));
        copy.others().forEach(storage -> excluded.add(storage.getDatanodeDescriptor()));
        return blocks.getBlockPlacementPolicy()
                .chooseTarget(
                        copy.path(),
                        1,
                        node,
                        new ArrayList<>(copy.others()),
                        false,
                        excluded,
                        copy.block().getNumBytes(),
                        copy.policy(),
                        null);
    }

    /** Orders a copy from the node, unless the block has changed. Needs the write lock. */
    public void order(Copy copy, DatanodeStorageInfo[] targets) {
        if (state(copy.block().getBlockId()) == State.NEEDED) {
            node.addBlockToBeReplicated(copy.block(), targets);
            DatanodeStorageInfo.incrementBlocksScheduled(targets);
            blocks.pendingReconstruction.increment(copy.block(), targets);
        }
    }

    /** Makes HDFS check again whether the blocks of a block's file have too many copies. Needs the write lock. */
    public void lookAgain(long id) {
        if (state(id) == State.ENOUGH) {
            blocks.checkRedundancy(blocks.getBlockCollection(blocks.getStoredBlock(new Block(id))));
        }
    }
}
