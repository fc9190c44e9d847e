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
package org.hadoopmpsr.ingest.decode.avro;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldKind;
import org.jspecify.annotations.Nullable;

/** Reads the values that fill a column. */
final class AvroLeaf {

    private AvroLeaf() {}

    /** The kind of a schema's values; the schema is neither a record, a map nor an array. */
    static FieldKind kind(Schema schema) {
        return switch (schema.getType()) {
            case INT, LONG -> unit(schema.getLogicalType()) == null ? FieldKind.WHOLE : FieldKind.TIME;
            case FLOAT -> FieldKind.FLOAT;
            case DOUBLE -> FieldKind.DOUBLE;
            case BOOLEAN -> FieldKind.BOOLEAN;
            case STRING, ENUM -> FieldKind.TEXT;
            case BYTES, FIXED ->
                schema.getLogicalType() instanceof LogicalTypes.Decimal ? FieldKind.DECIMAL : FieldKind.BYTES;
            default -> FieldKind.OTHER;
        };
    }

    /** The step that fills a column, which values of that kind can fill. */
    static AvroStep of(Schema schema, int column, ColumnSources columns) {
        return switch (schema.getType()) {
            case STRING ->
                (in, record) -> {
                    long length = in.readLong();
                    columns.putUtf8(record, column, in.bytes(), in.skip(length), (int) length);
                };
            case ENUM -> {
                byte[][] names = schema.getEnumSymbols().stream()
                        .map(s -> s.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
                yield (in, record) -> {
                    byte[] symbol = names[in.readIndex(names.length)];
                    columns.putUtf8(record, column, symbol, 0, symbol.length);
                };
            }
            case INT -> number(schema, column, columns, AvroInput::readInt);
            case LONG -> number(schema, column, columns, AvroInput::readLong);
            case FLOAT -> (in, record) -> columns.putDouble(record, column, in.readFloat());
            case DOUBLE -> (in, record) -> columns.putDouble(record, column, in.readDouble());
            case BOOLEAN -> (in, record) -> record.putBoolean(column, in.readBoolean());
            default ->
                schema.getLogicalType() instanceof LogicalTypes.Decimal
                        ? decimal(schema, column, columns)
                        : bytes(schema, column);
        };
    }

    @FunctionalInterface
    private interface LongRead {
        long read(AvroInput in) throws BadRecordException;
    }

    private static AvroStep number(Schema schema, int column, ColumnSources columns, LongRead read) {
        TimeUnit unit = columns.hasUnit(column)
                ? null
                : columns.column(column).type() == ColumnType.TIME_NS
                        ? unitOfDay(schema.getLogicalType())
                        : unit(schema.getLogicalType());
        return unit == null
                ? (in, record) -> columns.putLong(record, column, read.read(in))
                : (in, record) -> record.putTime(column, read.read(in), unit);
    }

    private static @Nullable TimeUnit unit(@Nullable LogicalType type) {
        return switch (type == null ? "" : type.getName()) {
            case "date" -> TimeUnit.DAYS;
            case "timestamp-millis", "local-timestamp-millis" -> TimeUnit.MILLISECONDS;
            case "timestamp-micros", "local-timestamp-micros" -> TimeUnit.MICROSECONDS;
            case "timestamp-nanos", "local-timestamp-nanos" -> TimeUnit.NANOSECONDS;
            default -> null;
        };
    }

    /** A time of day fills columns of whole numbers too, as it stands. */
    private static @Nullable TimeUnit unitOfDay(@Nullable LogicalType type) {
        return switch (type == null ? "" : type.getName()) {
            case "time-millis" -> TimeUnit.MILLISECONDS;
            case "time-micros" -> TimeUnit.MICROSECONDS;
            default -> null;
        };
    }

    private static AvroStep bytes(Schema schema, int column) {
        int fixed = schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : -1;
        return (in, record) -> {
            long length = fixed >= 0 ? fixed : in.readLong();
            int start = in.skip(length);
            record.putBytes(column, in.bytes(), start, (int) length);
        };
    }

    private static AvroStep decimal(Schema schema, int column, ColumnSources columns) {
        int scale = ((LogicalTypes.Decimal) schema.getLogicalType()).getScale();
        int fixed = schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : -1;
        return (in, record) -> {
            long length = fixed >= 0 ? fixed : in.readLong();
            int start = in.skip(length);
            BigInteger digits = length == 0 ? BigInteger.ZERO : new BigInteger(in.bytes(), start, (int) length);
            columns.putDecimal(record, column, new BigDecimal(digits, scale));
        };
    }
}
