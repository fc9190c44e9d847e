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

import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hadoopmpsr.client.Wire;
import org.hadoopmpsr.client.proto.MpsrProtos.FileStatisticsProto;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/** A file's statistics as its extended attribute holds them. */
final class StoredStatistics {

    private StoredStatistics() {}

    /** The attribute's value for a file that is about to be published. */
    static byte[] encode(FileStatisticsProto statistics, INodeFile file) {
        return statistics.toBuilder()
                .setLength(file.computeFileSize())
                .setModificationTime(file.getModificationTime())
                .build()
                .toByteArray();
    }

    /** A file and the value of its attribute, which takes a while to read. */
    record Unread(String path, long fileId, byte[] attribute) {

        /** The file as it was published, or null where its attribute cannot be read. Needs no lock. */
        @Nullable
        DataFile read() {
            try {
                FileStatisticsProto proto = FileStatisticsProto.parseFrom(attribute);
                return new DataFile(
                        path, fileId, proto.getLength(), proto.getModificationTime(), Wire.statistics(proto));
            } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
                return null;
            }
        }
    }

    /**
     * The file, or null where it was not published. Needs the read lock.
     *
     * @param path the file's path
     */
    static @Nullable Unread find(String path, INodeFile file) {
        byte[] value = Attributes.get(file, Attributes.FILE);
        return value == null ? null : new Unread(path, file.getId(), value);
    }

    /** The file as it was published, or null where it was not. Needs the read lock. */
    static @Nullable DataFile read(String path, INodeFile file) {
        Unread unread = find(path, file);
        return unread == null ? null : unread.read();
    }

    /** True when the file is still as it was published. Needs the read lock. */
    static boolean unchanged(DataFile published, String path, INodeFile file) {
        return !file.isUnderConstruction()
                && published.length() == file.computeFileSize()
                && published.modificationTime() == file.getModificationTime()
                && published.path().equals(path);
    }
}
