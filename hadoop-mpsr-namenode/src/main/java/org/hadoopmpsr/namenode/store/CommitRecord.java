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
import org.hadoopmpsr.client.proto.MpsrProtos.ChangeKindProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CommitProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SourceProto;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.DatasetChange.Kind;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * A change that is published or about to be. Kept as {@link Attributes#COMMIT} on the commit's directory, its
 * segments and the replaced files as {@link ChangeLists}. Immutable.
 *
 * @param content the commit's records, each counted once; null if an earlier version has written the record, of a rebuild, a delete and
 *     a rollback
 * @param passedOver the number of offsets of each source that has far more offsets than the commit has records
 * @param sequence the number of the change; 0 if the dataset does not count its changes
 * @param groups what it adds to each group; none if the dataset does not count its changes
 */
public record CommitRecord(
        DatasetChange change,
        @Nullable ContentHash content,
        Map<CommitSource, Long> passedOver,
        long sequence,
        Map<String, Segment.Group> groups) {
    public CommitRecord {
        passedOver = Map.copyOf(passedOver);
        groups = Map.copyOf(groups);
    }

    /** Of a change whose number is not given yet. */
    public CommitRecord(DatasetChange change, @Nullable ContentHash content, Map<CommitSource, Long> passedOver) {
        this(change, content, passedOver, 0, Map.of());
    }

    public String id() {
        return change.id();
    }

    public List<CommitSource> sources() {
        return change.sources();
    }

    /** This with the number of the change, and what it adds. */
    public CommitRecord counted(long number, Map<String, Segment.Group> added) {
        return new CommitRecord(change, content, passedOver, number, added);
    }

    /**
     * Reads what is kept on a commit's directory. Needs the read lock.
     *
     * @throws IOException if nothing is, or it cannot be read
     */
    public static CommitRecord on(INode directory) throws IOException {
        String path = directory.getFullPathName();
        CommitProto proto = StoredRecords.commit(value(directory, path, Attributes.COMMIT), path);
        Map<CommitSource, Long> passedOver = proto.getSourceList().stream()
                .filter(SourceProto::hasPassedOver)
                .collect(Collectors.toMap(Wire::source, SourceProto::getPassedOver));
        Kind kind = Kind.valueOf(proto.getKind().name());
        List<String> segments = ChangeLists.segments(directory, path, proto.getRemoves());
        if (proto.getRestores() < 0 || proto.getRestores() > segments.size()) {
            throw StoredRecords.unreadable(
                    StoredForm.COMMIT.title(),
                    path,
                    "it restores " + Integer.toUnsignedString(proto.getRestores()) + " of " + segments.size()
                            + " segments",
                    null);
        }
        int removes = segments.size() - proto.getRestores();
        DatasetChange change = new DatasetChange(
                proto.getId(),
                kind,
                proto.getSourceList().stream().map(Wire::source).toList(),
                kind == Kind.REBUILD ? List.of() : segments.subList(0, removes),
                kind == Kind.REBUILD || kind == Kind.ACCEPT || kind == Kind.ADOPT
                        ? new Rebuild(
                                proto.getRebuiltGroup(),
                                segments,
                                ChangeLists.files(directory, path, proto.getReplaces()))
                        : null,
                segments.subList(removes, segments.size()));
        return new CommitRecord(
                change,
                proto.hasContent() ? content(proto.getContent(), path) : null,
                passedOver,
                proto.getSequence(),
                groups(proto, path));
    }

    private static ContentHash content(ContentHashProto proto, String path) throws IOException {
        try {
            return Wire.content(proto);
        } catch (IllegalArgumentException e) {
            throw StoredRecords.unreadable(StoredForm.COMMIT.title(), path, String.valueOf(e.getMessage()), e);
        }
    }

    private static Map<String, Segment.Group> groups(CommitProto proto, String path) throws IOException {
        try {
            return SegmentWire.groups(proto.getGroupList());
        } catch (IllegalArgumentException e) {
            throw StoredRecords.unreadable(StoredForm.COMMIT.title(), path, String.valueOf(e.getMessage()), e);
        }
    }

    static byte[] value(INode directory, String path, String name) throws IOException {
        byte[] value = Attributes.get(directory, name);
        if (value == null) {
            throw new IOException(
                    path + " has lost its attribute " + name + "; move it away when its files are not wanted");
        }
        return value;
    }

    /** The first one that knows the kind of the change: readers of older ones would take it for another kind. */
    private int version() {
        return switch (change.kind()) {
            case APPEND, REWRITE -> 1;
            case REBUILD -> 2;
            case ACCEPT -> 3;
            case DELETE -> 4;
            case ADOPT -> 5;
            case ROLLBACK -> 6;
            case OVERWRITE -> 7;
        };
    }

    /** The value of {@link Attributes#COMMIT}. */
    public byte[] encode(int maxAttributeBytes) throws IOException {
        Rebuild rebuild = change.rebuild();
        CommitProto.Builder proto = CommitProto.newBuilder().setId(id()).setFormatVersion(version());
        if (content != null) {
            proto.setContent(Wire.content(content));
        }
        for (CommitSource source : sources()) {
            SourceProto.Builder kept = Wire.source(source).toBuilder();
            Long offsets = passedOver.get(source);
            proto.addSource(offsets == null ? kept : kept.setPassedOver(offsets));
        }
        if (change.kind() != Kind.APPEND) {
            ChangeLists lists = ChangeLists.of(change, maxAttributeBytes);
            proto.setKind(ChangeKindProto.valueOf(change.kind().name()))
                    .setRemoves(lists.segments().size());
            if (!change.restores().isEmpty()) {
                proto.setRestores(change.restores().size());
            }
            if (rebuild != null) {
                proto.setRebuiltGroup(rebuild.group()).setReplaces(lists.files().size());
            }
        }
        if (sequence > 0) {
            proto.setSequence(sequence).addAllGroup(SegmentWire.groups(groups));
        }
        return proto.build().toByteArray();
    }
}
