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

import org.hadoopmpsr.client.proto.MpsrProtos.HistoryProto;
import org.hadoopmpsr.client.proto.MpsrProtos.TagProto;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.history.Tag;

/** Translates what is said of earlier states to protobuf messages and back. */
public final class HistoryWire {

    private HistoryWire() {}

    /** The record as it is kept. */
    public static HistoryProto history(HistoryRecord record) {
        HistoryProto.Builder proto = HistoryProto.newBuilder()
                .setFormatVersion(StoredForm.HISTORY.version())
                .setHorizon(record.horizon());
        if (record.keptSeconds() >= 0) {
            proto.setKeptSeconds(record.keptSeconds());
        }
        record.tags().forEach(tag -> proto.addTag(tag(tag)));
        return proto.build();
    }

    public static HistoryRecord history(HistoryProto proto) {
        return new HistoryRecord(
                proto.getHorizon(),
                proto.hasKeptSeconds() ? proto.getKeptSeconds() : HistoryRecord.AS_CONFIGURED,
                proto.getTagList().stream().map(HistoryWire::tag).toList());
    }

    public static TagProto tag(Tag tag) {
        return TagProto.newBuilder()
                .setName(tag.name())
                .setSequence(tag.sequence())
                .setTime(tag.timeMs())
                .setUser(tag.user())
                .build();
    }

    public static Tag tag(TagProto proto) {
        return new Tag(proto.getName(), proto.getSequence(), proto.getTime(), proto.getUser());
    }
}
