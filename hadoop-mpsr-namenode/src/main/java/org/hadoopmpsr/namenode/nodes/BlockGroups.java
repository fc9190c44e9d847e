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
package org.hadoopmpsr.namenode.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.namenode.dataset.Datasets;

/** Finds the replica groups of blocks. */
public final class BlockGroups {
    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final Placement placement;

    public BlockGroups(MpsrNamesystem system, Datasets datasets, Placement placement) {
        this.system = system;
        this.datasets = datasets;
        this.placement = placement;
    }

    /** False if no block can have a group, because there is no dataset and no rest of a dropped one. */
    public boolean any() {
        return !datasets.all().isEmpty() || !datasets.dropped().isEmpty();
    }

    /** True if a file has this block. Takes the read lock. */
    public boolean isKnown(long blockId) throws IOException {
        return system.read(() -> system.fileOf(blockId)) != null;
    }

    /** True if the block is not being written. Takes the read lock. */
    public boolean isComplete(long blockId) throws IOException {
        return system.read(() -> {
            BlockInfo block = system.blocks().getStoredBlock(new Block(blockId));
            return block != null && block.isComplete();
        });
    }

    /** The group of a block's file; empty for a file outside datasets, or if there is no file. Takes the read lock. */
    public Optional<String> of(long blockId) throws IOException {
        String path = system.read(() -> system.fileOf(blockId));
        return path == null ? Optional.empty() : placement.groupOf(path);
    }

    /** The group of a file; empty for a file outside datasets. */
    public Optional<String> ofFile(String path) {
        return placement.groupOf(path);
    }

    /** The blocks whose files belong to another group than the given one. Takes the read lock once. */
    public List<Block> others(String group, List<Block> blocks) throws IOException {
        return system.read(() -> {
            List<Block> others = new ArrayList<>();
            for (Block block : blocks) {
                String path = system.fileOf(block.getBlockId());
                Optional<String> own = path == null ? Optional.empty() : placement.groupOf(path);
                if (own.isPresent() && !own.get().equals(group)) {
                    others.add(block);
                }
            }
            return others;
        });
    }
}
