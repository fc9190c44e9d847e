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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.NumberText;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON objects from their bytes in UTF-8. An absent field and null are null; fields without a column are skipped;
 * of a field that comes twice the last one counts. Floating point columns take NaN and Infinity, bare or as strings.
 * What JsonConverter makes is read, too.
 */
public final class JsonDecoder implements RecordDecoder {
    private static final int MAX_DEPTH = 1000;

    private final JsonFactory factory = new JsonFactoryBuilder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(NumberText.MAX_CHARS)
                    .maxStringLength(Integer.MAX_VALUE) // no longer than the record, which is in memory
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();
    private final ColumnSources columns;
    private final ConnectDecoder converted;
    private final StrictUtf8 utf8 = new StrictUtf8();
    private final JsonValue values;
    /** The columns whose field has come under the name that is wanted. */
    private final BitSet named = new BitSet();
    /** The columns whose field has come under the name in another case, with that name. */
    private final Map<Integer, String> namedOtherwise = new HashMap<>();

    /** @throws IllegalArgumentException when the mapping does not fit the schema */
    public JsonDecoder(Schema schema, ColumnMapping mapping) {
        columns = new ColumnSources(schema, mapping);
        converted = new ConnectDecoder(columns);
        values = new JsonValue(columns, utf8);
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        if (!(value instanceof byte[] bytes)) {
            converted.decode(value, record);
            return;
        }
        if (!utf8.isValid(bytes)) {
            throw new BadRecordException("the value is not valid UTF-8");
        }
        try (JsonParser parser = factory.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRecordException("the value is not a JSON object");
            }
            root(parser, record);
            if (parser.nextToken() != null) {
                throw new BadRecordException("the value goes on after its JSON object");
            }
        } catch (IOException e) {
            throw new BadRecordException("the value is not a JSON object: " + reason(e), e);
        }
        columns.putFallbacks(record);
    }

    private static String reason(IOException e) {
        if (!(e instanceof JsonProcessingException json)) {
            return String.valueOf(e.getMessage());
        }
        JsonLocation at = json.getLocation();
        return json.getOriginalMessage()
                + (at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr());
    }

    private void root(JsonParser parser, RecordAppender record) throws IOException, BadRecordException {
        named.clear();
        namedOtherwise.clear();
        boolean known = false;
        String stranger = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            FieldTree wanted = columns.tree().field(name);
            if (wanted == null) {
                wanted = otherwise(name);
            } else if (wanted.isColumn()) {
                named.set(wanted.column());
            }
            known |= wanted != null;
            stranger = name;
            parser.nextToken();
            value(wanted, parser, record);
        }
        requireEnd(parser);
        if (!known) {
            throw columns.stranger(stranger == null ? null : ShownValue.of(stranger));
        }
    }

    /** A field of another case counts where the one of the wanted name has not come; that one goes before it. */
    private @Nullable FieldTree otherwise(String name) throws BadRecordException {
        FieldTree wanted = columns.tree().inAnotherCase(name);
        if (wanted == null || named.get(wanted.column())) {
            return null;
        }
        String other = namedOtherwise.put(wanted.column(), name);
        if (other != null && !other.equals(name)) {
            throw new BadRecordException(FieldTree.twoCases(other, name));
        }
        return wanted;
    }

    private void object(FieldTree tree, JsonParser parser, RecordAppender record)
            throws IOException, BadRecordException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            FieldTree wanted = tree.field(name);
            parser.nextToken();
            value(wanted, parser, record);
        }
        requireEnd(parser);
    }

    private static void requireEnd(JsonParser parser) throws BadRecordException {
        if (parser.currentToken() != JsonToken.END_OBJECT) {
            throw new BadRecordException("the value ends within its JSON object");
        }
    }

    private void array(FieldTree tree, JsonParser parser, RecordAppender record)
            throws IOException, BadRecordException {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            if (parser.currentToken() == null) {
                throw new BadRecordException("the value ends within a JSON array");
            }
            value(tree.element(i), parser, record);
        }
    }

    private void value(@Nullable FieldTree wanted, JsonParser parser, RecordAppender record)
            throws IOException, BadRecordException {
        if (wanted == null) {
            parser.skipChildren();
        } else if (wanted.isColumn()) {
            values.put(wanted.column(), parser, record);
        } else {
            ColumnSources.clear(wanted, record);
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                object(wanted, parser, record);
            } else if (parser.currentToken() == JsonToken.START_ARRAY) {
                array(wanted, parser, record);
            }
        }
    }
}
