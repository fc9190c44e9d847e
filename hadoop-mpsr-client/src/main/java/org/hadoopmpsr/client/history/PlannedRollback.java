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
package org.hadoopmpsr.client.history;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RollbackSegmentProto;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;

/**
 * What a rollback to an earlier state of a dataset would change. Immutable.
 *
 * @param sequence the number of the change that left the state
 * @param last the number of the last change when it was planned
 * @param removes the current segments with records that the state did not have, the oldest first
 * @param restores the removed segments with records that the present state lacks, the oldest first
 */
public record PlannedRollback(String datasetId, long sequence, long last, List<Part> removes, List<Part> restores) {

    public PlannedRollback {
        removes = List.copyOf(removes);
        restores = List.copyOf(restores);
    }

    /**
     * A segment.
     *
     * @param content of its records, each counted once
     * @param first the first number of the changes that brought its records to the dataset
     * @param latest the last one
     * @param groups what the groups hold of it
     */
    public record Part(String id, ContentHash content, long first, long latest, Map<String, Segment.Group> groups) {
        public Part {
            groups = Map.copyOf(groups);
        }

        private static Part of(RollbackSegmentProto proto) {
            return new Part(
                    proto.getId(),
                    Wire.content(proto.getContent()),
                    proto.getFirstChange(),
                    proto.getLastChange(),
                    SegmentWire.groups(proto.getGroupList()));
        }
    }

    /** True if the present state has the records of the earlier one already. */
    public boolean isEmpty() {
        return removes.isEmpty() && restores.isEmpty();
    }

    /** This rollback, which leaves alone what came to the dataset after a change. */
    public PlannedRollback leavingWhatCameAfter(long change) {
        return new PlannedRollback(
                datasetId,
                sequence,
                last,
                removes.stream().filter(part -> part.first <= change).toList(),
                restores);
    }

    /** A segment that this rollback removes though some of its records came to the dataset after a change; empty if there is none. */
    public Optional<Part> removedWithLaterRecords(long change) {
        return removes.stream().filter(part -> part.latest > change).findFirst();
    }

    /** The ids of the segments that it removes. */
    public List<String> removedIds() {
        return removes.stream().map(Part::id).toList();
    }

    /** The ids of the segments that it restores. */
    public List<String> restoredIds() {
        return restores.stream().map(Part::id).toList();
    }

    /** The number of records of segments. */
    public static long records(Collection<Part> segments) {
        return segments.stream().mapToLong(part -> part.content.count()).sum();
    }

    /** The number of files of segments in all groups. */
    public static long files(Collection<Part> segments) {
        return segments.stream()
                .flatMap(part -> part.groups.values().stream())
                .mapToLong(Segment.Group::files)
                .sum();
    }

    /** The bytes of the files of segments in all groups. */
    public static long bytes(Collection<Part> segments) {
        return segments.stream()
                .flatMap(part -> part.groups.values().stream())
                .mapToLong(Segment.Group::bytes)
                .sum();
    }

    /** Reads an answer. */
    public static PlannedRollback of(GetRollbackResponseProto proto) {
        return new PlannedRollback(
                proto.getDatasetId(),
                proto.getSequence(),
                proto.getLast(),
                proto.getRemovesList().stream().map(Part::of).toList(),
                proto.getRestoresList().stream().map(Part::of).toList());
    }
}
