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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Connect's converters make: structs, and maps where there is no schema. An absent field and null are null.
 * A struct's schema may change from record to record, as long as each value fits its column.
 */
public final class ConnectDecoder implements RecordDecoder {
    private final ColumnSources columns;
    private final ConnectFields fields;
    private final ConnectNested nested;
    private final StrictUtf8 utf8 = new StrictUtf8();

    /** @throws IllegalArgumentException when the mapping does not fit the schema */
    public ConnectDecoder(Schema schema, ColumnMapping mapping) {
        this(new ColumnSources(schema, mapping));
    }

    ConnectDecoder(ColumnSources columns) {
        this.columns = columns;
        fields = new ConnectFields(columns);
        nested = new ConnectNested(columns);
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        Object present = MessageValue.present(value);
        if (present instanceof Struct struct) {
            for (Map.Entry<FieldTree, Field> entry : fields.of(struct.schema()).entrySet()) {
                put(entry.getKey(), struct.get(entry.getValue()), record);
            }
            columns.putFallbacks(record);
        } else if (present instanceof Map<?, ?> map) {
            root(map, record);
            columns.putFallbacks(record);
        } else {
            throw new BadRecordException("the value is a " + present.getClass().getName()
                    + ", not an object with fields; check mpsr.format (for json, value.converter must be"
                    + " org.apache.kafka.connect.converters.ByteArrayConverter or"
                    + " org.apache.kafka.connect.json.JsonConverter)");
        }
    }

    /** Each key of a map without schema may be a field in another case. */
    private void root(Map<?, ?> map, RecordAppender record) throws BadRecordException {
        boolean exact = false;
        boolean otherwise = false;
        String last = null;
        for (Object key : map.keySet()) {
            last = String.valueOf(key);
            if (columns.tree().field(last) != null) {
                exact = true;
            } else {
                otherwise |= columns.tree().inAnotherCase(last) != null;
            }
        }
        if (otherwise) {
            for (Map.Entry<String, FieldTree> entry : among(map).entrySet()) {
                put(entry.getValue(), map.get(entry.getKey()), record);
            }
        } else if (exact) {
            below(columns.tree(), map, record);
        } else {
            throw columns.stranger(last == null ? null : ShownValue.of(last));
        }
    }

    private Map<String, FieldTree> among(Map<?, ?> map) throws BadRecordException {
        try {
            return columns.tree()
                    .among(map.keySet().stream().map(String::valueOf).toList());
        } catch (IllegalArgumentException e) {
            throw new BadRecordException(String.valueOf(e.getMessage()), e);
        }
    }

    private void below(FieldTree tree, Object value, RecordAppender record) throws BadRecordException {
        for (Map.Entry<Object, FieldTree> entry : tree.below().entrySet()) {
            put(entry.getValue(), find(value, entry.getKey()), record);
        }
    }

    private void put(FieldTree wanted, @Nullable Object found, RecordAppender record) throws BadRecordException {
        if (found == null) {
            return;
        }
        if (wanted.isColumn()) {
            put(wanted.column(), found, record);
        } else {
            below(wanted, found, record);
        }
    }

    private static @Nullable Object find(Object value, Object step) {
        if (value instanceof Struct struct && step instanceof String name) {
            Field field = struct.schema().field(name);
            return field == null ? null : struct.get(field);
        }
        if (value instanceof Map<?, ?> map) {
            return map.get(step);
        }
        if (value instanceof List<?> list && step instanceof Integer position) {
            return position < list.size() ? list.get(position) : null;
        }
        return null;
    }

    /** Puts a value that is not null. */
    void put(int column, Object value, RecordAppender record) throws BadRecordException {
        if (nested.take(column, value, record)) {
            return;
        }
        if (value instanceof String text) {
            columns.putText(record, column, CharBuffer.wrap(text), utf8);
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            columns.putLong(record, column, ((Number) value).longValue());
        } else if (value instanceof Double || value instanceof Float) {
            columns.putDouble(record, column, ((Number) value).doubleValue());
        } else if (value instanceof Boolean truth) {
            record.putBoolean(column, truth);
        } else if (value instanceof BigDecimal decimal) {
            columns.putDecimal(record, column, decimal);
        } else if (value instanceof BigInteger whole) {
            columns.putWhole(record, column, whole);
        } else if (value instanceof byte[] bytes) {
            record.putBytes(column, bytes, 0, bytes.length);
        } else if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            record.putBytes(column, bytes, 0, bytes.length);
        } else if (value instanceof java.util.Date date
                && columns.column(column).type().hasUnit()) {
            Instant instant = date.toInstant();
            record.putInstant(column, instant.getEpochSecond(), instant.getNano());
        } else {
            throw new BadRecordException("column '" + columns.column(column).name() + "' of type "
                    + columns.column(column).type().ddl() + " cannot hold the "
                    + value.getClass().getName() + " in field '" + columns.path(column) + "'");
        }
    }
}
