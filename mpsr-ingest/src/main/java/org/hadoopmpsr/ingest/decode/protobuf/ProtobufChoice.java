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
package org.hadoopmpsr.ingest.decode.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.jspecify.annotations.Nullable;

/** A field of a oneof: when it is set, the other fields of the oneof are not set any more. */
final class ProtobufChoice extends ProtobufField {
    private final @Nullable ProtobufField chosen;
    private final List<ProtobufField> rivals;

    private ProtobufChoice(FieldDescriptor descriptor, @Nullable ProtobufField chosen, List<ProtobufField> rivals) {
        super(descriptor);
        this.chosen = chosen;
        this.rivals = rivals;
    }

    /** The fields, and those that nothing is wanted of but that take back what is. */
    static List<ProtobufField> withRivals(List<ProtobufField> fields) {
        Map<OneofDescriptor, List<ProtobufField>> wanted = new LinkedHashMap<>();
        List<ProtobufField> all = new ArrayList<>();
        for (ProtobufField field : fields) {
            OneofDescriptor oneof = field.descriptor().getRealContainingOneof();
            if (oneof == null) {
                all.add(field);
            } else {
                wanted.computeIfAbsent(oneof, o -> new ArrayList<>()).add(field);
            }
        }
        wanted.forEach((oneof, members) -> {
            for (FieldDescriptor field : oneof.getFields()) {
                ProtobufField chosen = members.stream()
                        .filter(member -> member.descriptor() == field)
                        .findFirst()
                        .orElse(null);
                List<ProtobufField> rivals =
                        members.stream().filter(member -> member != chosen).toList();
                all.add(new ProtobufChoice(field, chosen, rivals));
            }
        });
        return all;
    }

    @Override
    void begin() {
        if (chosen != null) {
            chosen.begin();
        }
    }

    @Override
    void read(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        for (ProtobufField rival : rivals) {
            rival.clear(record);
        }
        if (chosen == null) {
            ProtobufReader.skip(descriptor().getNumber() << 3 | wireType, in);
        } else {
            chosen.read(wireType, bytes, base, in, record);
        }
    }

    @Override
    void end(RecordAppender record) throws BadRecordException {
        if (chosen != null) {
            chosen.end(record);
        }
    }

    @Override
    void clear(RecordAppender record) {
        if (chosen != null) {
            chosen.clear(record);
        }
    }
}
