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

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.util.Utf8;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldKind;
import org.hadoopmpsr.ingest.decode.FieldTree;
import org.jspecify.annotations.Nullable;

/** Reads the records of one writer's schema straight into columns, without making objects of them. */
final class AvroReader {
    private final String name;
    private final Step root;

    /** Reads one value. */
    @FunctionalInterface
    private interface Step {
        void read(BinaryDecoder in, RecordAppender record) throws IOException, BadRecordException;
    }

    private AvroReader(String name, Step root) {
        this.name = name;
        this.root = root;
    }

    /** @throws IllegalArgumentException when a field can never fill its column */
    static AvroReader of(Schema writer, ColumnSources columns) {
        return new AvroReader(writer.getFullName(), step(writer, columns.tree(), columns));
    }

    /** The full name of the schema. */
    String name() {
        return name;
    }

    void read(BinaryDecoder in, RecordAppender record) throws IOException, BadRecordException {
        root.read(in, record);
    }

    private static Step step(Schema schema, @Nullable FieldTree wanted, ColumnSources columns) {
        if (wanted == null) {
            return (in, record) -> GenericDatumReader.skip(schema, in);
        }
        return switch (schema.getType()) {
            case UNION -> union(schema, wanted, columns);
            case NULL -> (in, record) -> in.readNull();
            case RECORD, ARRAY, MAP -> {
                if (wanted.isColumn()) {
                    throw misfit(schema, wanted.column(), columns);
                }
                yield inner(schema, wanted, columns);
            }
            default -> wanted.isColumn() ? leaf(schema, wanted.column(), columns) : step(schema, null, columns);
        };
    }

    private static Step inner(Schema schema, FieldTree wanted, ColumnSources columns) {
        return switch (schema.getType()) {
            case RECORD -> record(schema, wanted, columns);
            case MAP -> map(schema, wanted, columns);
            default -> array(schema, wanted, columns);
        };
    }

    private static Step union(Schema schema, FieldTree wanted, ColumnSources columns) {
        Step[] branches = schema.getTypes().stream()
                .map(branch -> step(branch, wanted, columns))
                .toArray(Step[]::new);
        return (in, record) -> branches[in.readIndex()].read(in, record);
    }

    private static Step record(Schema schema, FieldTree wanted, ColumnSources columns) {
        Step[] fields = schema.getFields().stream()
                .map(field -> step(field.schema(), wanted.field(field.name()), columns))
                .toArray(Step[]::new);
        return (in, record) -> {
            for (Step field : fields) {
                field.read(in, record);
            }
        };
    }

    private static Step array(Schema schema, FieldTree wanted, ColumnSources columns) {
        Schema elements = schema.getElementType();
        int last = wanted.below().keySet().stream()
                .mapToInt(k -> k instanceof Integer i ? i : -1)
                .max()
                .orElse(-1);
        Step[] steps = new Step[last + 2];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step(elements, wanted.element(i), columns);
        }
        return (in, record) -> {
            int position = 0;
            for (long block = in.readArrayStart(); block > 0; block = in.arrayNext()) {
                for (long i = 0; i < block; i++, position++) {
                    steps[Math.min(position, last + 1)].read(in, record);
                }
            }
        };
    }

    private static Step map(Schema schema, FieldTree wanted, ColumnSources columns) {
        Map<String, Step> steps = new HashMap<>();
        wanted.below().forEach((key, node) -> {
            if (key instanceof String text) {
                steps.put(text, step(schema.getValueType(), node, columns));
            }
        });
        Step skip = step(schema.getValueType(), null, columns);
        return (in, record) -> {
            for (long block = in.readMapStart(); block > 0; block = in.mapNext()) {
                for (long i = 0; i < block; i++) {
                    steps.getOrDefault(in.readString(), skip).read(in, record);
                }
            }
        };
    }

    private static Step leaf(Schema schema, int column, ColumnSources columns) {
        if (!kind(schema).fits(columns.column(column).type())) {
            throw misfit(schema, column, columns);
        }
        return switch (schema.getType()) {
            case STRING -> {
                Utf8 scratch = new Utf8();
                yield (in, record) -> {
                    Utf8 text = in.readString(scratch);
                    record.putUtf8(column, text.getBytes(), 0, text.getByteLength());
                };
            }
            case ENUM -> {
                byte[][] names = schema.getEnumSymbols().stream()
                        .map(s -> s.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
                yield (in, record) -> {
                    byte[] symbol = names[in.readEnum()];
                    record.putUtf8(column, symbol, 0, symbol.length);
                };
            }
            case INT -> number(schema, column, columns, BinaryDecoder::readInt);
            case LONG -> number(schema, column, columns, BinaryDecoder::readLong);
            case FLOAT -> (in, record) -> record.putDouble(column, in.readFloat());
            case DOUBLE -> (in, record) -> record.putDouble(column, in.readDouble());
            case BOOLEAN -> (in, record) -> record.putBoolean(column, in.readBoolean());
            default -> decimal(schema, column);
        };
    }

    private static FieldKind kind(Schema schema) {
        return switch (schema.getType()) {
            case INT, LONG -> unit(schema.getLogicalType()) == null ? FieldKind.WHOLE : FieldKind.TIME;
            case FLOAT -> FieldKind.FLOAT;
            case DOUBLE -> FieldKind.DOUBLE;
            case BOOLEAN -> FieldKind.BOOLEAN;
            case STRING, ENUM -> FieldKind.TEXT;
            default -> schema.getLogicalType() instanceof LogicalTypes.Decimal ? FieldKind.DECIMAL : FieldKind.OTHER;
        };
    }

    @FunctionalInterface
    private interface LongRead {
        long read(BinaryDecoder in) throws IOException;
    }

    private static Step number(Schema schema, int column, ColumnSources columns, LongRead read) {
        TimeUnit unit = columns.hasUnit(column) ? null : unit(schema.getLogicalType());
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

    private static Step decimal(Schema schema, int column) {
        int scale = ((LogicalTypes.Decimal) schema.getLogicalType()).getScale();
        int fixed = schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : -1;
        return (in, record) -> {
            byte[] digits;
            if (fixed >= 0) {
                digits = new byte[fixed];
                in.readFixed(digits);
            } else {
                ByteBuffer read = in.readBytes(null);
                digits = new byte[read.remaining()];
                read.get(digits);
            }
            record.putDecimal(column, new BigDecimal(new BigInteger(digits), scale));
        };
    }

    private static IllegalArgumentException misfit(Schema schema, int column, ColumnSources columns) {
        LogicalType logical = schema.getLogicalType();
        return new IllegalArgumentException(FieldKind.misfit(
                columns.column(column),
                columns.path(column),
                schema.getType().getName() + (logical == null ? "" : " (" + logical.getName() + ")")));
    }
}
