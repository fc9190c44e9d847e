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

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.hadoopmpsr.client.proto.MpsrProtos.CommitProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SourceProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * A commit that is published or about to be. Kept as {@link Attributes#COMMIT} on the commit's directory. Immutable.
 *
 * @param sources the offsets that the commit's records come from
 * @param content the commit's records, each counted once; null if an earlier version has written the record
 * @param passedOver the number of offsets of each source that has far more offsets than the commit has records
 */
public record CommitRecord(
        String id, List<CommitSource> sources, @Nullable ContentHash content, Map<CommitSource, Long> passedOver) {
    public CommitRecord {
        sources = List.copyOf(sources);
        passedOver = Map.copyOf(passedOver);
    }

    /**
     * Reads what is kept on a commit's directory. Needs the read lock.
     *
     * @throws IOException if nothing is, or it cannot be read
     */
    public static CommitRecord on(INode directory) throws IOException {
        String path = directory.getFullPathName();
        byte[] value = Attributes.get(directory, Attributes.COMMIT);
        if (value == null) {
            throw new IOException(path + " has lost its attribute " + Attributes.COMMIT
                    + "; move it away when its files are not wanted");
        }
        CommitProto proto = StoredRecords.commit(value, path);
        Map<CommitSource, Long> passedOver = proto.getSourceList().stream()
                .filter(SourceProto::hasPassedOver)
                .collect(Collectors.toMap(Wire::source, SourceProto::getPassedOver));
        return new CommitRecord(
                proto.getId(),
                proto.getSourceList().stream().map(Wire::source).toList(),
                proto.hasContent() ? Wire.content(proto.getContent()) : null,
                passedOver);
    }

    public byte[] encode() {
        CommitProto.Builder proto = CommitProto.newBuilder().setId(id).setFormatVersion(StoredForm.COMMIT.version());
        if (content != null) {
            proto.setContent(Wire.content(content));
        }
        for (CommitSource source : sources) {
            SourceProto.Builder kept = Wire.source(source).toBuilder();
            Long offsets = passedOver.get(source);
            proto.addSource(offsets == null ? kept : kept.setPassedOver(offsets));
        }
        return proto.build().toByteArray();
    }
}
