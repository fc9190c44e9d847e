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
package org.hadoopmpsr.namenode.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a request's body: maps, lists, texts, longs, doubles, booleans and null. Bytes and depth are bounded before
 * anything is built.
 */
final class JsonBody {
    /** A request has fewer, unless its filter has tens of thousands of values. */
    static final int MAX_BYTES = 1 << 20;
    /** The planner's messages nest less than twice as deep as the JSON of a filter. */
    static final int MAX_DEPTH = 64;

    /** To make a number of very many digits takes seconds. */
    private static final int MAX_WHOLE_DIGITS = 20;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // they are anybody's
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final JsonParser parser;

    private JsonBody(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * The bytes of a body.
     *
     * @throws IllegalArgumentException if it is said to be none of JSON, or is too large
     */
    static byte[] read(HttpServletRequest request) throws IOException {
        String type = String.valueOf(request.getContentType());
        if (!type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            // the filters before have read the body of a form; and a page of another site may send no JSON
            throw new IllegalArgumentException("the body of the request is of the type " + type
                    + "; send JSON with 'Content-Type: application/json'");
        }
        try (InputStream in = request.getInputStream()) {
            byte[] body = in.readNBytes(MAX_BYTES + 1);
            if (body.length > MAX_BYTES) {
                throw new IllegalArgumentException("the body of the request has more than " + MAX_BYTES
                        + " bytes; send a filter with fewer values");
            }
            return body;
        }
    }

    /**
     * Reads an object from its text in UTF-8.
     *
     * @throws IllegalArgumentException if the body is none, or is too deep
     */
    static Map<String, @Nullable Object> parse(byte[] body) throws IOException {
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException(
                        "the body of the request is no JSON object; send one such as {\"path\": \"/cals/meas\"}");
            }
            Map<String, @Nullable Object> found = new JsonBody(parser).object(1);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException(
                        "the body of the request goes on after its JSON object; send the object alone");
            }
            return found;
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : " at byte " + e.getLocation().getByteOffset();
            throw new IllegalArgumentException(
                    "the body of the request is no JSON" + where + ": " + e.getOriginalMessage() + "; correct it", e);
        }
    }

    private Map<String, @Nullable Object> object(int depth) throws IOException {
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.getCurrentName();
            parser.nextToken();
            found.put(name, value(depth + 1));
        }
        return found;
    }

    private List<@Nullable Object> list(int depth) throws IOException {
        List<@Nullable Object> found = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            found.add(value(depth + 1));
        }
        return found;
    }

    private @Nullable Object value(int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("the body of the request nests deeper than " + MAX_DEPTH
                    + " levels; write the filter with fewer levels");
        }
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new JsonParseException(parser, "it ends too early");
        }
        return switch (token) {
            case START_OBJECT -> object(depth);
            case START_ARRAY -> list(depth);
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> whole();
            case VALUE_NUMBER_FLOAT -> finite();
            default -> throw new JsonParseException(parser, "a value was expected");
        };
    }

    private Object whole() throws IOException {
        if (parser.getTextLength() > MAX_WHOLE_DIGITS || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw new IllegalArgumentException(
                    "a whole number in the body of the request is none of 64 bits; leave the condition out, or send a fraction");
        }
        return parser.getLongValue();
    }

    private Object finite() throws IOException {
        double value = parser.getDoubleValue();
        if (Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "a number in the body of the request is greater than a double can be; leave the condition out");
        }
        return value;
    }
}
