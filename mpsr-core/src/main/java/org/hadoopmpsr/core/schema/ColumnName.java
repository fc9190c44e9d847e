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
package org.hadoopmpsr.core.schema;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.text.Backticks;
import org.hadoopmpsr.core.text.CommaList;
import org.hadoopmpsr.core.text.PrintableText;

/**
 * Names of columns, and of fields of structs. A name is any text of Unicode that is not empty and has no control characters. A
 * plain name, of letters, digits and underscores, stands in a text as it is; any other one stands in backticks, as in Spark's SQL.
 */
public final class ColumnName {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private ColumnName() {}

    /** Whether a name stands in a text as it is. */
    public static boolean isPlain(String name) {
        return PLAIN.matcher(name).matches();
    }

    /** The name, or the {@link ColumnPath}, as it stands in a schema's text, a predicate, an option or a setting. */
    public static String text(String name) {
        if (ColumnPath.isPath(name)) {
            return ColumnPath.text(name);
        }
        return isPlain(name) ? name : Backticks.around(name);
    }

    /** Names as they stand in a text, with commas between them. */
    public static String list(Collection<String> names) {
        return names.stream().map(ColumnName::text).collect(Collectors.joining(", "));
    }

    /**
     * Reads a name that {@link #text} has written.
     *
     * @throws IllegalArgumentException if the text is no name; the message says how to write it
     */
    public static String parse(String text) {
        String t = text.strip();
        if (isPlain(t)) {
            return t;
        }
        if (Backticks.end(t, 0) == t.length()) {
            String name = Backticks.within(t);
            check(name);
            return name;
        }
        throw new IllegalArgumentException("'" + t
                + "' is not plain as the name of a column: letters, digits and underscores, not starting with a digit;"
                + " write another name in backticks, and a backtick within twice, such as "
                + Backticks.around(t.isEmpty() ? "signal name" : t));
    }

    /** Reads names with commas between them, as {@link #parse}. */
    public static List<String> parseList(String text) {
        return CommaList.of(text).stream().map(ColumnName::parse).toList();
    }

    /** Whether a column can have the name. */
    public static boolean isName(String name) {
        return !name.isEmpty() && name.codePoints().allMatch(ColumnName::isAllowed);
    }

    /** Neither a control character nor half of a surrogate pair. */
    private static boolean isAllowed(int codePoint) {
        int type = Character.getType(codePoint);
        return type != Character.CONTROL && type != Character.SURROGATE;
    }

    /** @throws IllegalArgumentException if no column can have the name */
    public static void check(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the name of a column is empty; give the column a name");
        }
        if (!isName(name)) {
            throw new IllegalArgumentException("the name of the column '" + PrintableText.of(name)
                    + "' has a control character, or half of a surrogate pair; give the column a name without it");
        }
    }

    /**
     * The first name that readers cannot tell from one before it. Readers compare names without regard to case, some as lower-case
     * texts and some character by character.
     */
    static Optional<String> firstTwin(List<String> names) {
        Set<String> lower = new HashSet<>();
        Set<String> folded = new HashSet<>();
        return names.stream()
                .filter(name -> !lower.add(name.toLowerCase(Locale.ROOT)) | !folded.add(folded(name)))
                .findFirst();
    }

    /** Whether some readers cannot tell two names from each other. */
    public static boolean areTwins(String one, String other) {
        return one.equalsIgnoreCase(other) || one.toLowerCase(Locale.ROOT).equals(other.toLowerCase(Locale.ROOT));
    }

    /** Equal for two names exactly if {@link String#equalsIgnoreCase} takes them for equal. */
    private static String folded(String name) {
        return name.codePoints()
                .map(c -> Character.toLowerCase(Character.toUpperCase(c)))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
