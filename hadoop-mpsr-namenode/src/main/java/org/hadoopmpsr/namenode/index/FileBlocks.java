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
package org.hadoopmpsr.namenode.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.hash.Mix64;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.store.LockSteps;

/** Finds the hosts of files' blocks. Takes the read lock in short holds. */
public final class FileBlocks {
    private final MpsrNamesystem system;

    public FileBlocks(MpsrNamesystem system) {
        this.system = system;
    }

    /** The files in the given order, each with its blocks and the hosts that hold a live replica of them. */
    public List<LocatedFile> of(List<DataFile> files, WorkLimit limit) throws IOException {
        return of(files, ReadableReplicas::of, limit);
    }

    /** The files with their blocks and only those hosts that sent a heartbeat recently. */
    public List<LocatedFile> fresh(List<DataFile> files, WorkLimit limit) throws IOException {
        return of(files, ReadableReplicas::fresh, limit);
    }

    /** The DataNodes that HDFS reports as slow. */
    public SlowNodes slowNodes() {
        return SlowNodes.of(system.blocks().getDatanodeManager());
    }

    /** The files with their blocks and only those hosts that sent a heartbeat recently and are not slow. */
    public List<LocatedFile> beside(SlowNodes slow, List<DataFile> files, WorkLimit limit) throws IOException {
        return of(
                files,
                (blocks, block) -> {
                    List<DatanodeDescriptor> fresh = ReadableReplicas.fresh(blocks, block);
                    fresh.removeIf(slow::has);
                    return fresh;
                },
                limit);
    }

    /** In each hold of the lock, files with so many blocks together. */
    private List<LocatedFile> of(
            List<DataFile> files,
            BiFunction<BlockManager, BlockInfo, List<DatanodeDescriptor>> replicas,
            WorkLimit limit)
            throws IOException {
        List<LocatedFile> located = new ArrayList<>(files.size());
        while (located.size() < files.size()) {
            int before = located.size();
            system.read(() -> {
                for (int seen = 0; seen < LockSteps.SIZE && located.size() < files.size(); seen++) {
                    DataFile file = files.get(located.size());
                    List<LocatedFile.Block> blocks = of(file, replicas);
                    located.add(new LocatedFile(file, blocks));
                    seen += blocks.size();
                }
                return true;
            });
            limit.spend(located.size() - before);
        }
        return located;
    }

    /** The files with their blocks, or without blocks if the request is not for reading. */
    public List<LocatedFile> of(List<DataFile> files, ReadRequest readRequest, WorkLimit limit) throws IOException {
        return readRequest.compared()
                ? files.stream().map(f -> new LocatedFile(f, List.of())).toList()
                : of(files, limit);
    }

    /**
     * A number that stands for the places where the files can be read. It changes when a replica is added or removed,
     * when the heartbeats of a replica's node stop for a while or return, when HDFS reports it as slow or no longer, and when a
     * file gets other blocks.
     *
     * @param fileIds the inode ids of the files
     * @return empty if one of the files has vanished, or has a block without a live replica on a node with recent
     *     heartbeats
     */
    public OptionalLong places(long[] fileIds) throws IOException {
        long places = fileIds.length;
        SlowNodes slow = slowNodes();
        for (LockSteps.Range range : LockSteps.ranges(fileIds.length)) {
            OptionalLong step = system.read(() -> places(fileIds, range.from(), range.to(), slow));
            if (step.isEmpty()) {
                return step;
            }
            places = Mix64.of(places) + step.getAsLong();
        }
        return OptionalLong.of(places);
    }

    private OptionalLong places(long[] fileIds, int from, int to, SlowNodes slow) {
        long places = 0;
        for (int i = from; i < to; i++) {
            INode inode = system.directory().getInode(fileIds[i]);
            if (inode == null || !inode.isFile()) {
                return OptionalLong.empty();
            }
            for (BlockInfo block : inode.asFile().getBlocks()) {
                List<DatanodeDescriptor> nodes = ReadableReplicas.fresh(system.blocks(), block);
                if (nodes.isEmpty()) {
                    return OptionalLong.empty();
                }
                places = Mix64.of(places + Mix64.of(block.getBlockId()) + block.getNumBytes());
                for (DatanodeDescriptor node : nodes) {
                    long place = Mix64.of(
                            block.getBlockId() ^ ((long) node.getDatanodeUuid().hashCode() << Integer.SIZE));
                    places += slow.has(node) ? Mix64.of(place) : place;
                }
            }
        }
        return OptionalLong.of(places);
    }

    /** The number of files that cannot be read completely, if they are to be read. */
    public static long lost(List<LocatedFile> files, ReadRequest readRequest) {
        return readRequest.compared()
                ? 0
                : files.stream().filter(f -> !f.isReadable()).count();
    }

    private List<LocatedFile.Block> of(
            DataFile file, BiFunction<BlockManager, BlockInfo, List<DatanodeDescriptor>> replicas) {
        INode inode = system.directory().getInode(file.fileId());
        List<LocatedFile.Block> blocks = new ArrayList<>();
        if (inode == null || !inode.isFile()) {
            return blocks;
        }
        long offset = 0;
        for (BlockInfo block : inode.asFile().getBlocks()) {
            List<String> hosts = replicas.apply(system.blocks(), block).stream()
                    .map(DatanodeDescriptor::getHostName)
                    .toList();
            blocks.add(new LocatedFile.Block(offset, block.getNumBytes(), hosts));
            offset += block.getNumBytes();
        }
        return blocks;
    }
}
