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
package org.hadoopmpsr.ingest.decode;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.jspecify.annotations.Nullable;

/**
 * Reads protobuf messages field by field, without making messages or strings. A field that is absent is null where the
 * message can tell absence (proto2, {@code optional}, oneof), else its default; unknown fields are skipped.
 */
public final class ProtobufDecoder implements RecordDecoder {
    private final String messageName;
    private final @Nullable FieldReader[] byNumber;
    private final FieldReader[] defaults;

    /** Reads one field and puts it to its column. */
    private record FieldReader(FieldDescriptor field, int column, int wireType) {}

    /**
     * Makes a decoder.
     *
     * @throws IllegalArgumentException when the message's fields do not fit the columns, with all problems
     */
    public ProtobufDecoder(Descriptor message, Schema schema, ColumnMapping mapping) {
        messageName = message.getFullName();
        List<FieldDescriptor> fields = ProtobufFields.of(message, schema, mapping);
        int max = fields.stream().mapToInt(FieldDescriptor::getNumber).max().orElse(0);
        if (max > 1 << 20) {
            throw new IllegalArgumentException("message " + messageName + " has a field number " + max
                    + ", and more than " + (1 << 20) + " is not supported");
        }
        byNumber = new @Nullable FieldReader[max + 1];
        List<FieldReader> implicit = new ArrayList<>();
        for (int column = 0; column < fields.size(); column++) {
            FieldDescriptor field = fields.get(column);
            FieldReader reader =
                    new FieldReader(field, column, field.getLiteType().getWireType());
            byNumber[field.getNumber()] = reader;
            if (!field.hasPresence()) {
                implicit.add(reader);
            }
        }
        defaults = implicit.toArray(FieldReader[]::new);
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        if (!(value instanceof byte[] bytes)) {
            throw new BadRecordException("the value is "
                    + (value == null ? "missing" : "a " + value.getClass().getName())
                    + ", not the bytes of a message " + messageName
                    + "; value.converter must be org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                int number = WireFormat.getTagFieldNumber(tag);
                FieldReader reader = number < byNumber.length ? byNumber[number] : null;
                if (reader == null) {
                    skip(tag, in);
                } else {
                    read(reader, WireFormat.getTagWireType(tag), bytes, in, record);
                }
            }
        } catch (IOException e) {
            throw new BadRecordException("the value is not a message " + messageName + ": " + e.getMessage(), e);
        }
        for (FieldReader reader : defaults) {
            if (record.isNull(reader.column)) {
                putDefault(reader, record);
            }
        }
    }

    private static void skip(int tag, CodedInputStream in) throws IOException, BadRecordException {
        if (!in.skipField(tag)) {
            throw new BadRecordException("the value ends a group that it did not begin");
        }
    }

    private static void read(FieldReader reader, int wireType, byte[] bytes, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        if (wireType != reader.wireType) {
            throw new BadRecordException("field '" + reader.field.getName() + "' has wire type " + wireType
                    + ", and its type " + reader.field.getType() + " has " + reader.wireType);
        }
        int column = reader.column;
        switch (reader.field.getType()) {
            case STRING -> {
                int length = in.readRawVarint32();
                int offset = in.getTotalBytesRead();
                in.skipRawBytes(length);
                record.putUtf8(column, bytes, offset, length);
            }
            case INT64 -> record.putLong(column, in.readInt64());
            case DOUBLE -> record.putDouble(column, in.readDouble());
            case FLOAT -> record.putDouble(column, in.readFloat());
            case INT32 -> record.putLong(column, in.readInt32());
            case SINT32 -> record.putLong(column, in.readSInt32());
            case SINT64 -> record.putLong(column, in.readSInt64());
            case SFIXED32 -> record.putLong(column, in.readSFixed32());
            case SFIXED64 -> record.putLong(column, in.readSFixed64());
            case UINT32 -> record.putLong(column, in.readUInt32() & 0xffff_ffffL);
            case FIXED32 -> record.putLong(column, in.readFixed32() & 0xffff_ffffL);
            case UINT64 -> record.putLong(column, unsigned(reader, in.readUInt64()));
            case FIXED64 -> record.putLong(column, unsigned(reader, in.readFixed64()));
            case BOOL -> record.putBoolean(column, in.readBool());
            case ENUM -> putEnum(reader, in.readEnum(), record);
            case MESSAGE -> readTimestamp(reader, in, record);
            default -> throw new IllegalStateException("a field of type " + reader.field.getType() + " fits no column");
        }
    }

    private static long unsigned(FieldReader reader, long value) throws BadRecordException {
        if (value < 0) {
            throw new BadRecordException("field '" + reader.field.getName() + "' is " + Long.toUnsignedString(value)
                    + ", more than 64 signed bits hold");
        }
        return value;
    }

    private static void putEnum(FieldReader reader, int number, RecordAppender record) throws BadRecordException {
        EnumValueDescriptor value = reader.field.getEnumType().findValueByNumber(number);
        if (value == null) {
            throw new BadRecordException("field '" + reader.field.getName() + "' is " + number + ", and enum "
                    + reader.field.getEnumType().getFullName() + " has no name for it");
        }
        byte[] name = value.getName().getBytes(StandardCharsets.UTF_8);
        record.putUtf8(reader.column, name, 0, name.length);
    }

    private static void readTimestamp(FieldReader reader, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        int outer = in.pushLimit(in.readRawVarint32());
        long seconds = 0;
        int nanos = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case 1 << 3 -> seconds = in.readInt64();
                case 2 << 3 -> nanos = in.readInt32();
                default -> skip(tag, in);
            }
        }
        in.popLimit(outer);
        record.putInstant(reader.column, seconds, nanos);
    }

    private static void putDefault(FieldReader reader, RecordAppender record) throws BadRecordException {
        int column = reader.column;
        switch (reader.field.getJavaType()) {
            case STRING -> record.putUtf8(column, new byte[0], 0, 0);
            case INT, LONG -> record.putLong(column, 0);
            case FLOAT, DOUBLE -> record.putDouble(column, 0);
            case BOOLEAN -> record.putBoolean(column, false);
            case ENUM -> putEnum(reader, ((EnumValueDescriptor) reader.field.getDefaultValue()).getNumber(), record);
            default -> throw new IllegalStateException("messages tell absence");
        }
    }
}
