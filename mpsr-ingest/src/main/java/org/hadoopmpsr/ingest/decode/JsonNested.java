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

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.CharBuffer;
import java.util.IdentityHashMap;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;

/** Puts an array or object at which a parser stands to its nested column. For one thread. */
final class JsonNested {
    private final ColumnSources columns;
    private final int column;
    private final NestedNode root;
    private final StrictUtf8 utf8;
    private final NestedWriter form = new NestedWriter();
    private final Map<NestedNode.Leaf, JsonValue> leaves = new IdentityHashMap<>();

    JsonNested(ColumnSources columns, int column, NestedNode root, StrictUtf8 utf8) {
        this.columns = columns;
        this.column = column;
        this.root = root;
        this.utf8 = utf8;
    }

    void put(JsonParser parser, RecordAppender record) throws IOException, BadRecordException {
        form.clear();
        boolean isPresent;
        try {
            isPresent = put(root, parser, form);
        } catch (BadRecordException e) {
            throw NestedNode.within(columns.column(column), e);
        }
        if (isPresent) {
            record.putNested(column, form);
        } else {
            record.putNull(column);
        }
    }

    /** Returns false, and writes nothing, for null. */
    private boolean put(NestedNode node, JsonParser parser, NestedWriter out) throws IOException, BadRecordException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return false;
        }
        if (node instanceof NestedNode.Leaf leaf) {
            JsonValue value = leaves.computeIfAbsent(leaf, its -> new JsonValue(its.columns(), utf8));
            value.put(0, parser, leaf.begin());
            return leaf.end(out);
        }
        if (node instanceof NestedNode.OfList list) {
            require(JsonToken.START_ARRAY, token);
            putList(list, parser, out);
        } else {
            require(JsonToken.START_OBJECT, token);
            if (node instanceof NestedNode.OfMap map) {
                putMap(map, parser, out);
            } else {
                putStruct((NestedNode.OfStruct) node, parser, out);
            }
        }
        return true;
    }

    private void require(JsonToken wanted, JsonToken found) throws BadRecordException {
        if (found != wanted) {
            Column filled = columns.column(column);
            throw new BadRecordException((wanted == JsonToken.START_ARRAY ? "an array" : "an object")
                    + " is needed in field '" + columns.path(column) + "' for the column '" + filled.name()
                    + "', and there is " + name(found));
        }
    }

    private static String name(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> "an array";
            case START_OBJECT -> "an object";
            case VALUE_STRING -> "a string";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            default -> "a number";
        };
    }

    private void putList(NestedNode.OfList list, JsonParser parser, NestedWriter out)
            throws IOException, BadRecordException {
        int place = out.beginList();
        int count = 0;
        for (; parser.nextToken() != JsonToken.END_ARRAY; count++) {
            requireMore(parser);
            if (!put(list.element(), parser, out)) {
                out.putNull();
            }
        }
        out.end(place, count);
    }

    private void putMap(NestedNode.OfMap map, JsonParser parser, NestedWriter out)
            throws IOException, BadRecordException {
        int place = out.beginMap();
        int count = 0;
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName(), count++) {
            map.key().columns().putText(map.key().begin(), 0, CharBuffer.wrap(key), utf8);
            map.key().end(out);
            parser.nextToken();
            if (!put(map.value(), parser, out)) {
                out.putNull();
            }
        }
        requireMore(parser);
        out.end(place, count);
    }

    private void putStruct(NestedNode.OfStruct struct, JsonParser parser, NestedWriter out)
            throws IOException, BadRecordException {
        struct.begin();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            int position = struct.position(name);
            parser.nextToken();
            if (position < 0) {
                parser.skipChildren();
            } else {
                struct.set(position, put(struct.field(position), parser, struct.value(position)));
            }
        }
        requireMore(parser);
        struct.end(out);
    }

    private static void requireMore(JsonParser parser) throws BadRecordException {
        if (parser.currentToken() == null) {
            throw new BadRecordException("the value ends within its JSON object");
        }
    }
}
