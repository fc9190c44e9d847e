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
package org.hadoopmpsr.testing;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Files of a mini cluster whose blocks the DataNodes lose, as when a disk loses them. */
public final class LostFiles {
    private LostFiles() {}

    /**
     * Lets the DataNodes lose all replicas of a file. The NameNode learns of it with their next reports: {@link #isLost} tells
     * when. The cluster has one NameNode.
     */
    public static void lose(MiniDFSCluster cluster, String path) throws IOException {
        lose(cluster, 0, path);
    }

    /** The same where there are several NameNodes, of which the one with this number is active. */
    public static void lose(MiniDFSCluster cluster, int active, String path) throws IOException {
        for (LocatedBlock block : blocks(cluster, active, path)) {
            for (DatanodeInfo location : block.getLocations()) {
                for (DataNode node : cluster.getDataNodes()) {
                    if (node.getDatanodeUuid().equals(location.getDatanodeUuid())) {
                        node.getFSDataset().invalidate(block.getBlock().getBlockPoolId(), new Block[] {
                            block.getBlock().getLocalBlock()
                        });
                    }
                }
            }
        }
    }

    /** True if the NameNode knows no replica of some block of the file. */
    public static boolean isLost(MiniDFSCluster cluster, String path) throws IOException {
        return blocks(cluster, 0, path).stream().anyMatch(block -> block.getLocations().length == 0);
    }

    private static List<LocatedBlock> blocks(MiniDFSCluster cluster, int active, String path) throws IOException {
        return cluster.getNameNodeRpc(active)
                .getBlockLocations(path, 0, Long.MAX_VALUE)
                .getLocatedBlocks();
    }
}
