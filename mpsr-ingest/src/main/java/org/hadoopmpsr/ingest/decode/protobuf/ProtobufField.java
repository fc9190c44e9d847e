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
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldKind;
import org.hadoopmpsr.ingest.decode.FieldTree;
import org.hadoopmpsr.ingest.decode.NestedNode;
import org.jspecify.annotations.Nullable;

/** One field of a message that is wanted, or below which something is wanted. */
abstract class ProtobufField {
    private static final String WRAPPERS = "google.protobuf.(Double|Float|U?Int64|U?Int32|Bool|String|Bytes)Value";

    private final FieldDescriptor descriptor;

    ProtobufField(FieldDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Returns null when the field does not fit, with the reason among the problems. */
    static @Nullable ProtobufField of(
            FieldDescriptor field, FieldTree wanted, ColumnSources columns, List<String> problems) {
        NestedNode node = wanted.isColumn() ? NestedNode.ofColumn(columns.column(wanted.column())) : null;
        if (node != null) {
            String problem = ProtobufParts.problem(node, field, false);
            if (problem != null) {
                problems.add(columns.misfit(wanted.column(), typeName(field), FieldKind.OTHER) + ": " + problem);
                return null;
            }
            return new ProtobufNested(field, wanted.column(), columns, node);
        }
        if (field.isMapField() && !wanted.isColumn()) {
            return ProtobufEntries.of(field, wanted, columns, problems);
        }
        if (field.isRepeated() && !wanted.isColumn()) {
            return ProtobufElements.of(field, wanted, columns, problems);
        }
        if (field.isRepeated()) {
            problems.add(columns.misfit(wanted.column(), "repeated " + typeName(field), FieldKind.OTHER));
            return null;
        }
        return single(field, wanted, columns, problems);
    }

    /** A field, or an element of one, that occurs once. */
    static @Nullable ProtobufField single(
            FieldDescriptor field, FieldTree wanted, ColumnSources columns, List<String> problems) {
        boolean message = field.getType() == FieldDescriptor.Type.MESSAGE;
        if (!wanted.isColumn()) {
            if (!message) {
                problems.add("field '" + field.getName() + "' of type " + typeName(field)
                        + " has no fields below it for " + columns.named(wanted));
                return null;
            }
            return new Nested(field, ProtobufReader.of(field.getMessageType(), wanted, columns, problems));
        }
        if (isWrapper(field)) {
            FieldTree inner = FieldTree.single("value", wanted);
            return new Nested(field, ProtobufReader.of(field.getMessageType(), inner, columns, problems));
        }
        FieldKind kind = kind(field);
        if (!columns.fits(kind, wanted.column())) {
            problems.add(columns.misfit(wanted.column(), typeName(field), kind));
            return null;
        }
        return new ProtobufValue(field, wanted.column(), columns);
    }

    /** True for messages that stand for a value that may be absent. */
    static boolean isWrapper(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.MESSAGE
                && field.getMessageType().getFullName().matches(WRAPPERS);
    }

    static FieldKind kind(FieldDescriptor field) {
        return switch (field.getType()) {
            case DOUBLE -> FieldKind.DOUBLE;
            case FLOAT -> FieldKind.FLOAT;
            case BOOL -> FieldKind.BOOLEAN;
            case STRING, ENUM -> FieldKind.TEXT;
            case MESSAGE ->
                field.getMessageType().getFullName().equals("google.protobuf.Timestamp")
                        ? FieldKind.TIME
                        : FieldKind.OTHER;
            case BYTES -> FieldKind.BYTES;
            case GROUP -> FieldKind.OTHER;
            default -> FieldKind.WHOLE;
        };
    }

    static String typeName(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.MESSAGE
                ? field.getMessageType().getFullName()
                : field.getType().name().toLowerCase(Locale.ROOT);
    }

    final FieldDescriptor descriptor() {
        return descriptor;
    }

    /** The message that holds all others begins. */
    void begin() {}

    /** Reads one occurrence, after its tag. */
    abstract void read(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException;

    /** The message that holds the field is read. */
    void end(RecordAppender record) throws BadRecordException {}

    /** The field is not set any more: takes back what it has put to columns, and begins anew. */
    abstract void clear(RecordAppender record);

    final void requireWireType(int expected, int found) throws BadRecordException {
        requireWireType(descriptor, expected, found);
    }

    static void requireWireType(FieldDescriptor field, int expected, int found) throws BadRecordException {
        if (found != expected) {
            throw new BadRecordException("field '" + field.getName() + "' has wire type " + found + ", and its type "
                    + field.getType() + " has " + expected);
        }
    }

    /** A message within the message. */
    private static final class Nested extends ProtobufField {
        private final ProtobufReader reader;

        Nested(FieldDescriptor descriptor, ProtobufReader reader) {
            super(descriptor);
            this.reader = reader;
        }

        @Override
        void begin() {
            reader.begin();
        }

        @Override
        void clear(RecordAppender record) {
            reader.clear(record);
        }

        @Override
        void read(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
                throws IOException, BadRecordException {
            requireWireType(WireFormat.WIRETYPE_LENGTH_DELIMITED, wireType);
            int outer = in.pushLimit(in.readRawVarint32());
            reader.read(bytes, base, in, record);
            ProtobufReader.leave(in, outer);
        }
    }
}
