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
package org.hadoopmpsr.client.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into maps, lists, texts, longs, doubles, booleans and null, with the parser that every Hadoop has. Lines of logs may nest
 * as deep as {@value #MAX_DEPTH} levels.
 */
public final class JsonTree {
    private static final int MAX_DEPTH = 500;
    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonParser parser;

    private JsonTree(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * The value of a text.
     *
     * @throws IllegalArgumentException if the text is no JSON, with a phrase that tells why
     */
    public static @Nullable Object parse(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            Object value = new JsonTree(parser).value(1);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("it goes on after the first JSON value");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getMessage(), e);
        }
    }

    private @Nullable Object value(int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null || depth > MAX_DEPTH) {
            throw new JsonParseException(parser, token == null ? "it ends too early" : "it nests too deep");
        }
        return switch (token) {
            case START_OBJECT -> object(depth);
            case START_ARRAY -> list(depth);
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getDoubleValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> throw new JsonParseException(parser, "a value was expected");
        };
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

    /** The field of an object as an object; empty if there is none. */
    static Map<?, ?> object(Map<?, ?> in, String name) {
        return in.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    /** The field of an object as a list; empty if there is none. */
    static List<?> list(Map<?, ?> in, String name) {
        return in.get(name) instanceof List<?> list ? list : List.of();
    }

    /** The field of an object as a text; empty if there is none. */
    static String text(Map<?, ?> in, String name) {
        return in.get(name) instanceof String text ? text : "";
    }

    /** The field of an object as a number; another one if there is none. */
    static double number(Map<?, ?> in, String name, double otherwise) {
        return in.get(name) instanceof Number number ? number.doubleValue() : otherwise;
    }
}
