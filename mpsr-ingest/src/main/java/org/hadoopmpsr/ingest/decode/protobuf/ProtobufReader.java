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
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldTree;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of one type straight into columns; other fields are skipped. How deeply it goes is bounded by what
 * is wanted, and for what is skipped by {@link CodedInputStream}. For one thread.
 */
final class ProtobufReader {
    private static final int MAX_NUMBER = 1 << 20;

    private final @Nullable ProtobufField[] byNumber;
    private final ProtobufField[] all;

    private ProtobufReader(List<ProtobufField> fields) {
        int max = 0;
        for (ProtobufField field : fields) {
            max = Math.max(max, field.descriptor().getNumber());
        }
        byNumber = new @Nullable ProtobufField[max + 1];
        for (ProtobufField field : fields) {
            byNumber[field.descriptor().getNumber()] = field;
        }
        all = fields.toArray(ProtobufField[]::new);
    }

    /** @throws IllegalArgumentException listing every field that is missing or does not fit its column */
    static ProtobufReader of(Descriptor message, ColumnSources columns) {
        List<String> problems = new ArrayList<>();
        ProtobufReader reader = of(message, columns.tree(), columns, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return reader;
    }

    static ProtobufReader of(Descriptor message, FieldTree tree, ColumnSources columns, List<String> problems) {
        Map<FieldTree, String> names = names(message, tree, problems);
        List<ProtobufField> fields = new ArrayList<>();
        tree.below().forEach((step, wanted) -> {
            FieldDescriptor field = message.findFieldByName(names.getOrDefault(wanted, String.valueOf(step)));
            if (field == null) {
                problems.add("message " + message.getFullName() + " has no field '" + step + "' for "
                        + columns.named(wanted) + "; map the column in mpsr.columns");
            } else {
                ProtobufField made = ProtobufField.of(field, wanted, columns, problems);
                if (made != null) {
                    fields.add(made);
                }
            }
        });
        List<ProtobufField> supported = new ArrayList<>();
        for (ProtobufField field : ProtobufChoice.withRivals(fields)) {
            FieldDescriptor descriptor = field.descriptor();
            if (descriptor.getNumber() > MAX_NUMBER) {
                problems.add("field '" + descriptor.getName() + "' of message " + message.getFullName()
                        + " has the number " + descriptor.getNumber() + ", and more than " + MAX_NUMBER
                        + " is not supported");
            } else {
                supported.add(field);
            }
        }
        return new ProtobufReader(supported);
    }

    private static Map<FieldTree, String> names(Descriptor message, FieldTree tree, List<String> problems) {
        Map<FieldTree, String> names = new HashMap<>();
        try {
            tree.among(message.getFields().stream()
                            .map(FieldDescriptor::getName)
                            .toList())
                    .forEach((name, wanted) -> names.put(wanted, name));
        } catch (IllegalArgumentException e) {
            problems.add("message " + message.getFullName() + ": " + e.getMessage());
        }
        return names;
    }

    /** The message that holds all others begins. */
    void begin() {
        for (ProtobufField field : all) {
            field.begin();
        }
    }

    /**
     * Reads a message to the stream's end or limit. One that comes again is merged with what came before.
     *
     * @param base where the stream begins in the bytes
     */
    void read(byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int number = WireFormat.getTagFieldNumber(tag);
            ProtobufField field = number < byNumber.length ? byNumber[number] : null;
            if (field == null) {
                skip(tag, in);
            } else {
                field.read(WireFormat.getTagWireType(tag), bytes, base, in, record);
            }
        }
        for (ProtobufField field : all) {
            field.end(record);
        }
    }

    /** Takes back what the message has put to its columns. */
    void clear(RecordAppender record) {
        for (ProtobufField field : all) {
            field.clear(record);
        }
    }

    /** Ends what lies within a limit, and goes back to the limit around it. */
    static void leave(CodedInputStream in, int outer) throws IOException {
        if (in.getBytesUntilLimit() != 0) {
            throw new InvalidProtocolBufferException("it ends within a field");
        }
        in.popLimit(outer);
    }

    static void skip(int tag, CodedInputStream in) throws IOException, BadRecordException {
        if (!in.skipField(tag)) {
            throw new BadRecordException("the value ends a group that it did not begin");
        }
    }
}
