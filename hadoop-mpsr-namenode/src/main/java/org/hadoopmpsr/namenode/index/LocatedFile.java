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

import java.util.List;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * A file and its blocks.
 *
 * @param blocks in the order of the file; empty for a vanished file, or if the blocks were not looked up
 */
public record LocatedFile(DataFile file, List<Block> blocks) {

    /**
     * A part of a file.
     *
     * @param offset in bytes from the start of the file
     * @param length in bytes
     * @param hosts the hosts that hold a replica, by the names that HDFS has
     */
    public record Block(long offset, long length, List<String> hosts) {}

    /** True if the file can be read completely. */
    public boolean isReadable() {
        long length = 0;
        for (Block block : blocks) {
            if (block.hosts().isEmpty()) {
                return false;
            }
            length += block.length();
        }
        return length == file.length();
    }
}
