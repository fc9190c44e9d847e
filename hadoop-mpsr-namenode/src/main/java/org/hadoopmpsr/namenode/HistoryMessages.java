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

import java.io.IOException;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PastChangeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RollbackSegmentProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryResponseProto;
import org.hadoopmpsr.client.wire.HistoryWire;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.namenode.history.HistoryChanges;
import org.hadoopmpsr.namenode.history.HistoryInfos;
import org.hadoopmpsr.namenode.history.Rollbacks;

/** Translates questions about earlier states, and changes of what is kept of them. */
final class HistoryMessages {

    private HistoryMessages() {}

    static GetHistoryResponseProto history(HistoryInfos infos, GetHistoryRequestProto request) throws IOException {
        HistoryInfos.Page page =
                infos.page(request.getPath(), request.hasBefore() ? request.getBefore() : Long.MAX_VALUE);
        HistoryRecord kept = page.history().kept();
        GetHistoryResponseProto.Builder response = GetHistoryResponseProto.newBuilder()
                .setDatasetId(page.datasetId())
                .setHorizon(kept.horizon())
                .setKeptSeconds(page.keptSeconds())
                .setOwnKept(kept.keptSeconds() >= 0)
                .setMore(page.more());
        if (page.counted()) {
            response.setLast(page.history().last());
        }
        kept.tags().forEach(tag -> response.addTag(HistoryWire.tag(tag)));
        page.changes().forEach(change -> response.addChange(change(change)));
        return response.build();
    }

    private static PastChangeProto change(HistoryInfos.Change change) {
        PastChangeProto.Builder proto = PastChangeProto.newBuilder()
                .setSequence(change.sequence())
                .setTime(change.timeMs())
                .setAddedSegments(change.added().segments())
                .setAddedRecords(change.added().records())
                .setRemovedSegments(change.removed().segments())
                .setRemovedRecords(change.removed().records())
                .setReadable(change.readable());
        return change.id() == null ? proto.build() : proto.setId(change.id()).build();
    }

    /** @throws IllegalArgumentException if the request names no state */
    static GetRollbackResponseProto rollback(Rollbacks rollbacks, GetRollbackRequestProto request) throws IOException {
        Rollbacks.Planned planned = rollbacks.plan(request.getPath(), AsOf.parse(request.getTo()));
        GetRollbackResponseProto.Builder response = GetRollbackResponseProto.newBuilder()
                .setDatasetId(planned.datasetId())
                .setSequence(planned.sequence())
                .setLast(planned.last());
        planned.difference().removes().forEach(segment -> response.addRemoves(segment(segment)));
        planned.difference().restores().forEach(segment -> response.addRestores(segment(segment)));
        return response.build();
    }

    private static RollbackSegmentProto segment(Segment segment) {
        ContentHash content = segment.groups().values().stream()
                .map(Segment.Group::content)
                .findFirst()
                .orElse(ContentHash.EMPTY);
        return RollbackSegmentProto.newBuilder()
                .setId(segment.id())
                .setContent(Wire.content(content))
                .setFirstChange(segment.first())
                .setLastChange(segment.last())
                .addAllGroup(SegmentWire.groups(segment.groups()))
                .build();
    }

    /** @throws IllegalArgumentException if the request makes no sense */
    static SetHistoryResponseProto set(HistoryChanges changes, SetHistoryRequestProto request) throws IOException {
        String path = request.getPath();
        String expected = request.hasDatasetId() ? request.getDatasetId() : null;
        SetHistoryResponseProto.Builder response = SetHistoryResponseProto.newBuilder();
        if (request.hasTag()) {
            AsOf asOf = request.hasAsOf() ? AsOf.parse(request.getAsOf()) : null;
            response.setSequence(changes.tag(path, expected, request.getTag(), asOf));
        } else if (request.hasDeleteTag()) {
            changes.deleteTag(path, expected, request.getDeleteTag());
        } else if (request.hasKeptSeconds() && request.getKeptSeconds() >= 0) {
            changes.keep(path, expected, request.getKeptSeconds());
        } else if (request.getKeptAsConfigured()) {
            changes.keep(path, expected, HistoryRecord.AS_CONFIGURED);
        } else {
            throw new IllegalArgumentException("the request changes nothing of the history of '" + path
                    + "'; name a tag, or say how long replaced files are kept");
        }
        return response.build();
    }
}
