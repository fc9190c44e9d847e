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
package org.hadoopmpsr.namenode.store;

import java.util.OptionalInt;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.hadoopmpsr.core.format.UnknownVersionException;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.jspecify.annotations.Nullable;

/**
 * A file's statistics in its extended attribute, which is the only place where they are kept. They may be read without
 * a lock; the result is then valid now, or was valid a moment ago.
 */
public final class StoredStatistics {

    private static final long STATE_FACTOR = 0x9E3779B97F4A7C15L;

    private StoredStatistics() {}

    /** The value of the attribute for a file that is about to be published. Needs the read lock. */
    public static byte[] encode(StatisticsCodec codec, FileStatistics statistics, INodeFile file) {
        return codec.encode(
                file.getLocalName(),
                file.computeFileSize(),
                file.getModificationTime(),
                OptionalInt.of(blocksOf(file)),
                statistics);
    }

    /**
     * A hash of the ids, generation stamps and lengths of a file's blocks. An append and a truncate change it, also where
     * length and time are set back afterwards: HDFS gives no generation stamp twice. Needs the read lock.
     */
    public static int blocksOf(INodeFile file) {
        int hash = 1;
        for (BlockInfo block : file.getBlocks()) {
            hash = 31 * hash + Long.hashCode(block.getBlockId() * 31 + block.getGenerationStamp());
            hash = 31 * hash + Long.hashCode(block.getNumBytes());
        }
        return hash;
    }

    /** True if the file has the attribute, which published files have. */
    public static boolean isPublished(INodeFile file) {
        return Attributes.get(file, Attributes.FILE) != null;
    }

    /** The attribute without columns and partitions, or null if there is none that can be read. */
    public static @Nullable Header header(INodeFile file) {
        byte[] value = Attributes.get(file, Attributes.FILE);
        try {
            return value == null ? null : StatisticsCodec.header(file.getLocalName(), value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * The file with all its statistics, or null if there are none that can be read.
     *
     * @param directory the path of the file's directory
     */
    public static @Nullable DataFile read(StatisticsCodec codec, String directory, INodeFile file) {
        byte[] value = Attributes.get(file, Attributes.FILE);
        try {
            return value == null ? null : codec.file(directory, file.getLocalName(), file.getId(), value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Why the statistics of a file are of no use, if the reason is their version; otherwise null. */
    public static @Nullable String unknownVersion(INodeFile file) {
        byte[] value = Attributes.get(file, Attributes.FILE);
        try {
            if (value != null) {
                StatisticsCodec.header(file.getLocalName(), value);
            }
            return null;
        } catch (UnknownVersionException e) {
            return e.getMessage();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** True if the file is unchanged since it was published. Needs the read lock. */
    public static boolean isUnchanged(INodeFile file) {
        byte[] value = Attributes.get(file, Attributes.FILE);
        try {
            return value != null
                    && !file.isUnderConstruction()
                    && isAs(file, StatisticsCodec.header(file.getLocalName(), value));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * A number that is another one once the file was written to, truncated, or given another time. Needs the read lock, or
     * takes a state of any moment.
     */
    public static long stateOf(INodeFile file) {
        long times = file.getModificationTime() * 31 + file.computeFileSize();
        long state = times * STATE_FACTOR + blocksOf(file);
        return (state ^ state >>> 32) * STATE_FACTOR + (file.isUnderConstruction() ? 1 : 0);
    }

    /** Length and time decide alone if the blocks of then are not known. */
    private static boolean isAs(INodeFile file, Header published) {
        return published.length() == file.computeFileSize()
                && published.modificationTime() == file.getModificationTime()
                && (published.blocks().isEmpty() || published.blocks().getAsInt() == blocksOf(file));
    }
}
