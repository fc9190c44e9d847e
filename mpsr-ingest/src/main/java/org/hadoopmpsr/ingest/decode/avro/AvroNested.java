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

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldKind;
import org.hadoopmpsr.ingest.decode.NestedNode;

/** Makes the steps that fill nested columns: a record fills a struct, an array a list, and a map a map. */
final class AvroNested {
    private final ColumnSources columns;
    private final AvroSkips skips;

    AvroNested(ColumnSources columns, AvroSkips skips) {
        this.columns = columns;
        this.skips = skips;
    }

    /** Reads a value within a nested column and writes it; returns false, and writes nothing, for null. */
    @FunctionalInterface
    private interface Part {
        boolean read(AvroInput in, RecordAppender record, NestedWriter out) throws BadRecordException;
    }

    /**
     * The step that fills a nested column.
     *
     * @param schema neither a union nor null
     * @throws IllegalArgumentException if values of the schema never fit the column
     */
    AvroStep step(Schema schema, int number) {
        Column column = columns.column(number);
        Part part = part(schema, Objects.requireNonNull(NestedNode.ofColumn(column)), number);
        NestedWriter form = new NestedWriter();
        return (in, record) -> {
            form.clear();
            try {
                part.read(in, record, form);
            } catch (BadRecordException e) {
                throw NestedNode.within(column, e);
            }
            record.putNested(number, form);
        };
    }

    private Part part(Schema schema, NestedNode node, int column) {
        switch (schema.getType()) {
            case UNION:
                return union(schema, node, column);
            case NULL:
                return (in, record, out) -> false;
            default:
                if (node instanceof NestedNode.Leaf leaf) {
                    return leaf(schema, leaf, column);
                }
                if (node instanceof NestedNode.OfList list && schema.getType() == Schema.Type.ARRAY) {
                    return list(schema.getElementType(), list, column);
                }
                if (node instanceof NestedNode.OfMap map && schema.getType() == Schema.Type.MAP) {
                    return map(schema.getValueType(), map, column);
                }
                if (node instanceof NestedNode.OfStruct struct && schema.getType() == Schema.Type.RECORD) {
                    return struct(schema, struct, column);
                }
                throw misfit(schema, column);
        }
    }

    private IllegalArgumentException misfit(Schema schema, int column) {
        return new IllegalArgumentException(
                columns.misfit(column, "with " + schema.getType().getName() + " within", FieldKind.OTHER));
    }

    private Part leaf(Schema schema, NestedNode.Leaf leaf, int column) {
        if (!leaf.columns().fits(AvroLeaf.kind(schema), 0)) {
            throw misfit(schema, column);
        }
        AvroStep step = AvroLeaf.of(schema, 0, leaf.columns());
        return (in, record, out) -> {
            step.read(in, leaf.begin());
            return leaf.end(out);
        };
    }

    /** As with other columns, a branch that does not fit makes a bad record of each that uses it, as long as another one fits. */
    private Part union(Schema schema, NestedNode node, int column) {
        List<Part> branches = new ArrayList<>();
        IllegalArgumentException misfit = null;
        boolean fits = false;
        for (Schema branch : schema.getTypes()) {
            try {
                branches.add(part(branch, node, column));
                fits |= branch.getType() != Schema.Type.NULL;
            } catch (IllegalArgumentException e) {
                misfit = e;
                branches.add((in, record, out) -> {
                    throw new BadRecordException(String.valueOf(e.getMessage()));
                });
            }
        }
        if (misfit != null && !fits) {
            throw misfit;
        }
        return (in, record, out) -> branches.get(in.readIndex(branches.size())).read(in, record, out);
    }

    /** Elements that take no bytes have no values, and a message of a few bytes may claim any number of them. */
    private Part list(Schema elements, NestedNode.OfList list, int column) {
        long itemBytes = skips.fewestBytes(elements);
        if (itemBytes == 0) {
            throw misfit(elements, column);
        }
        Part element = part(elements, list.element(), column);
        return (in, record, out) -> {
            int place = out.beginList();
            int size = 0;
            for (long count = in.readBlock(itemBytes); count > 0; count = in.readBlock(itemBytes)) {
                for (long i = 0; i < count; i++, size++) {
                    if (!element.read(in, record, out)) {
                        out.putNull();
                    }
                }
            }
            out.end(place, size);
            return true;
        };
    }

    private Part map(Schema values, NestedNode.OfMap map, int column) {
        long itemBytes = 1 + skips.fewestBytes(values);
        Part value = part(values, map.value(), column);
        NestedNode.Leaf key = map.key();
        return (in, record, out) -> {
            int place = out.beginMap();
            int size = 0;
            for (long count = in.readBlock(itemBytes); count > 0; count = in.readBlock(itemBytes)) {
                for (long i = 0; i < count; i++, size++) {
                    long length = in.readLong();
                    key.columns().putUtf8(key.begin(), 0, in.bytes(), in.skip(length), (int) length);
                    key.end(out);
                    if (!value.read(in, record, out)) {
                        out.putNull();
                    }
                }
            }
            out.end(place, size);
            return true;
        };
    }

    private Part struct(Schema schema, NestedNode.OfStruct struct, int column) {
        List<Part> fields = new ArrayList<>();
        struct.begin();
        schema.getFields().forEach(field -> struct.position(field.name())); // exact names go first
        for (Schema.Field field : schema.getFields()) {
            int position = struct.position(field.name());
            fields.add(position < 0 ? skip(field.schema()) : field(position, field.schema(), struct, column));
        }
        return (in, record, out) -> {
            in.enter();
            struct.begin();
            for (Part field : fields) {
                field.read(in, record, out);
            }
            struct.end(out);
            in.leave();
            return true;
        };
    }

    private Part field(int position, Schema schema, NestedNode.OfStruct struct, int column) {
        Part value = part(schema, struct.field(position), column);
        return (in, record, out) -> {
            struct.set(position, value.read(in, record, struct.value(position)));
            return true;
        };
    }

    private Part skip(Schema schema) {
        AvroStep step = skips.of(schema);
        return (in, record, out) -> {
            step.read(in, record);
            return false;
        };
    }
}
