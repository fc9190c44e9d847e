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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON objects, from their bytes or as the maps that Connect's JsonConverter makes. An absent field and null are
 * null; fields without a column are skipped. Floating point columns take NaN and Infinity, bare or as strings.
 */
public final class JsonDecoder implements RecordDecoder {
    private static final Map<String, Double> NOT_FINITE =
            Map.of("NaN", Double.NaN, "Infinity", Double.POSITIVE_INFINITY, "-Infinity", Double.NEGATIVE_INFINITY);

    private final JsonFactory factory = new JsonFactoryBuilder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private final Map<String, Integer> columns = new HashMap<>();
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private ByteBuffer utf8 = ByteBuffer.allocate(1024);

    /** @throws IllegalArgumentException when the mapping does not fit the schema */
    public JsonDecoder(Schema schema, ColumnMapping mapping) {
        List<String> fields = mapping.fields(schema);
        for (int i = 0; i < fields.size(); i++) {
            columns.put(fields.get(i), i);
        }
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        if (value instanceof byte[] bytes) {
            try (JsonParser parser = factory.createParser(bytes)) {
                parse(parser, record);
            } catch (IOException e) {
                throw new BadRecordException("the value is not a JSON object: " + e.getMessage(), e);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                Integer column = columns.get(String.valueOf(entry.getKey()));
                if (column != null) {
                    put(column, entry.getValue(), record);
                }
            }
        } else {
            throw new BadRecordException("the value is "
                    + (value == null ? "missing" : "a " + value.getClass().getName())
                    + ", not a JSON object; value.converter must be"
                    + " org.apache.kafka.connect.converters.ByteArrayConverter, or"
                    + " org.apache.kafka.connect.json.JsonConverter without schemas");
        }
    }

    private void parse(JsonParser parser, RecordAppender record) throws IOException, BadRecordException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new BadRecordException("the value is not a JSON object");
        }
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            Integer column = columns.get(name);
            JsonToken token = parser.nextToken();
            if (column == null) {
                parser.skipChildren();
            } else {
                put(column, token, parser, record);
            }
        }
        if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
            throw new BadRecordException("the value goes on after its JSON object");
        }
    }

    private void put(int column, JsonToken token, JsonParser parser, RecordAppender record)
            throws IOException, BadRecordException {
        switch (token) {
            case VALUE_NULL -> record.putNull(column);
            case VALUE_STRING ->
                putText(
                        column,
                        CharBuffer.wrap(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()),
                        record);
            case VALUE_NUMBER_INT -> {
                if (isFloating(column, record)) {
                    record.putDouble(column, parser.getDoubleValue());
                } else {
                    record.putLong(column, parser.getLongValue());
                }
            }
            case VALUE_NUMBER_FLOAT -> record.putDouble(column, parser.getDoubleValue());
            case VALUE_TRUE, VALUE_FALSE -> record.putBoolean(column, token == JsonToken.VALUE_TRUE);
            default ->
                throw new BadRecordException("column '" + record.column(column).name() + "' cannot hold " + token);
        }
    }

    private void put(int column, @Nullable Object value, RecordAppender record) throws BadRecordException {
        if (value instanceof String text) {
            putText(column, CharBuffer.wrap(text), record);
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            record.putLong(column, ((Number) value).longValue());
        } else if (value instanceof Double || value instanceof Float) {
            record.putDouble(column, ((Number) value).doubleValue());
        } else if (value instanceof Boolean truth) {
            record.putBoolean(column, truth);
        } else if (value != null) {
            throw new BadRecordException("column '" + record.column(column).name() + "' cannot hold a "
                    + value.getClass().getName());
        }
    }

    private void putText(int column, CharBuffer text, RecordAppender record) throws BadRecordException {
        if (isFloating(column, record)) {
            Double number = NOT_FINITE.get(text.toString());
            if (number != null) {
                record.putDouble(column, number);
                return;
            }
        }
        int most = text.remaining() * 3;
        if (utf8.capacity() < most) {
            utf8 = ByteBuffer.allocate(most);
        }
        utf8.clear();
        encoder.reset();
        CoderResult result = encoder.encode(text, utf8, true);
        if (result.isError()) {
            throw new BadRecordException(
                    "column '" + record.column(column).name() + "' has half of a surrogate pair in its value");
        }
        record.putUtf8(column, utf8.array(), 0, utf8.position());
    }

    private static boolean isFloating(int column, RecordAppender record) {
        ColumnType type = record.column(column).type();
        return type == ColumnType.FLOAT || type == ColumnType.DOUBLE;
    }
}
