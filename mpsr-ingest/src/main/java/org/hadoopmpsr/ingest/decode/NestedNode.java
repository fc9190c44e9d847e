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

import java.util.Arrays;
import java.util.List;
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
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A type with what a decoder needs to write values of it. A value without values within goes through the rules of a column of
 * that type, as if it were the only column of a dataset. For one thread, and not used again before a value is written.
 */
public abstract sealed class NestedNode {
    /** Strings of values that are written are forgotten when they take more. */
    private static final long MOST_STRING_BYTES = 64 << 10;

    private NestedNode() {}

    /** The node of a column; null for one without values within. */
    public static @Nullable NestedNode ofColumn(Column column) {
        return column.type() instanceof NestedType ? node(column.name(), column.type()) : null;
    }

    /** The nodes of the columns by position, null for those without values within. */
    static @Nullable NestedNode[] of(Schema schema) {
        return schema.columns().stream().map(NestedNode::ofColumn).toArray(NestedNode[]::new);
    }

    private static NestedNode node(String name, ColumnType type) {
        if (type instanceof ListType list) {
            return new OfList(node("element", list.element()));
        }
        if (type instanceof MapType map) {
            return new OfMap(new Leaf("key", map.key()), node("value", map.value()));
        }
        return type instanceof StructType struct ? new OfStruct(struct) : new Leaf(name, type);
    }

    /** Says which column a value is of that cannot be stored. */
    public static BadRecordException within(Column column, BadRecordException cause) {
        return new BadRecordException(
                "a value within column '" + column.name() + "' of type "
                        + column.type().ddl() + ": " + cause.getMessage(),
                cause);
    }

    /** A list. */
    public static final class OfList extends NestedNode {
        private final NestedNode element;

        private OfList(NestedNode element) {
            this.element = element;
        }

        /** The elements. */
        public NestedNode element() {
            return element;
        }
    }

    /** A map. */
    public static final class OfMap extends NestedNode {
        private final Leaf key;
        private final NestedNode value;

        private OfMap(Leaf key, NestedNode value) {
            this.key = key;
            this.value = value;
        }

        /** The keys. */
        public Leaf key() {
            return key;
        }

        /** The values. */
        public NestedNode value() {
            return value;
        }
    }

    /** A struct, whose fields may come in any order; the last value of a field counts. */
    public static final class OfStruct extends NestedNode {
        private final StructType type;
        private final List<NestedNode> fields;
        private final NestedWriter[] values;
        private final boolean[] isPresent;
        private final boolean[] isExact;

        private OfStruct(StructType type) {
            this.type = type;
            fields = type.fields().stream()
                    .map(field -> node(field.name(), field.type()))
                    .toList();
            values = type.fields().stream().map(field -> new NestedWriter()).toArray(NestedWriter[]::new);
            isPresent = new boolean[values.length];
            isExact = new boolean[values.length];
        }

        /** Begins a value. */
        public void begin() {
            Arrays.fill(isPresent, false);
            Arrays.fill(isExact, false);
        }

        /** The position of a field of a message; -1 if it is not wanted. A name in another case gives way to the exact one. */
        public int position(String name) {
            int position = type.indexOf(name).orElse(-1);
            if (position < 0) {
                return -1;
            }
            boolean same = type.fields().get(position).name().equals(name);
            if (isExact[position] && !same) {
                return -1;
            }
            isExact[position] |= same;
            return position;
        }

        /** The field at a position. */
        public NestedNode field(int position) {
            return fields.get(position);
        }

        /** Where the value of a field is to be written. */
        public NestedWriter value(int position) {
            values[position].clear();
            return values[position];
        }

        /** The field has the value that was written, or none. */
        public void set(int position, boolean hasValue) {
            isPresent[position] = hasValue;
        }

        /** Writes the struct. */
        public void end(NestedWriter out) {
            int place = out.beginStruct();
            int count = 0;
            for (int position = 0; position < values.length; position++) {
                if (isPresent[position]) {
                    out.field(position);
                    out.putForm(values[position]);
                    count++;
                }
            }
            out.end(place, count);
        }
    }

    /** A value without values within. */
    public static final class Leaf extends NestedNode {
        private final ColumnSources columns;
        private final RecordBuffer buffer;
        private final RecordAppender record;

        private Leaf(String name, ColumnType type) {
            Schema schema = new Schema(List.of(new Column(name, type, true)));
            columns = new ColumnSources(schema, ColumnMapping.BY_NAME);
            buffer = new RecordBuffer(schema);
            record = new RecordAppender(buffer);
        }

        /** The only column, 0, of the record. */
        public ColumnSources columns() {
            return columns;
        }

        /** Begins a value: it is to be put to column 0. */
        public RecordAppender begin() {
            record.begin();
            return record;
        }

        /** Writes the value that was put; returns false, and writes nothing, if there is none. */
        public boolean end(NestedWriter out) {
            if (record.isNull(0)) {
                return false;
            }
            ColumnVector vector = buffer.vector(0);
            if (vector instanceof WideDecimalVector decimals) {
                out.putDecimal(decimals.digits(0));
                forget(decimals.dictionary());
            } else if (vector instanceof StringVector strings) {
                put(strings, out);
            } else if (vector instanceof LongVector longs) {
                out.putLong(longs.values()[0]);
            } else if (vector instanceof DoubleVector doubles) {
                out.putDouble(doubles.values()[0]);
            } else {
                out.putBoolean(((BooleanVector) vector).values()[0]);
            }
            return true;
        }

        private void put(StringVector strings, NestedWriter out) {
            int id = strings.ids()[0];
            ByteDictionary all = strings.dictionary();
            out.putBytes(all.bytes(), all.start(id), all.length(id));
            forget(all);
        }

        /** Each value is copied at once: what was put before is of no use any more. */
        private void forget(ByteDictionary values) {
            if (values.sizeBytes() > MOST_STRING_BYTES) {
                buffer.clear();
            }
        }
    }
}
