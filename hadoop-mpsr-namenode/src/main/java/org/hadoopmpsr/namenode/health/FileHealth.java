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
package org.hadoopmpsr.namenode.health;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.PartitionIndex;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.store.LockSteps;

/**
 * Looks at how the published files of a group lie in HDFS: whether they can be read, on which nodes their blocks are, and
 * how many copies HDFS keeps. A file that is not in its place any more is passed over. Takes the read lock for about a
 * thousand files at a time.
 */
public final class FileHealth {
    /** So many files and copies are remembered to be put right. */
    private static final int MOST = 10_000;

    private final MpsrNamesystem system;
    private final Allocation allocation;

    public FileHealth(MpsrNamesystem system, Allocation allocation) {
        this.system = system;
        this.allocation = allocation;
    }

    /** A copy of a block on a DataNode that is not of the group of the block's file. */
    public record MisplacedCopy(Block block, String node) {}

    /** A file with further copies; the bytes are those of one copy. */
    public record Raised(long id, long bytes, int copies) {}

    /** What was found of one group, in one look. For one thread. */
    public final class Look {
        private final String group;
        private final int replication;
        private final int most;
        private final List<Raised> raised = new ArrayList<>();
        private final List<MisplacedCopy> misplaced = new ArrayList<>();
        private final List<Long> otherReplication = new ArrayList<>();
        private long degradedFiles;
        private long misplacedBlocks;
        private long otherReplicationFiles;

        private Look(String group, int replication, int most) {
            this.group = group;
            this.replication = replication;
            this.most = most;
        }

        /** The files with a block that has no live replica. */
        long degradedFiles() {
            return degradedFiles;
        }

        /** The blocks with a copy on a node of another group, or of none. */
        public long misplacedBlocks() {
            return misplacedBlocks;
        }

        /** The files of which HDFS keeps fewer copies than the group asks for, or more than they may have. */
        long otherReplicationFiles() {
            return otherReplicationFiles;
        }

        /** The first of the misplaced copies. */
        public List<MisplacedCopy> misplaced() {
            return misplaced;
        }

        /** The files with further copies, as many as the group's files may have. */
        public List<Raised> raised() {
            return raised;
        }

        /** The inode ids of the first files with another number of copies. */
        public List<Long> otherReplication() {
            return otherReplication;
        }

        public int replication() {
            return replication;
        }

        public String group() {
            return group;
        }

        private void add(INodeFile file) {
            boolean lost = false;
            for (BlockInfo block : file.getBlocks()) {
                if (block.isComplete()) {
                    List<DatanodeDescriptor> nodes = ReadableReplicas.of(system.blocks(), block);
                    lost |= nodes.isEmpty();
                    add(block, nodes);
                }
            }
            degradedFiles += lost ? 1 : 0;
            int copies = file.getFileReplication();
            if (copies > replication && copies <= most) {
                raised.add(new Raised(file.getId(), file.computeFileSize(), copies));
            } else if (copies != replication) {
                otherReplicationFiles++;
                // not before its copies outside are known: HDFS deletes those first
                if (otherReplication.size() < MOST && misplaced.size() < MOST) {
                    otherReplication.add(file.getId());
                }
            }
        }

        private void add(BlockInfo block, List<DatanodeDescriptor> nodes) {
            boolean outside = false;
            for (DatanodeDescriptor node : nodes) {
                if (!group.equals(allocation.recorded().get(node.getDatanodeUuid()))) {
                    outside = true;
                    if (misplaced.size() < MOST) {
                        misplaced.add(new MisplacedCopy(new Block(block), node.getDatanodeUuid()));
                    }
                }
            }
            misplacedBlocks += outside ? 1 : 0;
        }
    }

    /** True if each block of a group's files has a live replica. */
    public boolean isReadable(GroupIndex index) throws IOException {
        return look(index, "", 1, 1).degradedFiles() == 0;
    }

    /**
     * Looks at all files.
     *
     * @param replication the copies of each block that the group asks for
     * @param most the most copies that a file may have, at least {@code replication}
     */
    Look look(GroupIndex index, String group, int replication, int most) throws IOException {
        Look look = new Look(group, replication, most);
        for (Map.Entry<Long, PartitionIndex> entry : index.byDirectory().entrySet()) {
            LockSteps.read(
                    system,
                    entry.getValue().inodes(),
                    files -> add(look, system.directory().getInode(entry.getKey()), files));
        }
        return look;
    }

    private static void add(Look look, INode parent, List<INodeFile> files) {
        if (parent == null || !parent.isDirectory()) {
            return;
        }
        INodeDirectory directory = parent.asDirectory();
        for (INodeFile file : files) {
            INode child = directory.getChild(file.getLocalNameBytes(), Snapshot.CURRENT_STATE_ID);
            if (child != null && child.getId() == file.getId() && child.isFile()) {
                look.add(child.asFile());
            }
        }
    }
}
