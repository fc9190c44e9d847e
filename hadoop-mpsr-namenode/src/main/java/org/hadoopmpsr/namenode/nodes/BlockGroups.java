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

/** The replica groups of blocks. */
public final class BlockGroups {
    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final Placement placement;

    public BlockGroups(MpsrNamesystem system, Datasets datasets, Placement placement) {
        this.system = system;
        this.datasets = datasets;
        this.placement = placement;
    }

    /** False where no block can have a group: there is no dataset, nor what is left of one that was dropped. */
    public boolean any() {
        return !datasets.all().isEmpty() || !datasets.dropped().isEmpty();
    }

    /** True when there is a file with this block. Takes the read lock. */
    public boolean isKnown(long blockId) throws IOException {
        return system.read(() -> system.fileOf(blockId)) != null;
    }

    /** True when the block is not being written. Takes the read lock. */
    public boolean isComplete(long blockId) throws IOException {
        return system.read(() -> {
            BlockInfo block = system.blocks().getStoredBlock(new Block(blockId));
            return block != null && block.isComplete();
        });
    }

    /** The group of a block's file; empty for a file outside datasets, or none. Takes the read lock. */
    public Optional<String> of(long blockId) throws IOException {
        String path = system.read(() -> system.fileOf(blockId));
        return path == null ? Optional.empty() : placement.groupOf(path);
    }

    /** The group of a file; empty for one outside datasets. */
    public Optional<String> ofFile(String path) {
        return placement.groupOf(path);
    }

    /** Those of the blocks that belong to files of another group than this. Takes the read lock once. */
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
