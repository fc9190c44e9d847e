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
package org.hadoopmpsr.mount.view;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.hadoopmpsr.mount.fuse.Attributes;

/** What HDFS tells of a file or directory, as {@code stat} shows it. */
final class StatusView {
    private static final int RIGHTS = 01777;
    private static final int WRITE_RIGHTS = 0222;
    /** Programs read so many bytes at once. */
    private static final int BLOCK_SIZE = 1 << 20;
    /** Set in the numbers of directories that are in the mount only; HDFS counts up from below. */
    private static final long VIRTUAL = 1L << 62;
    /** Set in the numbers of what lies in snapshots. */
    private static final long OF_SNAPSHOT = 1L << 61;
    /** 2^64 divided by the golden ratio, which is odd: a product with it spreads neighbours. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final String SNAPSHOTS = Path.SEPARATOR + HdfsConstants.DOT_SNAPSHOT_DIR + Path.SEPARATOR;

    private final Owners owners;

    StatusView(Owners owners) {
        this.owners = owners;
    }

    /**
     * The number that HDFS gave a file or directory; it has it as long as it lives, under any name. HDFS gives the copy in a snapshot
     * the number of the live file. Programs would take both for one file, so the copy gets another number, which stays.
     */
    static long fileId(FileStatus status) {
        if (!(status instanceof HdfsFileStatus hdfs)) {
            return 0;
        }
        String path = status.getPath().toUri().getPath();
        return isInSnapshot(path) ? OF_SNAPSHOT | (hash(path, hdfs.getFileId()) & (OF_SNAPSHOT - 1)) : hdfs.getFileId();
    }

    /** True for the directory of snapshots of a directory, and for all that lies below it. */
    static boolean isInSnapshot(String path) {
        return (path + Path.SEPARATOR).contains(SNAPSHOTS);
    }

    /** A hash of a snapshot and of the number of what lies there. */
    private static long hash(String path, long fileId) {
        int name = path.indexOf(SNAPSHOTS) + SNAPSHOTS.length();
        int end = name > path.length() ? -1 : path.indexOf(Path.SEPARATOR_CHAR, name);
        String snapshot = end < 0 ? path : path.substring(0, end);
        return (fileId ^ (snapshot.hashCode() * SPREAD)) * SPREAD;
    }

    /**
     * The attributes.
     *
     * @param size the length, which may be more than HDFS tells of a file that is being written
     */
    Attributes attributes(FileStatus status, long size) {
        boolean directory = status.isDirectory();
        int mode = status.getPermission().toShort() & RIGHTS;
        return new Attributes(
                fileId(status),
                directory ? 0 : size,
                directory ? status.getModificationTime() : status.getAccessTime(),
                status.getModificationTime(),
                mode | (directory ? Attributes.DIRECTORY : Attributes.FILE),
                directory ? 2 : 1,
                owners.user(status.getOwner()),
                owners.group(status.getGroup()),
                BLOCK_SIZE);
    }

    /** The attributes of a dataset directory's directory of groups. */
    Attributes ofGroups(FileStatus dataset) {
        Attributes same = attributes(dataset, 0);
        return new Attributes(
                virtualId(dataset),
                0,
                same.modificationTimeMs(),
                same.modificationTimeMs(),
                same.mode() & ~WRITE_RIGHTS,
                same.links(),
                same.user(),
                same.group(),
                BLOCK_SIZE);
    }

    /** The number of a dataset directory's directory of groups. */
    static long virtualId(FileStatus dataset) {
        return fileId(dataset) | VIRTUAL;
    }
}
