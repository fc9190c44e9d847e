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
package org.hadoopmpsr.namenode.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The committed offsets of datasets, each a directory in the store. The directory's name says the offset, its attribute the
 * topic's id, which earlier versions neither write nor read.
 */
public final class Offsets {
    private final Namespace namespace;
    private final StoreLayout layout;

    public Offsets(Namespace namespace, StoreLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    /** A record as it is kept. Its forms are read without the lock. */
    private record Kept(String name, byte @Nullable [] topicId, byte @Nullable [] jump) {

        /** Needs the read lock. */
        static Kept of(INode record) {
            return new Kept(
                    record.getLocalName(),
                    Attributes.get(record, Attributes.TOPIC),
                    Attributes.get(record, Attributes.JUMP));
        }

        CommittedOffset offset() {
            CommittedOffset offset = CommittedOffset.parse(name);
            return topicId == null ? offset : offset.withTopicId(new String(topicId, StandardCharsets.UTF_8));
        }

        Optional<OffsetJump> jumped() {
            return jump == null
                    ? Optional.empty()
                    : OffsetJump.parse(CommittedOffset.parse(name), new String(jump, StandardCharsets.UTF_8));
        }
    }

    private List<Kept> all(DatasetRecord dataset) throws IOException {
        return namespace.entries(layout.offsetsDir(dataset.id()), Kept::of);
    }

    /** All committed offsets of a dataset. Takes the read lock in short holds. */
    public List<CommittedOffset> of(DatasetRecord dataset) throws IOException {
        return all(dataset).stream().map(Kept::offset).toList();
    }

    /**
     * The committed offsets of the sources' topic-partitions. Needs the read lock, for a time that hardly grows with the
     * number of other topic-partitions.
     */
    public List<CommittedOffset> of(DatasetRecord dataset, List<CommitSource> sources) throws IOException {
        INode directory = namespace.find(layout.offsetsDir(dataset.id()));
        if (directory == null || !directory.isDirectory()) {
            return List.of();
        }
        ReadOnlyList<INode> records = directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
        List<CommittedOffset> offsets = new ArrayList<>();
        for (CommitSource source : sources) {
            of(records, source.topic(), source.partition()).ifPresent(offsets::add);
        }
        return offsets;
    }

    /**
     * The committed offset of a topic-partition. Needs the read lock, for a time that hardly grows with the number of
     * other topic-partitions.
     */
    public Optional<CommittedOffset> of(DatasetRecord dataset, String topic, int partition) throws IOException {
        INode directory = namespace.find(layout.offsetsDir(dataset.id()));
        return directory == null || !directory.isDirectory()
                ? Optional.empty()
                : of(directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID), topic, partition);
    }

    private static Optional<CommittedOffset> of(ReadOnlyList<INode> records, String topic, int partition) {
        INode record = record(records, CommittedOffset.namePrefix(topic, partition));
        return record == null ? Optional.empty() : Optional.of(Kept.of(record).offset());
    }

    /**
     * The committed offsets whose last records a commit has. Looks at the names of all. Takes the read lock in short
     * holds.
     */
    public List<CommittedOffset> ofCommit(DatasetRecord dataset, String commitId) throws IOException {
        byte[] suffix = ("=" + commitId).getBytes(StandardCharsets.UTF_8);
        return namespace.entries(layout.offsetsDir(dataset.id()), INode::getLocalNameBytes).stream()
                .filter(name -> endsWith(name, suffix))
                .map(name -> CommittedOffset.parse(new String(name, StandardCharsets.UTF_8)))
                .toList();
    }

    private static boolean endsWith(byte[] name, byte[] suffix) {
        int at = name.length - suffix.length;
        return at >= 0 && Arrays.equals(name, at, name.length, suffix, 0, suffix.length);
    }

    /** The record whose name starts with a prefix, or null. The records are in the order of their names. */
    private static @Nullable INode record(ReadOnlyList<INode> records, String prefix) {
        int found = ReadOnlyList.Util.binarySearch(records, prefix.getBytes(StandardCharsets.UTF_8));
        int first = found < 0 ? -found - 1 : found;
        INode record = first < records.size() ? records.get(first) : null;
        return record != null && record.getLocalName().startsWith(prefix) ? record : null;
    }

    /**
     * The offsets that commits passed over, the last ones of each topic-partition. Takes the read lock in short holds.
     */
    public List<OffsetJump> jumps(DatasetRecord dataset) throws IOException {
        return all(dataset).stream().map(Kept::jumped).flatMap(Optional::stream).toList();
    }

    /**
     * Records the end offset of a source of a complete commit. Does nothing if this, or a later offset, is recorded
     * already. What is noted beside the record is there before the record: a crash between two edits leaves nothing that a
     * further call does not complete. Needs the write lock.
     *
     * @return the offsets that this commit passed over, also if they were recorded before a crash
     */
    public Optional<OffsetJump> record(
            NamespaceEdits edits, DatasetRecord dataset, CommitRecord commit, CommitSource source) throws IOException {
        String dir = layout.offsetsDir(dataset.id());
        CommittedOffset next = recordOf(source, commit.id());
        CommittedOffset last = of(dataset, source.topic(), source.partition()).orElse(null);
        String path = dir + "/" + next.directoryName();
        if (last != null && last.end() >= next.end()) {
            if (last.equals(next.withTopicId(last.topicId()))) {
                recordTopic(edits, path, source, last);
            }
            INode record = namespace.find(path);
            return record == null
                    ? Optional.empty()
                    : Kept.of(record).jumped().filter(kept -> kept.commitId().equals(commit.id()));
        }
        OffsetJump jump = jump(source, commit.id(), last, commit.passedOver().containsKey(source));
        if (last == null && jump == null) {
            edits.mkdirs(path, NamespaceEdits.Access.own());
        } else {
            CommittedOffset none = new CommittedOffset(source.topic(), source.partition(), 0, commit.id());
            String before = dir + "/" + (last == null ? none : last).directoryName();
            edits.mkdirs(before, NamespaceEdits.Access.own());
            if (jump != null) {
                edits.setXAttr(before, Attributes.JUMP, jump.kept().getBytes(StandardCharsets.UTF_8));
            }
            edits.rename(before, path);
        }
        recordTopic(edits, path, source, last);
        return Optional.ofNullable(jump);
    }

    /** The offsets that a source passes over after the last committed offset, or null. */
    private static @Nullable OffsetJump jump(
            CommitSource source, String commitId, @Nullable CommittedOffset last, boolean far) {
        long from = last == null || last.end() == 0 ? 0 : source.start();
        long to = far ? source.end() : source.start();
        return from < to ? new OffsetJump(source.topic(), source.partition(), from, to, commitId) : null;
    }

    /**
     * Moves a committed end. Needs the write lock.
     *
     * @param reset checked against the committed offset
     * @param commitId what stands for the commit in the record
     */
    public void reset(NamespaceEdits edits, DatasetRecord dataset, OffsetReset reset, String commitId)
            throws IOException {
        String dir = layout.offsetsDir(dataset.id());
        String path = dir + "/" + recordOf(reset, commitId).directoryName();
        Optional<CommittedOffset> last = of(dataset, reset.topic(), reset.partition());
        if (last.isEmpty()) {
            edits.mkdirs(path, NamespaceEdits.Access.own());
            return;
        }
        edits.rename(dir + "/" + last.get().directoryName(), path);
        for (String attribute : List.of(Attributes.TOPIC, Attributes.JUMP)) {
            if (Attributes.get(namespace.require(path), attribute) != null) {
                edits.removeXAttr(path, attribute);
            }
        }
    }

    public static CommittedOffset recordOf(OffsetReset reset, String commitId) {
        return new CommittedOffset(reset.topic(), reset.partition(), reset.to(), commitId);
    }

    private static void recordTopic(
            NamespaceEdits edits, String path, CommitSource source, @Nullable CommittedOffset last) throws IOException {
        String topicId = source.topicId();
        if (topicId != null && (last == null || !topicId.equals(last.topicId()))) {
            edits.setXAttr(path, Attributes.TOPIC, topicId.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The committed offset of a source. */
    public static CommittedOffset recordOf(CommitSource source, String commitId) {
        return new CommittedOffset(source.topic(), source.partition(), source.end(), commitId);
    }
}
