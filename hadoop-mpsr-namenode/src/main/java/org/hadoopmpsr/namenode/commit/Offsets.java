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
package org.hadoopmpsr.namenode.commit;

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
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
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

    /** All committed offsets of a dataset. Needs the read lock. */
    public List<CommittedOffset> of(DatasetRecord dataset) throws IOException {
        List<CommittedOffset> offsets = new ArrayList<>();
        for (INode record : namespace.children(layout.offsetsDir(dataset.id()))) {
            offsets.add(offset(record));
        }
        return offsets;
    }

    private static CommittedOffset offset(INode record) {
        byte[] topicId = Attributes.get(record, Attributes.TOPIC);
        CommittedOffset offset = CommittedOffset.parse(record.getLocalName());
        return topicId == null ? offset : offset.withTopicId(new String(topicId, StandardCharsets.UTF_8));
    }

    /**
     * The committed offsets of the sources' topic-partitions. Needs the read lock, for a time that hardly grows with the
     * number of other topic-partitions.
     */
    List<CommittedOffset> of(DatasetRecord dataset, List<CommitSource> sources) throws IOException {
        INode directory = namespace.find(layout.offsetsDir(dataset.id()));
        if (directory == null || !directory.isDirectory()) {
            return List.of();
        }
        ReadOnlyList<INode> records = directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
        List<CommittedOffset> offsets = new ArrayList<>();
        for (CommitSource source : sources) {
            INode record = record(records, CommittedOffset.namePrefix(source.topic(), source.partition()));
            if (record != null) {
                offsets.add(offset(record));
            }
        }
        return offsets;
    }

    /** The committed offsets whose last records a commit has. Needs the read lock; looks at the names of all. */
    List<CommittedOffset> ofCommit(DatasetRecord dataset, String commitId) throws IOException {
        byte[] suffix = ("=" + commitId).getBytes(StandardCharsets.UTF_8);
        List<CommittedOffset> offsets = new ArrayList<>();
        for (INode record : namespace.children(layout.offsetsDir(dataset.id()))) {
            byte[] name = record.getLocalNameBytes();
            int at = name.length - suffix.length;
            if (at >= 0 && Arrays.equals(name, at, name.length, suffix, 0, suffix.length)) {
                offsets.add(offset(record));
            }
        }
        return offsets;
    }

    /** The record whose name starts with a prefix, or null. The records are in the order of their names. */
    private static @Nullable INode record(ReadOnlyList<INode> records, String prefix) {
        int found = ReadOnlyList.Util.binarySearch(records, prefix.getBytes(StandardCharsets.UTF_8));
        int first = found < 0 ? -found - 1 : found;
        INode record = first < records.size() ? records.get(first) : null;
        return record != null && record.getLocalName().startsWith(prefix) ? record : null;
    }

    /**
     * The offsets that commits passed over, the last ones of each topic-partition. Needs the read lock.
     */
    public List<OffsetJump> jumps(DatasetRecord dataset) throws IOException {
        List<OffsetJump> jumps = new ArrayList<>();
        for (INode record : namespace.children(layout.offsetsDir(dataset.id()))) {
            byte[] kept = Attributes.get(record, Attributes.JUMP);
            if (kept != null) {
                OffsetJump.parse(CommittedOffset.parse(record.getLocalName()), new String(kept, StandardCharsets.UTF_8))
                        .ifPresent(jumps::add);
            }
        }
        return jumps;
    }

    /**
     * Records the end offsets of a complete commit. Does nothing if these, or later offsets, are recorded already.
     * Needs the write lock.
     *
     * @return the offsets that were passed over and recorded now
     */
    List<OffsetJump> record(NamespaceEdits edits, DatasetRecord dataset, CommitRecord commit) throws IOException {
        String commitId = commit.id();
        String dir = layout.offsetsDir(dataset.id());
        List<OffsetJump> jumps = new ArrayList<>();
        for (CommitSource source : commit.sources()) {
            CommittedOffset next = recordOf(source, commitId);
            CommittedOffset last =
                    of(dataset, List.of(source)).stream().findFirst().orElse(null);
            String path = dir + "/" + next.directoryName();
            if (last == null) {
                edits.mkdirs(path, NamespaceEdits.Access.own());
            } else if (last.end() < next.end()) {
                edits.rename(dir + "/" + last.directoryName(), path);
            }
            if (last == null || last.end() < next.end() || last.equals(next.withTopicId(last.topicId()))) {
                recordTopic(edits, path, source, last);
            }
            OffsetJump jump = jump(source, commitId, last, commit.passedOver().containsKey(source));
            if (jump != null) {
                edits.setXAttr(path, Attributes.JUMP, jump.kept().getBytes(StandardCharsets.UTF_8));
                jumps.add(jump);
            }
        }
        return jumps;
    }

    /** The offsets that a source passes over and that are not recorded yet, or null. */
    private static @Nullable OffsetJump jump(
            CommitSource source, String commitId, @Nullable CommittedOffset last, boolean far) {
        if (last != null && last.end() >= source.end()) {
            return null;
        }
        long from = last == null ? 0 : source.start();
        long to = far ? source.end() : source.start();
        return from < to ? new OffsetJump(source.topic(), source.partition(), from, to, commitId) : null;
    }

    /**
     * Moves committed ends. Needs the write lock.
     *
     * @param resets checked against the committed offsets
     * @param commitId what stands for the commit in the records
     */
    void reset(NamespaceEdits edits, DatasetRecord dataset, List<OffsetReset> resets, String commitId)
            throws IOException {
        String dir = layout.offsetsDir(dataset.id());
        List<CommittedOffset> before = of(dataset);
        for (OffsetReset reset : resets) {
            CommittedOffset next = new CommittedOffset(reset.topic(), reset.partition(), reset.to(), commitId);
            edits.checkName(next.directoryName());
            String path = dir + "/" + next.directoryName();
            Optional<CommittedOffset> last = before.stream().filter(reset::isOf).findFirst();
            if (last.isEmpty()) {
                edits.mkdirs(path, NamespaceEdits.Access.own());
                continue;
            }
            edits.rename(dir + "/" + last.get().directoryName(), path);
            for (String attribute : List.of(Attributes.TOPIC, Attributes.JUMP)) {
                if (Attributes.get(namespace.require(path), attribute) != null) {
                    edits.removeXAttr(path, attribute);
                }
            }
        }
    }

    private static void recordTopic(
            NamespaceEdits edits, String path, CommitSource source, @Nullable CommittedOffset last) throws IOException {
        String topicId = source.topicId();
        if (topicId != null && (last == null || !topicId.equals(last.topicId()))) {
            edits.setXAttr(path, Attributes.TOPIC, topicId.getBytes(StandardCharsets.UTF_8));
        }
    }

    static CommittedOffset recordOf(CommitSource source, String commitId) {
        return new CommittedOffset(source.topic(), source.partition(), source.end(), commitId);
    }
}
