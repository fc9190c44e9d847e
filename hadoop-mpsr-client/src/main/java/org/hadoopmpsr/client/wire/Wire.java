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
package org.hadoopmpsr.client.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnStatisticsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CommittedOffsetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FileStatisticsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.OffsetJumpProto;
import org.hadoopmpsr.client.proto.MpsrProtos.OffsetResetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RefusalProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RowGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SourceProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.RowGroup;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.jspecify.annotations.Nullable;

/**
 * Translates values of the model to protobuf messages and back. A value that is translated to a message and back is equal to
 * the original.
 */
public final class Wire {

    private Wire() {}

    public static ValueProto value(@Nullable Object value) {
        ValueProto.Builder proto = ValueProto.newBuilder();
        if (value instanceof Long v) {
            proto.setLongValue(v);
        } else if (value instanceof Double v) {
            proto.setDoubleValue(v);
        } else if (value instanceof Boolean v) {
            proto.setBoolValue(v);
        } else if (value instanceof String v) {
            proto.setStringValue(v);
        } else if (value != null) {
            throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
        return proto.build();
    }

    public static @Nullable Object value(ValueProto proto) {
        if (proto.hasLongValue()) {
            return proto.getLongValue();
        }
        if (proto.hasDoubleValue()) {
            return proto.getDoubleValue();
        }
        if (proto.hasBoolValue()) {
            return proto.getBoolValue();
        }
        return proto.hasStringValue() ? proto.getStringValue() : null;
    }

    public static ContentHashProto content(ContentHash hash) {
        ContentHashProto.Builder proto = ContentHashProto.newBuilder()
                .setCount(hash.count())
                .setHigh(hash.high())
                .setLow(hash.low());
        return hash.kind() == HashKind.SHA_256
                ? proto.build()
                : proto.setKind(hash.kind().number()).build();
    }

    /** @throws IllegalArgumentException if this MPSR does not know the kind of the hash */
    public static ContentHash content(ContentHashProto proto) {
        HashKind kind = HashKind.of(Integer.toUnsignedLong(proto.getKind()))
                .orElseThrow(() -> new IllegalArgumentException("a content hash has kind "
                        + Integer.toUnsignedString(proto.getKind())
                        + ", which this MPSR does not know; a newer MPSR sent or wrote it: run that version here too"));
        return new ContentHash(kind, proto.getCount(), proto.getHigh(), proto.getLow());
    }

    /** One message for each kind of which there are records, and at least one. */
    public static List<ContentHashProto> contents(ContentHashes hashes) {
        return hashes.all().isEmpty()
                ? List.of(content(ContentHash.EMPTY))
                : hashes.all().stream().map(Wire::content).toList();
    }

    /** @throws IllegalArgumentException if this MPSR does not know the kind of a hash */
    public static ContentHashes contents(ContentHashProto first, List<ContentHashProto> more) {
        ContentHashes sum = ContentHashes.of(content(first));
        for (ContentHashProto hash : more) {
            sum = sum.plus(content(hash));
        }
        return sum;
    }

    public static FileStatisticsProto statistics(FileStatistics file) {
        FileStatisticsProto.Builder proto =
                FileStatisticsProto.newBuilder().setCommitId(file.commitId()).setContent(content(file.content()));
        file.partition().forEach(v -> proto.addPartition(value(v)));
        file.columns().forEach((name, column) -> proto.addColumn(column(name, column)));
        file.rowGroups()
                .forEach(group -> proto.addRowGroup(
                        RowGroupProto.newBuilder().setMiddle(group.middle()).setRows(group.rows())));
        return proto.build();
    }

    public static ColumnStatisticsProto column(String name, ColumnStatistics column) {
        ColumnStatisticsProto.Builder proto = ColumnStatisticsProto.newBuilder()
                .setName(name)
                .setNullCount(column.nullCount())
                .setExact(column.exact());
        if (column.min() != null) {
            proto.setMin(value(column.min()));
        }
        if (column.max() != null) {
            proto.setMax(value(column.max()));
        }
        if (column.distinct() >= 0) {
            proto.setDistinct(column.distinct());
        }
        if (column.bytes() >= 0) {
            proto.setBytes(column.bytes());
        }
        if (column.values() != null) {
            proto.setValues(ByteString.copyFrom(column.values().toBytes()));
        }
        if (column.pageShare() >= 0) {
            proto.setPageShare(column.pageShare());
        }
        return proto.build();
    }

    /** The statistics of columns, by column name. */
    public static Map<String, ColumnStatistics> columns(List<ColumnStatisticsProto> protos) {
        Map<String, ColumnStatistics> columns = new LinkedHashMap<>();
        for (ColumnStatisticsProto c : protos) {
            columns.put(
                    c.getName().intern(), // all files have the same few names
                    new ColumnStatistics(
                            c.hasMin() ? value(c.getMin()) : null,
                            c.hasMax() ? value(c.getMax()) : null,
                            c.getNullCount(),
                            c.getDistinct(),
                            c.getExact(),
                            c.getBytes(),
                            c.hasValues() ? ValueFilter.fromBytes(c.getValues().toByteArray()) : null,
                            c.getPageShare()));
        }
        return columns;
    }

    public static FileStatistics statistics(FileStatisticsProto proto) {
        List<@Nullable Object> partition = new ArrayList<>();
        proto.getPartitionList().forEach(v -> partition.add(value(v)));
        return new FileStatistics(
                proto.getCommitId().intern(),
                content(proto.getContent()),
                partition,
                columns(proto.getColumnList()),
                proto.getRowGroupList().stream()
                        .map(group -> new RowGroup(group.getMiddle(), group.getRows()))
                        .toList());
    }

    public static GroupProto group(ReplicaGroup group) {
        GroupProto.Builder proto = GroupProto.newBuilder()
                .setName(group.name())
                .addAllSort(group.sort().stream().map(SortKey::recorded).toList())
                .setReplication(group.replication())
                .setCodec(group.transforms().recordedAfter(group.codec()));
        group.predicates().forEach(p -> proto.addPredicate(p.text()));
        return proto.build();
    }

    public static ReplicaGroup group(GroupProto proto) {
        return new ReplicaGroup(
                proto.getName(),
                proto.getPredicateList().stream().map(Predicate::parse).toList(),
                proto.getSortList().stream().map(SortKey::ofRecorded).toList(),
                proto.getReplication(),
                ColumnTransforms.recordedCodecs(proto.getCodec()),
                ColumnTransforms.ofRecorded(proto.getCodec()));
    }

    public static SourceProto source(CommitSource source) {
        SourceProto.Builder proto = SourceProto.newBuilder()
                .setTopic(source.topic())
                .setPartition(source.partition())
                .setStart(source.start())
                .setEnd(source.end());
        if (source.topicId() != null) {
            proto.setTopicId(source.topicId());
        }
        return proto.build();
    }

    public static CommitSource source(SourceProto proto) {
        return new CommitSource(
                proto.getTopic(),
                proto.getPartition(),
                proto.getStart(),
                proto.getEnd(),
                proto.hasTopicId() ? proto.getTopicId() : null);
    }

    public static CommittedOffsetProto offset(CommittedOffset offset) {
        CommittedOffsetProto.Builder proto = CommittedOffsetProto.newBuilder()
                .setTopic(offset.topic())
                .setPartition(offset.partition())
                .setEnd(offset.end())
                .setCommitId(offset.commitId());
        if (offset.topicId() != null) {
            proto.setTopicId(offset.topicId());
        }
        return proto.build();
    }

    public static CommittedOffset offset(CommittedOffsetProto proto) {
        return new CommittedOffset(
                proto.getTopic(),
                proto.getPartition(),
                proto.getEnd(),
                proto.getCommitId(),
                proto.hasTopicId() ? proto.getTopicId() : null);
    }

    public static OffsetJumpProto jump(OffsetJump jump) {
        return OffsetJumpProto.newBuilder()
                .setTopic(jump.topic())
                .setPartition(jump.partition())
                .setFrom(jump.from())
                .setTo(jump.to())
                .setCommitId(jump.commitId())
                .build();
    }

    public static OffsetJump jump(OffsetJumpProto proto) {
        return new OffsetJump(
                proto.getTopic(), proto.getPartition(), proto.getFrom(), proto.getTo(), proto.getCommitId());
    }

    public static OffsetResetProto reset(OffsetReset reset) {
        OffsetResetProto.Builder proto = OffsetResetProto.newBuilder()
                .setTopic(reset.topic())
                .setPartition(reset.partition())
                .setTo(reset.to());
        return reset.from() == OffsetReset.NONE
                ? proto.build()
                : proto.setFrom(reset.from()).build();
    }

    /** @throws IllegalArgumentException as {@link OffsetReset} */
    public static OffsetReset reset(OffsetResetProto proto) {
        return new OffsetReset(
                proto.getTopic(),
                proto.getPartition(),
                proto.hasFrom() ? proto.getFrom() : OffsetReset.NONE,
                proto.getTo());
    }

    /** The message of a refusal whose kind the NameNode can answer with. */
    public static RefusalProto refusal(Refusal refusal) {
        return RefusalProto.newBuilder()
                .setKind(RefusalProto.Kind.valueOf(refusal.kind().name()))
                .setReason(refusal.reason())
                .build();
    }

    /** The refusal in a message. An unknown kind, which a newer NameNode has added, becomes {@code INVALID}. */
    public static Refusal refusal(RefusalProto proto) {
        return new Refusal(Refusal.Kind.valueOf(proto.getKind().name()), proto.getReason());
    }
}
