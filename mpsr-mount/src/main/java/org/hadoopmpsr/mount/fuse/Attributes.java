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
package org.hadoopmpsr.mount.fuse;

import java.nio.ByteBuffer;

/**
 * What {@code stat} shows of a file or directory.
 *
 * @param inode its number in the file system
 * @param size in bytes
 * @param accessTimeMs since 1970
 * @param modificationTimeMs since 1970; also the time of the last change of the attributes, which HDFS does not keep
 * @param mode kind and rights
 * @param links the number of its names
 * @param user the number of the owner
 * @param group the number of the group
 * @param blockSize the best size of a read
 */
public record Attributes(
        long inode,
        long size,
        long accessTimeMs,
        long modificationTimeMs,
        int mode,
        int links,
        int user,
        int group,
        int blockSize) {
    /** The bit of {@link #mode} for a directory. */
    public static final int DIRECTORY = 0040000;
    /** The bit of {@link #mode} for a file. */
    public static final int FILE = 0100000;

    /** For how long the kernel takes attributes and names as they were. */
    static final long VALID_SECONDS = 1;

    private static final int SECTOR = 512;
    private static final int NS_PER_MS = 1_000_000;

    /** As the kernel lists the kind in a directory. */
    int kind() {
        return mode >> 12;
    }

    void put(ByteBuffer out) {
        out.putLong(inode).putLong(size).putLong((size + SECTOR - 1) / SECTOR);
        out.putLong(Math.floorDiv(accessTimeMs, 1000L));
        out.putLong(Math.floorDiv(modificationTimeMs, 1000L)).putLong(Math.floorDiv(modificationTimeMs, 1000L));
        out.putInt((int) Math.floorMod(accessTimeMs, 1000L) * NS_PER_MS);
        int modified = (int) Math.floorMod(modificationTimeMs, 1000L) * NS_PER_MS;
        out.putInt(modified).putInt(modified);
        out.putInt(mode).putInt(links).putInt(user).putInt(group).putInt(0);
        out.putInt(blockSize).putInt(0);
    }

    /** With the time for which they hold. */
    void putTimed(ByteBuffer out) {
        out.putLong(VALID_SECONDS).putInt(0).putInt(0);
        put(out);
    }
}
