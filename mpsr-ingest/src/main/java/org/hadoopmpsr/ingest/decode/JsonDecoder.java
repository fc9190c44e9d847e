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
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON objects from their bytes. An absent field and null are null; fields without a column are skipped.
 * Floating point columns take NaN and Infinity, bare or as strings. What JsonConverter makes is read, too.
 */
public final class JsonDecoder implements RecordDecoder {
    private final JsonFactory factory = new JsonFactoryBuilder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private final ColumnSources columns;
    private final ConnectDecoder converted;
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private ByteBuffer utf8 = ByteBuffer.allocate(1024);

    /** @throws IllegalArgumentException when the mapping does not fit the schema */
    public JsonDecoder(Schema schema, ColumnMapping mapping) {
        columns = new ColumnSources(schema, mapping);
        converted = new ConnectDecoder(columns);
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        if (!(value instanceof byte[] bytes)) {
            converted.decode(value, record);
            return;
        }
        try (JsonParser parser = factory.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRecordException("the value is not a JSON object");
            }
            object(columns.tree(), parser, record);
            if (parser.nextToken() != null) {
                throw new BadRecordException("the value goes on after its JSON object");
            }
        } catch (IOException e) {
            throw new BadRecordException("the value is not a JSON object: " + e.getMessage(), e);
        }
        columns.putFallbacks(record);
    }

    private void object(FieldTree tree, JsonParser parser, RecordAppender record)
            throws IOException, BadRecordException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            FieldTree wanted = tree.field(name);
            parser.nextToken();
            value(wanted, parser, record);
        }
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
            put(wanted.column(), parser, record);
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(wanted, parser, record);
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            array(wanted, parser, record);
        }
    }

    private void put(int column, JsonParser parser, RecordAppender record) throws IOException, BadRecordException {
        JsonToken token = parser.currentToken();
        ColumnType type = columns.column(column).type();
        boolean floating = type == ColumnType.FLOAT || type == ColumnType.DOUBLE;
        switch (token) {
            case VALUE_NULL -> record.putNull(column);
            case VALUE_STRING ->
                putText(
                        column,
                        CharBuffer.wrap(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()),
                        record);
            case VALUE_NUMBER_INT -> {
                if (floating) {
                    record.putDouble(column, parser.getDoubleValue());
                } else {
                    columns.putLong(record, column, parser.getLongValue());
                }
            }
            case VALUE_NUMBER_FLOAT -> record.putDouble(column, parser.getDoubleValue());
            case VALUE_TRUE, VALUE_FALSE -> record.putBoolean(column, token == JsonToken.VALUE_TRUE);
            default ->
                throw new BadRecordException("column '" + columns.column(column).name() + "' of type " + type.ddl()
                        + " cannot hold the " + (token == JsonToken.START_ARRAY ? "array" : "object") + " in field '"
                        + columns.path(column) + "'");
        }
    }

    private void putText(int column, CharBuffer text, RecordAppender record) throws BadRecordException {
        int most = text.remaining() * 3;
        if (utf8.capacity() < most) {
            utf8 = ByteBuffer.allocate(most);
        }
        utf8.clear();
        encoder.reset();
        CoderResult result = encoder.encode(text, utf8, true);
        if (result.isError()) {
            throw new BadRecordException(
                    "column '" + columns.column(column).name() + "' has half of a surrogate pair in its value");
        }
        record.putUtf8(column, utf8.array(), 0, utf8.position());
    }
}
