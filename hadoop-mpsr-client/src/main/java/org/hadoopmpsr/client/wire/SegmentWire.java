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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.proto.MpsrProtos.SegmentGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SegmentProto;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.format.StoredForm;

/** Translates segments to protobuf messages and back. */
public final class SegmentWire {

    private SegmentWire() {}

    public static SegmentProto segment(Segment segment) {
        SegmentProto.Builder proto = SegmentProto.newBuilder()
                .setFormatVersion(StoredForm.SEGMENT.version())
                .setSince(segment.since())
                .setFirst(segment.first())
                .setLast(segment.last())
                .setTime(segment.timeMs())
                .addAllGroup(groups(segment.groups()));
        segment.sources().forEach(s -> proto.addSource(Wire.source(s)));
        if (!segment.isCurrent()) {
            proto.setUntil(segment.until());
        }
        if (segment.replacedBy() != null) {
            proto.setReplacedBy(segment.replacedBy());
        }
        return proto.build();
    }

    /** @throws IllegalArgumentException if a source makes no sense */
    public static Segment segment(String id, SegmentProto proto) {
        return new Segment(
                id,
                proto.getSince(),
                proto.hasUntil() ? proto.getUntil() : Segment.OPEN,
                proto.getFirst(),
                proto.getLast(),
                proto.getTime(),
                proto.getSourceList().stream().map(Wire::source).toList(),
                groups(proto.getGroupList()),
                proto.hasReplacedBy() ? proto.getReplacedBy() : null);
    }

    /** What groups hold, in the order of their names. */
    public static List<SegmentGroupProto> groups(Map<String, Segment.Group> groups) {
        return new TreeMap<>(groups)
                .entrySet().stream()
                        .map(e -> SegmentGroupProto.newBuilder()
                                .setGroup(e.getKey())
                                .setFiles(e.getValue().files())
                                .setBytes(e.getValue().bytes())
                                .setContent(Wire.content(e.getValue().content()))
                                .build())
                        .toList();
    }

    public static Map<String, Segment.Group> groups(List<SegmentGroupProto> protos) {
        return protos.stream()
                .collect(Collectors.toMap(
                        SegmentGroupProto::getGroup,
                        g -> new Segment.Group(g.getFiles(), g.getBytes(), Wire.content(g.getContent())),
                        Segment.Group::plus));
    }
}
