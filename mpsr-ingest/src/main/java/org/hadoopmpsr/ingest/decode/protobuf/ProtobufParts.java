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

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.NestedNode;
import org.jspecify.annotations.Nullable;

/** Writes what a message has as the form of a nested value. */
final class ProtobufParts {

    /**
     * Why a field never fits; null if it may.
     *
     * @param single the field is a single one, or an element of a repeated one is meant
     */
    static @Nullable String problem(NestedNode node, FieldDescriptor field, boolean single) {
        if (node instanceof NestedNode.OfMap map) {
            if (single || !field.isMapField()) {
                return "field '" + field.getName() + "' is no map";
            }
            Descriptor entry = field.getMessageType();
            String ofKey = problem(map.key(), entry.findFieldByName("key"), true);
            return ofKey != null ? ofKey : problem(map.value(), entry.findFieldByName("value"), true);
        }
        if (node instanceof NestedNode.OfList list) {
            return single || !field.isRepeated() || field.isMapField()
                    ? "field '" + field.getName() + "' is no repeated field"
                    : problem(list.element(), field, true);
        }
        if (!single && field.isRepeated()) {
            return "field '" + field.getName() + "' is repeated";
        }
        return node instanceof NestedNode.OfStruct struct
                ? problem(struct, field)
                : problem((NestedNode.Leaf) node, field);
    }

    private static @Nullable String problem(NestedNode.OfStruct struct, FieldDescriptor field) {
        if (field.getType() != FieldDescriptor.Type.MESSAGE) {
            return "field '" + field.getName() + "' is no message";
        }
        struct.begin();
        boolean any = false;
        for (FieldDescriptor below : field.getMessageType().getFields()) {
            int position = struct.position(below.getName());
            String found = position < 0 ? null : problem(struct.field(position), below, false);
            if (found != null) {
                return found;
            }
            any |= position >= 0;
        }
        return any ? null : "message " + field.getMessageType().getFullName() + " has none of the fields of the struct";
    }

    private static @Nullable String problem(NestedNode.Leaf leaf, FieldDescriptor field) {
        FieldDescriptor value =
                ProtobufField.isWrapper(field) ? field.getMessageType().findFieldByName("value") : field;
        return leaf.columns().fits(ProtobufField.kind(value), 0)
                ? null
                : leaf.columns().misfit(0, ProtobufField.typeName(field), ProtobufField.kind(value));
    }

    /** Writes a field of a message; returns false, and writes nothing, if it is not set. */
    boolean putField(NestedNode node, Message message, FieldDescriptor field, NestedWriter out)
            throws BadRecordException {
        if (!field.isRepeated()) {
            return (!field.hasPresence() || message.hasField(field)) && put(node, field, message.getField(field), out);
        }
        List<?> elements = (List<?>) message.getField(field);
        if (node instanceof NestedNode.OfMap map) {
            putEntries(map, elements, out);
            return true;
        }
        int place = out.beginList();
        for (Object element : elements) {
            if (!put(((NestedNode.OfList) node).element(), field, element, out)) {
                out.putNull();
            }
        }
        out.end(place, elements.size());
        return true;
    }

    private void putEntries(NestedNode.OfMap map, List<?> entries, NestedWriter out) throws BadRecordException {
        Map<Object, Message> lastOfKey =
                new LinkedHashMap<>(); // as protobuf says: of entries with equal keys the last one counts
        for (Object each : entries) {
            Message entry = (Message) each;
            lastOfKey.put(entry.getField(entry.getDescriptorForType().findFieldByName("key")), entry);
        }
        int place = out.beginMap();
        for (Map.Entry<Object, Message> entry : lastOfKey.entrySet()) {
            Descriptor type = entry.getValue().getDescriptorForType();
            FieldDescriptor value = type.findFieldByName("value");
            put(map.key(), type.findFieldByName("key"), entry.getKey(), out);
            if (!put(map.value(), value, entry.getValue().getField(value), out)) {
                out.putNull();
            }
        }
        out.end(place, lastOfKey.size());
    }

    private boolean put(NestedNode node, FieldDescriptor field, Object value, NestedWriter out)
            throws BadRecordException {
        if (node instanceof NestedNode.OfStruct struct) {
            Message message = (Message) value;
            struct.begin();
            for (FieldDescriptor below : message.getDescriptorForType().getFields()) {
                int position = struct.position(below.getName());
                if (position >= 0) {
                    struct.set(position, putField(struct.field(position), message, below, struct.value(position)));
                }
            }
            struct.end(out);
            return true;
        }
        NestedNode.Leaf leaf = (NestedNode.Leaf) node;
        putLeaf(leaf.columns(), field, value, leaf.begin());
        return leaf.end(out);
    }

    private static void putLeaf(ColumnSources columns, FieldDescriptor field, Object value, RecordAppender record)
            throws BadRecordException {
        if (value instanceof Message message) {
            Descriptor type = message.getDescriptorForType();
            if (ProtobufField.isWrapper(field)) {
                FieldDescriptor inner = type.findFieldByName("value");
                putLeaf(columns, inner, message.getField(inner), record);
            } else {
                record.putInstant(0, (Long) message.getField(type.findFieldByName("seconds")), (Integer)
                        message.getField(type.findFieldByName("nanos")));
            }
        } else if (value instanceof EnumValueDescriptor symbol) {
            if (symbol.getIndex() < 0) {
                throw new BadRecordException("field '" + field.getName() + "' is " + symbol.getNumber() + ", and enum "
                        + field.getEnumType().getFullName() + " has no name for it");
            }
            byte[] name = symbol.getName().getBytes(StandardCharsets.UTF_8);
            columns.putUtf8(record, 0, name, 0, name.length);
        } else if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            columns.putUtf8(record, 0, utf8, 0, utf8.length);
        } else if (value instanceof ByteString bytes) {
            record.putBytes(0, bytes.toByteArray(), 0, bytes.size());
        } else if (value instanceof Boolean truth) {
            record.putBoolean(0, truth);
        } else if (value instanceof Double || value instanceof Float) {
            columns.putDouble(record, 0, ((Number) value).doubleValue());
        } else {
            putWhole(columns, field, ((Number) value).longValue(), record);
        }
    }

    private static void putWhole(ColumnSources columns, FieldDescriptor field, long value, RecordAppender record)
            throws BadRecordException {
        switch (field.getType()) {
            case UINT32, FIXED32 -> columns.putLong(record, 0, value & 0xffff_ffffL);
            case UINT64, FIXED64 -> columns.putWhole(record, 0, new BigInteger(Long.toUnsignedString(value)));
            default -> columns.putLong(record, 0, value);
        }
    }
}
