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
package org.hadoopmpsr.client;

import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hadoopmpsr.client.proto.MpsrProtos.StagedFileProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A file that lies in a commit's staging directory.
 *
 * @param relativePath below the group's directory there: partition directories and the file's name
 * @param length the bytes that were written, which the NameNode compares with the file's length; {@link #UNKNOWN}: it does
 *     not compare
 */
public record StagedFile(String group, String relativePath, FileStatistics statistics, long length) {
    /** The length of a file whose writer does not state it. */
    public static final long UNKNOWN = -1;

    /** A file whose length is not stated. */
    public StagedFile(String group, String relativePath, FileStatistics statistics) {
        this(group, relativePath, statistics, UNKNOWN);
    }

    /** The file as bytes, for a process of the same version. */
    public byte[] toBytes() {
        return proto().toByteArray();
    }

    StagedFileProto proto() {
        return StagedFileProto.newBuilder()
                .setGroup(group)
                .setRelativePath(relativePath)
                .setStatistics(Wire.statistics(statistics))
                .setLength(length)
                .build();
    }

    /** The file of {@link #toBytes}. */
    public static StagedFile of(byte[] bytes) {
        try {
            StagedFileProto proto = StagedFileProto.parseFrom(bytes);
            return new StagedFile(
                    proto.getGroup(),
                    proto.getRelativePath(),
                    Wire.statistics(proto.getStatistics()),
                    proto.getLength());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("the bytes are no staged file", e);
        }
    }
}
