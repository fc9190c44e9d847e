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

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PastChangeProto;
import org.hadoopmpsr.client.wire.HistoryWire;
import org.hadoopmpsr.core.history.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The history of a dataset. Immutable.
 *
 * @param counted false if the dataset does not count its changes yet: it has its present state alone
 * @param last the number of the last change
 * @param horizon the first change after which every state can be read
 * @param keptSeconds for how long replaced files are kept
 * @param ownKept true if the dataset itself says for how long
 * @param changes those of which something is left, the last one first
 */
public record History(
        String datasetId,
        boolean counted,
        long last,
        long horizon,
        long keptSeconds,
        boolean ownKept,
        List<Tag> tags,
        List<Change> changes) {

    public History {
        tags = List.copyOf(tags);
        changes = List.copyOf(changes);
    }

    /**
     * A change.
     *
     * @param id null if nothing tells
     * @param readable true if the state that it left can be read
     */
    public record Change(
            long sequence,
            long timeMs,
            @Nullable String id,
            long addedSegments,
            long addedRecords,
            long removedSegments,
            long removedRecords,
            boolean readable) {

        private static Change of(PastChangeProto proto) {
            return new Change(
                    proto.getSequence(),
                    proto.getTime(),
                    proto.hasId() ? proto.getId() : null,
                    proto.getAddedSegments(),
                    proto.getAddedRecords(),
                    proto.getRemovedSegments(),
                    proto.getRemovedRecords(),
                    proto.getReadable());
        }
    }

    /** Reads an answer in pages, of which the first one says what all have in common. */
    public static History of(List<GetHistoryResponseProto> pages) {
        GetHistoryResponseProto first = pages.get(0);
        List<Change> changes = new ArrayList<>();
        pages.forEach(page -> page.getChangeList().forEach(change -> changes.add(Change.of(change))));
        return new History(
                first.getDatasetId(),
                first.hasLast(),
                first.getLast(),
                first.getHorizon(),
                first.getKeptSeconds(),
                first.getOwnKept(),
                first.getTagList().stream().map(HistoryWire::tag).toList(),
                changes);
    }
}
