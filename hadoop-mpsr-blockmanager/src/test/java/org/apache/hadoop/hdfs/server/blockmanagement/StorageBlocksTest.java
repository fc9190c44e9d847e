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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.Test;

class StorageBlocksTest {
    private static final int PART = 10;

    private final DatanodeStorageInfo storage = Replicas.on(
            new DatanodeDescriptor(new DatanodeID("127.0.0.1", "dn0.test", "uuid-0", 9866, 9864, 9865, 9867)));
    private final List<BlockInfo> blocks = new ArrayList<>();

    private BlockInfo add(long id) {
        BlockInfo block = new BlockInfoContiguous(new Block(id, 1, 1), (short) 3);
        storage.addBlock(block);
        blocks.add(block);
        return block;
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            add((long) i);
        }
    }

    private static long[] listed(StorageBlocks listing) throws IOException {
        while (true) {
            int more = listing.list(PART);
            assertThat(more).isLessThanOrEqualTo(PART);
            if (more < PART) {
                return listing.ids();
            }
        }
    }

    private static long[] ids(int below) {
        return LongStream.range(0, below).toArray();
    }

    @Test
    void allBlocksAreListedInParts() throws IOException {
        for (int count : new int[] {0, 1, PART - 1, PART, PART + 1, 5 * PART, 10}) {
            blocks.forEach(storage::removeBlock);
            blocks.clear();
            fill(count);
            assertThat(listed(new StorageBlocks(storage))).as(count + " blocks").containsExactlyInAnyOrder(ids(count));
        }
    }

    @Test
    void blocksThatComeAndGoMeanwhileHideNoOther() throws IOException {
        fill(5 * PART);
        StorageBlocks listing = new StorageBlocks(storage);
        listing.list(PART);
        add(1_000);
        storage.removeBlock(blocks.get(0)); // the last one
        storage.removeBlock(blocks.get(5 * PART - 1)); // listed already
        assertThat(listed(listing)).contains(LongStream.range(1, 5 * PART - 1).toArray());
    }

    @Test
    void theListBeginsAgainIfItsPlaceIsLost() throws IOException {
        fill(5 * PART);
        StorageBlocks listing = new StorageBlocks(storage);
        listing.list(PART);
        storage.removeBlock(blocks.get(4 * PART)); // the last one that was listed

        long[] left = LongStream.range(0, 5 * PART).filter(id -> id != 4 * PART).toArray();
        assertThat(listed(listing)).containsExactlyInAnyOrder(left);
    }

    /** A full report moves each block that it names to the head of the list. */
    @Test
    void theListBeginsAgainAfterABlockReport() throws IOException {
        fill(5 * PART);
        StorageBlocks listing = new StorageBlocks(storage);
        listing.list(PART);
        for (BlockInfo block : blocks.subList(0, 3 * PART)) {
            BlockInfo head = storage.getBlockIterator().next();
            storage.moveBlockToHead(block, block.findStorageInfo(storage), head.findStorageInfo(storage));
        }
        storage.receivedBlockReport();

        assertThat(listed(listing)).containsExactlyInAnyOrder(ids(5 * PART));
    }

    @Test
    void aListThatEndsNeverIsGivenUp() throws IOException {
        fill(5 * PART);
        StorageBlocks listing = new StorageBlocks(storage);
        for (int i = 0; i < 10; i++) {
            listing.list(PART);
            storage.receivedBlockReport();
        }
        assertThatThrownBy(() -> listing.list(PART))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("change faster than they are listed");
    }
}
