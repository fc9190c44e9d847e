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
package org.hadoopmpsr.namenode.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.jspecify.annotations.Nullable;

/**
 * The records of segments, each a directory in the store. A dataset counts its changes and keeps such records once their
 * directory exists. Thread-safe.
 */
public final class SegmentRecords {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;

    public SegmentRecords(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** True if the dataset counts its changes. Needs the read lock. */
    public boolean areKept(DatasetRecord dataset) throws IOException {
        return namespace.find(layout.segmentsDir(dataset.id())) != null;
    }

    /** Has the dataset count its changes from now on. Needs the write lock. */
    public void keep(NamespaceEdits edits, DatasetRecord dataset) throws IOException {
        edits.mkdirs(layout.segmentsDir(dataset.id()), NamespaceEdits.Access.own());
    }

    /** The record of a segment, or null if there is none. Needs the read lock. */
    public @Nullable Segment get(DatasetRecord dataset, String segment) throws IOException {
        INode record = namespace.find(layout.segmentDir(dataset.id(), segment));
        return record == null ? null : read(record);
    }

    /**
     * What the fence must know of segments. Needs the read lock.
     *
     * @param isCurrent says of which segments files lie in the groups' directories
     */
    public Map<String, SegmentGuard.State> states(
            DatasetRecord dataset, Collection<String> segments, Predicate<String> isCurrent) throws IOException {
        Map<String, SegmentGuard.State> states = new HashMap<>();
        for (String segment : segments) {
            boolean current = isCurrent.test(segment);
            Segment record = current ? null : get(dataset, segment);
            states.put(segment, new SegmentGuard.State(current, record == null ? null : record.replacedBy()));
        }
        return states;
    }

    private static @Nullable Segment read(INode record) throws IOException {
        byte[] value = Attributes.get(record, Attributes.SEGMENT);
        return value == null ? null : StoredRecords.segment(value, record.getFullPathName());
    }

    /**
     * Makes or changes the record of a segment. Does nothing if the record is so already. Offsets that are too many for the
     * attribute are left out. Needs the write lock.
     */
    public void put(NamespaceEdits edits, DatasetRecord dataset, Segment segment) throws IOException {
        String path = layout.segmentDir(dataset.id(), segment.id());
        byte[] value = SegmentWire.segment(segment).toByteArray();
        if (value.length > edits.maxXAttrBytes(Attributes.SEGMENT)) {
            value = SegmentWire.segment(segment.withoutSources()).toByteArray();
        }
        edits.mkdirs(path, NamespaceEdits.Access.own());
        if (!Arrays.equals(value, Attributes.get(namespace.require(path), Attributes.SEGMENT))) {
            edits.setXAttr(path, Attributes.SEGMENT, value);
        }
    }

    /** Deletes the record of a segment, if there is one. Needs the write lock. */
    public void delete(NamespaceEdits edits, DatasetRecord dataset, String segment) throws IOException {
        edits.delete(layout.segmentDir(dataset.id(), segment));
    }

    /**
     * The number of the last change; 0 if the dataset does not count its changes. Where the dataset's sum does not say it, it
     * is the greatest of the records. Takes the read lock in short holds.
     */
    public long last(DatasetRecord dataset) throws IOException {
        CommittedContent committed = system.read(() -> {
            INode store = namespace.find(layout.datasetDir(dataset.id()));
            return store == null ? null : CommittedContent.on(store);
        });
        return committed != null && committed.sequence() > 0 ? committed.sequence() : greatest(dataset);
    }

    private long greatest(DatasetRecord dataset) throws IOException {
        long[] greatest = new long[1];
        each(dataset, segment -> {
            long until = segment.isCurrent() ? 0 : segment.until();
            greatest[0] = Math.max(greatest[0], Math.max(segment.since(), until));
        });
        return greatest[0];
    }

    /**
     * The ids of the current segments that have a record, and records that were published. Takes the read lock in short
     * holds.
     */
    public List<String> recorded(DatasetRecord dataset) throws IOException {
        List<String> ids = new ArrayList<>();
        each(dataset, segment -> {
            boolean empty =
                    segment.groups().values().stream().allMatch(g -> g.content().isEmpty());
            if (segment.isCurrent() && !empty) {
                ids.add(segment.id());
            }
        });
        return ids;
    }

    /** The records of all segments, in no order. Takes the read lock in short holds. */
    public List<Segment> all(DatasetRecord dataset) throws IOException {
        List<Segment> all = new ArrayList<>();
        each(dataset, all::add);
        return all;
    }

    private void each(DatasetRecord dataset, Consumer<Segment> taker) throws IOException {
        byte[][] after = new byte[1][];
        boolean more = true;
        while (more) {
            more = system.read(() -> {
                INode directory = namespace.find(layout.segmentsDir(dataset.id()));
                List<INode> some = directory == null || !directory.isDirectory()
                        ? List.of()
                        : Namespace.after(directory.asDirectory(), after[0], LockSteps.SIZE);
                for (INode record : some) {
                    after[0] = record.getLocalNameBytes();
                    Segment segment = read(record);
                    if (segment != null) {
                        taker.accept(segment);
                    }
                }
                return some.size() == LockSteps.SIZE;
            });
        }
    }
}
