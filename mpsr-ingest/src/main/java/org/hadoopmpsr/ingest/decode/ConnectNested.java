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

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.jspecify.annotations.Nullable;

/** Puts lists, structs and maps of Connect to nested columns. For one thread. */
final class ConnectNested {
    private final ColumnSources columns;
    private final @Nullable NestedNode[] nodes;
    private final NestedWriter form = new NestedWriter();
    private final Map<NestedNode.Leaf, ConnectDecoder> leaves = new IdentityHashMap<>();

    ConnectNested(ColumnSources columns) {
        this.columns = columns;
        nodes = NestedNode.of(columns.schema());
    }

    /** Puts a value to its column if that is a nested one; otherwise returns false. */
    boolean take(int column, Object value, RecordAppender record) throws BadRecordException {
        NestedNode node = nodes[column];
        if (node == null) {
            return false;
        }
        form.clear();
        try {
            put(node, value, form);
        } catch (BadRecordException e) {
            throw NestedNode.within(columns.column(column), e);
        }
        record.putNested(column, form);
        return true;
    }

    /** Returns false, and writes nothing, for null. */
    private boolean put(NestedNode node, @Nullable Object value, NestedWriter out) throws BadRecordException {
        if (value == null) {
            return false;
        }
        if (node instanceof NestedNode.Leaf leaf) {
            leaves.computeIfAbsent(leaf, its -> new ConnectDecoder(its.columns()))
                    .put(0, value, leaf.begin());
            return leaf.end(out);
        }
        if (node instanceof NestedNode.OfList list && value instanceof List<?> elements) {
            int place = out.beginList();
            for (Object element : elements) {
                putNullable(list.element(), element, out);
            }
            out.end(place, elements.size());
        } else if (node instanceof NestedNode.OfMap map && value instanceof Map<?, ?> entries) {
            putMap(map, entries, out);
        } else if (node instanceof NestedNode.OfStruct struct && value instanceof Struct fields) {
            struct.begin();
            for (Field field : fields.schema().fields()) {
                putField(struct, field.name(), fields.get(field));
            }
            struct.end(out);
        } else if (node instanceof NestedNode.OfStruct struct && value instanceof Map<?, ?> fields) {
            struct.begin();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                putField(struct, String.valueOf(field.getKey()), field.getValue());
            }
            struct.end(out);
        } else {
            throw new BadRecordException("there is a " + value.getClass().getName() + " where "
                    + (node instanceof NestedNode.OfList ? "a list" : "a struct or a map") + " is needed");
        }
        return true;
    }

    private void putMap(NestedNode.OfMap map, Map<?, ?> entries, NestedWriter out) throws BadRecordException {
        int place = out.beginMap();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            if (!put(map.key(), entry.getKey(), out)) {
                throw new BadRecordException("a map has an entry whose key is null");
            }
            putNullable(map.value(), entry.getValue(), out);
        }
        out.end(place, entries.size());
    }

    private void putField(NestedNode.OfStruct struct, String name, @Nullable Object value) throws BadRecordException {
        int position = struct.position(name);
        if (position >= 0) {
            struct.set(position, put(struct.field(position), value, struct.value(position)));
        }
    }

    private void putNullable(NestedNode node, @Nullable Object value, NestedWriter out) throws BadRecordException {
        if (!put(node, value, out)) {
            out.putNull();
        }
    }
}
