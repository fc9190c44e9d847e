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
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnSources;

/** A field whose value fills a column. */
final class ProtobufValue extends ProtobufField {
    private final FieldDescriptor field;
    private final FieldDescriptor.Type type;
    private final int wireType;
    private final int column;
    private final ColumnSources columns;
    private final boolean implicit;
    /** Of a timestamp, which is merged where it comes twice. */
    private long seconds;

    private int nanos;

    ProtobufValue(FieldDescriptor field, int column, ColumnSources columns) {
        super(field);
        this.field = field;
        this.column = column;
        this.columns = columns;
        type = field.getType();
        wireType = field.getLiteType().getWireType();
        implicit = !field.isRepeated() && !field.hasPresence();
    }

    @Override
    void read(int foundWireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        requireWireType(wireType, foundWireType);
        switch (type) {
            case STRING -> {
                int length = in.readRawVarint32();
                int offset = base + in.getTotalBytesRead();
                in.skipRawBytes(length);
                columns.putUtf8(record, column, bytes, offset, length);
            }
            case BYTES -> {
                int length = in.readRawVarint32();
                int offset = base + in.getTotalBytesRead();
                in.skipRawBytes(length);
                record.putBytes(column, bytes, offset, length);
            }
            case INT64 -> columns.putLong(record, column, in.readInt64());
            case DOUBLE -> columns.putDouble(record, column, in.readDouble());
            case FLOAT -> columns.putDouble(record, column, in.readFloat());
            case INT32 -> columns.putLong(record, column, in.readInt32());
            case SINT32 -> columns.putLong(record, column, in.readSInt32());
            case SINT64 -> columns.putLong(record, column, in.readSInt64());
            case SFIXED32 -> columns.putLong(record, column, in.readSFixed32());
            case SFIXED64 -> columns.putLong(record, column, in.readSFixed64());
            case UINT32 -> columns.putLong(record, column, in.readUInt32() & 0xffff_ffffL);
            case FIXED32 -> columns.putLong(record, column, in.readFixed32() & 0xffff_ffffL);
            case UINT64 -> putUnsigned(in.readUInt64(), record);
            case FIXED64 -> putUnsigned(in.readFixed64(), record);
            case BOOL -> record.putBoolean(column, in.readBool());
            case ENUM -> putEnum(in.readEnum(), record);
            case MESSAGE -> readTimestamp(in, record);
            default -> throw new IllegalStateException("a field of type " + type + " fits no column");
        }
    }

    @Override
    void begin() {
        seconds = 0;
        nanos = 0;
    }

    @Override
    void clear(RecordAppender record) {
        begin();
        record.putNull(column);
    }

    @Override
    void end(RecordAppender record) throws BadRecordException {
        if (implicit && record.isNull(column)) {
            putDefault(record);
        }
    }

    private void putDefault(RecordAppender record) throws BadRecordException {
        switch (field.getJavaType()) {
            case STRING -> columns.putUtf8(record, column, new byte[0], 0, 0);
            case BYTE_STRING -> record.putBytes(column, new byte[0], 0, 0);
            case INT, LONG -> columns.putLong(record, column, 0);
            case FLOAT, DOUBLE -> columns.putDouble(record, column, 0);
            case BOOLEAN -> record.putBoolean(column, false);
            case ENUM -> putEnum(((EnumValueDescriptor) field.getDefaultValue()).getNumber(), record);
            default -> throw new IllegalStateException("messages tell absence");
        }
    }

    private void putUnsigned(long value, RecordAppender record) throws BadRecordException {
        if (value < 0) {
            columns.putWhole(record, column, new BigInteger(Long.toUnsignedString(value)));
        } else {
            columns.putLong(record, column, value);
        }
    }

    /** A number that a closed enum does not know is an unknown field, as the specification has it. */
    private void putEnum(int number, RecordAppender record) throws BadRecordException {
        EnumValueDescriptor value = field.getEnumType().findValueByNumber(number);
        if (value != null) {
            byte[] name = value.getName().getBytes(StandardCharsets.UTF_8);
            columns.putUtf8(record, column, name, 0, name.length);
        } else if (!field.legacyEnumFieldTreatedAsClosed()) {
            throw new BadRecordException("column '" + columns.column(column).name() + "': field '" + field.getName()
                    + "' is " + number + ", and enum " + field.getEnumType().getFullName() + " has no name for it");
        }
    }

    private void readTimestamp(CodedInputStream in, RecordAppender record) throws IOException, BadRecordException {
        int outer = in.pushLimit(in.readRawVarint32());
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case 1 << 3 -> seconds = in.readInt64();
                case 2 << 3 -> nanos = in.readInt32();
                default -> ProtobufReader.skip(tag, in);
            }
        }
        ProtobufReader.leave(in, outer);
        record.putInstant(column, seconds, nanos);
    }
}
