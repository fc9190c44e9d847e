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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.proto.MpsrProtos.BlockProto;
import org.hadoopmpsr.core.stats.DataFile;

/** Where the blocks of files lie. Takes the read lock in short holds. */
final class FileBlocks {
    private static final int STEP = 1_000;

    private final MpsrNamesystem system;

    FileBlocks(MpsrNamesystem system) {
        this.system = system;
    }

    /**
     * The blocks of each file, with the hosts that hold a live replica.
     *
     * @return a list for each file, in their order; a file that has vanished is one without blocks
     */
    List<List<BlockProto>> of(List<DataFile> files) throws IOException {
        List<List<BlockProto>> blocks = new ArrayList<>(files.size());
        for (int from = 0; from < files.size(); from += STEP) {
            List<DataFile> step = files.subList(from, Math.min(from + STEP, files.size()));
            system.read(() -> {
                step.forEach(f -> blocks.add(of(f)));
                return true;
            });
        }
        return blocks;
    }

    /** True when a file of this length can be read whole. */
    static boolean isReadable(DataFile file, List<BlockProto> blocks) {
        long length = 0;
        for (BlockProto block : blocks) {
            if (block.getHostCount() == 0) {
                return false;
            }
            length += block.getLength();
        }
        return length == file.length();
    }

    private List<BlockProto> of(DataFile file) {
        INode inode = system.directory().getInode(file.fileId());
        List<BlockProto> blocks = new ArrayList<>();
        if (inode == null || !inode.isFile()) {
            return blocks;
        }
        long offset = 0;
        for (BlockInfo block : inode.asFile().getBlocks()) {
            BlockProto.Builder proto = BlockProto.newBuilder().setOffset(offset).setLength(block.getNumBytes());
            ReadableReplicas.of(system.blocks(), block).forEach(node -> proto.addHost(node.getHostName()));
            blocks.add(proto.build());
            offset += block.getNumBytes();
        }
        return blocks;
    }
}
