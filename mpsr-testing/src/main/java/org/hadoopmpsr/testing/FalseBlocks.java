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

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;

/** Blocks of a mini cluster whose bytes change below HDFS, with checksums that fit, as when memory fails before a checksum is made. */
public final class FalseBlocks {
    private FalseBlocks() {}

    /**
     * Changes the bytes of all replicas of a file's first block.
     *
     * @param change is given the bytes, and changes them in place
     */
    public static void change(MiniDFSCluster cluster, String path, Consumer<byte[]> change) throws IOException {
        LocatedBlock located = cluster.getNameNodeRpc()
                .getBlockLocations(path, 0, Long.MAX_VALUE)
                .getLocatedBlocks()
                .get(0);
        ExtendedBlock block = located.getBlock();
        for (int node = 0; node < cluster.getDataNodes().size(); node++) {
            File data = cluster.getBlockFile(node, block);
            if (data != null && data.exists()) {
                byte[] bytes = Files.readAllBytes(data.toPath());
                change.accept(bytes);
                Files.write(data.toPath(), bytes);
                writeChecksums(cluster.getBlockMetadataFile(node, block), bytes);
            }
        }
    }

    private static void writeChecksums(File meta, byte[] bytes) throws IOException {
        DataChecksum checksum;
        try (DataInputStream in = new DataInputStream(Files.newInputStream(meta.toPath()))) {
            checksum = BlockMetadataHeader.readHeader(in).getChecksum();
        }
        int chunks = (bytes.length + checksum.getBytesPerChecksum() - 1) / checksum.getBytesPerChecksum();
        byte[] sums = new byte[chunks * checksum.getChecksumSize()];
        checksum.calculateChunkedSums(bytes, 0, bytes.length, sums, 0);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(meta.toPath()))) {
            BlockMetadataHeader.writeHeader(out, checksum);
            out.write(sums);
        }
    }
}
