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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import org.assertj.core.api.AbstractThrowableAssert;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.core.nested.NestedReader;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.StructType;

/** What a decoder puts to the columns. */
public final class Decoded {
    private final RecordDecoder decoder;
    private final RecordBuffer buffer;
    private final RecordAppender appender;

    public Decoded(Schema schema, RecordDecoder decoder) {
        this.decoder = decoder;
        buffer = new RecordBuffer(schema);
        appender = new RecordAppender(buffer);
    }

    /** The values in the order of the columns; bytes as hexadecimal digits, decimals as digits without the point. */
    public List<Object> row(Object message) throws BadRecordException {
        appender.begin();
        decoder.decode(message, appender);
        appender.end(0);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < buffer.schema().columns().size(); i++) {
            values.add(value(buffer.schema().columns().get(i).type(), buffer.vector(i), buffer.rows() - 1));
        }
        return values;
    }

    /** A message must be refused, and leave nothing. */
    public AbstractThrowableAssert<?, ?> bad(Object message) {
        int before = buffer.rows();
        AbstractThrowableAssert<?, ?> thrown =
                assertThatThrownBy(() -> row(message)).isInstanceOf(BadRecordException.class);
        if (buffer.rows() != before) {
            throw new AssertionError("a bad record was kept");
        }
        return thrown;
    }

    private static Object value(ColumnType type, ColumnVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        if (vector instanceof LongVector longs) {
            return longs.values()[row];
        }
        if (vector instanceof DoubleVector doubles) {
            return doubles.values()[row];
        }
        if (vector instanceof BooleanVector booleans) {
            return booleans.values()[row];
        }
        if (vector instanceof WideDecimalVector decimals) {
            return decimals.digits(row);
        }
        StringVector strings = (StringVector) vector;
        if (type instanceof NestedType) {
            NestedReader form = new NestedReader();
            form.start(strings.dictionary().bytes(), strings.dictionary().start(strings.ids()[row]));
            return text(type, form);
        }
        if (type == ColumnType.BINARY) {
            ByteDictionary all = strings.dictionary();
            int id = strings.ids()[row];
            return HexFormat.of().formatHex(all.bytes(), all.start(id), all.end(id));
        }
        return strings.dictionary().text(strings.ids()[row]);
    }

    /** A nested value: lists in brackets, maps and structs in braces. */
    private static String text(ColumnType type, NestedReader form) {
        if (form.takeNull()) {
            return "null";
        }
        StringJoiner parts =
                new StringJoiner(", ", type instanceof ListType ? "[" : "{", type instanceof ListType ? "]" : "}");
        if (type instanceof ListType list) {
            for (int left = form.readList(); left > 0; left--) {
                parts.add(text(list.element(), form));
            }
        } else if (type instanceof MapType map) {
            for (int left = form.readMap(); left > 0; left--) {
                parts.add(text(map.key(), form) + ": " + text(map.value(), form));
            }
        } else if (type instanceof StructType struct) {
            for (int left = form.readStruct(); left > 0; left--) {
                StructType.Field field = struct.fields().get(form.readField());
                parts.add(field.name() + "=" + text(field.type(), form));
            }
        } else {
            return switch (type.kind()) {
                case BOOLEAN -> String.valueOf(form.readBoolean());
                case FLOAT, DOUBLE -> String.valueOf(form.readDouble());
                case DECIMAL -> String.valueOf(form.readDecimal());
                case STRING -> {
                    form.readBytes();
                    yield new String(form.bytes(), form.start(), form.length(), StandardCharsets.UTF_8);
                }
                case BINARY -> {
                    form.readBytes();
                    yield HexFormat.of().formatHex(form.bytes(), form.start(), form.start() + form.length());
                }
                default -> String.valueOf(form.readLong());
            };
        }
        return parts.toString();
    }
}
