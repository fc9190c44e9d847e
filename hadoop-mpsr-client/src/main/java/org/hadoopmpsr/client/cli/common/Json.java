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
package org.hadoopmpsr.client.cli.common;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Prints maps, lists, strings, numbers, booleans and null as JSON (RFC 8259). The commands share Hadoop's class path,
 * so they bring no JSON library of their own.
 */
public final class Json {

    private Json() {}

    /** Maps, lists, numbers, booleans and nulls as such; anything else as a string. */
    public static String text(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            out.append('{');
            for (Iterator<? extends Map.Entry<?, ?>> it = map.entrySet().iterator(); it.hasNext(); ) {
                Map.Entry<?, ?> entry = it.next();
                string(out, String.valueOf(entry.getKey()));
                out.append(": ");
                write(out, entry.getValue());
                out.append(it.hasNext() ? ", " : "");
            }
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (Iterator<?> it = list.iterator(); it.hasNext(); ) {
                write(out, it.next());
                out.append(it.hasNext() ? ", " : "");
            }
            out.append(']');
        } else {
            string(out, value.toString());
        }
    }

    private static void string(StringBuilder out, String text) {
        out.append('"');
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> out.append('\\').append((char) c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> PrintableText.append(out, c);
            }
        });
        out.append('"');
    }
}
