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
package org.hadoopmpsr.core.group;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.text.Backticks;
import org.hadoopmpsr.core.text.CommaList;

/**
 * The codecs of a group's files: one for all columns, and others for some, such as {@code zstd:3, value=zstd:9, `raw counts`=none}.
 * Columns that a dataset lacks make no difference. Immutable.
 *
 * @param ofGroup that of all columns that are not named
 * @param ofColumns by name, each of them once in any case
 */
public record Codecs(Codec ofGroup, Map<String, Codec> ofColumns) {
    public Codecs {
        Map<String, Codec> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(ofColumns);
        ofColumns = Collections.unmodifiableMap(sorted);
    }

    /** One codec for all columns. */
    public static Codecs all(Codec codec) {
        return new Codecs(codec, Map.of());
    }

    /**
     * Reads codecs. Where none stands without a column, it is {@code zstd:3}.
     *
     * @throws IllegalArgumentException if the text has no codec, or one that is unknown, or a column or the group has two; the
     *     message says what to write
     */
    public static Codecs parse(String text) {
        Codec ofGroup = null;
        Map<String, Codec> ofColumns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Collection<String> parts = CommaList.of(text);
        for (String part : parts) {
            int end = Math.max(Backticks.end(part, 0), 0);
            int equals = part.indexOf('=', end);
            if (equals >= 0) {
                String column = ColumnName.parse(part.substring(0, equals));
                if (ofColumns.put(column, Codec.parse(part.substring(equals + 1))) != null) {
                    throw new IllegalArgumentException("column '" + column + "' has two codecs; name it once");
                }
            } else if (ofGroup == null) {
                ofGroup = Codec.parse(part);
            } else {
                throw new IllegalArgumentException("'" + text.trim()
                        + "' has two codecs without a column; name one for all columns, and others as column=codec");
            }
        }
        if (parts.isEmpty()) {
            return all(Codec.parse(text));
        }
        return new Codecs(ofGroup == null ? Codec.STANDARD : ofGroup, ofColumns);
    }

    /** The codecs as text; {@link #parse} reads it back. */
    public String text() {
        return ofColumns.entrySet().stream()
                .map(entry -> ", " + ColumnName.text(entry.getKey()) + "="
                        + entry.getValue().text())
                .collect(Collectors.joining("", ofGroup.text(), ""));
    }

    /** The codec of a column, whose name is in any case. */
    public Codec of(String column) {
        return ofColumns.getOrDefault(column, ofGroup);
    }

    /** The same codecs with other names for the columns. */
    public Codecs withColumns(UnaryOperator<String> names) {
        Map<String, Codec> renamed = new LinkedHashMap<>();
        ofColumns.forEach((column, codec) -> renamed.put(names.apply(column), codec));
        return new Codecs(ofGroup, renamed);
    }

    /** Whether the codec of some column is {@code auto}. */
    public boolean isAuto() {
        return ofGroup.isAuto() || ofColumns.values().stream().anyMatch(Codec::isAuto);
    }

    /** Whether versions of MPSR that know one codec for all columns, and a level of zstd only, can write the files. */
    public boolean isPlain() {
        return ofColumns.isEmpty() && (ofGroup.kind() != Codec.Kind.GZIP || ofGroup.level() == 0);
    }
}
