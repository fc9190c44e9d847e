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
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * Takes blocks off one DataNode with HDFS's own means: a copy is ordered from the node as for a block that lacks one, and
 * once it is there HDFS deletes what is too much. Needs the namesystem's lock where it says so.
 */
public final class LeavingReplicas {
    private final BlockManager blocks;
    private final DatanodeDescriptor node;
    private final Predicate<DatanodeDescriptor> stays;

    /**
     * @param node the node to take blocks off
     * @param stays the nodes whose copies count
     */
    public LeavingReplicas(BlockManager blocks, DatanodeDescriptor node, Predicate<DatanodeDescriptor> stays) {
        this.blocks = blocks;
        this.node = node;
        this.stays = stays;
    }

    /** How far a block is from having left. */
    public enum State {
        /** The node holds it no more. */
        GONE,
        /** It is being written. */
        WRITTEN,
        /** A copy is on its way. */
        COPIED,
        /** There are copies enough elsewhere, and HDFS has not seen that this one is too much. */
        ENOUGH,
        /** HDFS has told the node to delete it. */
        DELETED,
        /** A copy must be made first. */
        NEEDED
    }

    /**
     * A copy to be ordered.
     *
     * @param path the file's
     * @param policy the file's storage policy
     * @param others the copies that stay
     */
    public record Copy(BlockInfo block, String path, BlockStoragePolicy policy, List<DatanodeStorageInfo> others) {}

    /**
     * Why what the NameNode knows of a node's blocks is not all that is on it, or null when it is. Needs the read lock.
     */
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

    /** The ids of all blocks of one of a node's storages. Needs the read lock; a million blocks take some 50 ms. */
    public static long[] ids(DatanodeStorageInfo storage) {
        long[] ids = new long[storage.numBlocks()];
        int n = 0;
        for (Iterator<BlockInfo> it = storage.getBlockIterator(); it.hasNext() && n < ids.length; n++) {
            ids[n] = it.next().getBlockId();
        }
        return Arrays.copyOf(ids, n);
    }

    /** The length of a block that the node holds, or -1 when it does not. Needs the read lock. */
    public long length(long id) {
        BlockInfo block = blocks.getStoredBlock(new Block(id));
        return block == null || block.findStorageInfo(node) == null ? -1 : block.getNumBytes();
    }

    /** Needs the read lock. */
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

    /** What is needed to order a copy. Needs the read lock; the block must be in the state {@code NEEDED}. */
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

    /** Chooses where a copy goes, as the placement policy does for any block; empty when it finds no place. */
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

    /** Orders a copy from the node, unless something has changed. Needs the write lock. */
    public void order(Copy copy, DatanodeStorageInfo[] targets) {
        if (state(copy.block().getBlockId()) == State.NEEDED) {
            node.addBlockToBeReplicated(copy.block(), targets);
            DatanodeStorageInfo.incrementBlocksScheduled(targets);
            blocks.pendingReconstruction.increment(copy.block(), targets);
        }
    }

    /** Has HDFS look again whether the blocks of a block's file have too many copies. Needs the write lock. */
    public void lookAgain(long id) {
        if (state(id) == State.ENOUGH) {
            blocks.checkRedundancy(blocks.getBlockCollection(blocks.getStoredBlock(new Block(id))));
        }
    }
}
