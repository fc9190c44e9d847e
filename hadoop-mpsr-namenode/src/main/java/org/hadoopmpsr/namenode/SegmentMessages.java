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
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SegmentFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SegmentInfoProto;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.damage.DamageInfos;
import org.hadoopmpsr.namenode.history.PastSegmentFiles;
import org.hadoopmpsr.namenode.segment.SegmentInfo;
import org.hadoopmpsr.namenode.segment.SegmentInfos;

/** Translates questions about segments. */
final class SegmentMessages {

    private SegmentMessages() {}

    static GetSegmentsResponseProto segments(SegmentInfos infos, GetSegmentsRequestProto request) throws IOException {
        SegmentInfos.Page page = infos.page(request.getPath(), request.getAfter(), request.getLimit());
        GetSegmentsResponseProto.Builder response = GetSegmentsResponseProto.newBuilder()
                .setDatasetId(page.datasetId())
                .setSequence(page.sequence());
        page.segments().forEach(s -> response.addSegment(info(s)));
        return page.next() == null
                ? response.build()
                : response.setNext(page.next()).build();
    }

    private static SegmentInfoProto info(SegmentInfo info) {
        Segment segment = info.segment();
        SegmentInfoProto.Builder proto = SegmentInfoProto.newBuilder()
                .setId(segment.id())
                .setSince(segment.since())
                .setFirst(segment.first())
                .setLast(segment.last())
                .setTime(segment.timeMs())
                .setNewestFile(info.newestFile())
                .setContent(Wire.content(info.content()))
                .addAllGroup(SegmentWire.groups(segment.groups()));
        if (info.recorded() != null) {
            proto.setRecorded(Wire.content(info.recorded()));
        }
        if (info.notReplaceable() != null) {
            proto.setNotReplaceable(info.notReplaceable());
        }
        return info.rights() == null
                ? proto.build()
                : proto.setRights(info.rights()).build();
    }

    static GetDamageResponseProto damage(DamageInfos infos, GetDamageRequestProto request) throws IOException {
        DamageInfos.Page page =
                infos.page(request.getPath(), request.getAfter(), request.getLimit(), request.getForeign());
        GetDamageResponseProto.Builder response = GetDamageResponseProto.newBuilder()
                .setDatasetId(page.datasetId())
                .setUnfinished(page.unfinished());
        page.damage().forEach(d -> response.addDamage(DamageWire.damage(d)));
        return page.next() == null
                ? response.build()
                : response.setNext(page.next()).build();
    }

    static GetSegmentFilesResponseProto files(
            SegmentInfos infos, PastSegmentFiles past, GetSegmentFilesRequestProto request) throws IOException {
        SegmentInfos.FilePart part = request.getRemoved()
                ? past.page(
                        request.getPath(),
                        request.getGroup(),
                        request.getSegmentList(),
                        request.getAllColumns(),
                        Math.max(0, request.getFrom()))
                : infos.files(
                        request.getPath(),
                        request.getGroup(),
                        request.getSegmentList(),
                        request.getAllColumns(),
                        request.getFrom(),
                        request.getGeneration());
        GetSegmentFilesResponseProto.Builder response =
                GetSegmentFilesResponseProto.newBuilder().setGeneration(part.generation());
        part.files().forEach(f -> response.addFile(file(f)));
        return part.next() == FilePage.END
                ? response.build()
                : response.setNext(part.next()).build();
    }

    private static SegmentFileProto file(DataFile file) {
        return SegmentFileProto.newBuilder()
                .setPath(file.path())
                .setFileId(file.fileId())
                .setLength(file.length())
                .setModificationTime(file.modificationTime())
                .setStatistics(Wire.statistics(file.statistics()))
                .setFileId(file.fileId())
                .build();
    }
}
