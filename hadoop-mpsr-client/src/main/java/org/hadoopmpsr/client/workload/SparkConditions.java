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

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.Term;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a scan, from the texts in which Spark shows them. What cannot be understood counts as another condition. For one
 * thread.
 */
final class SparkConditions {
    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)", Pattern.DOTALL);
    private static final Pattern COMPARISON =
            Pattern.compile("\\(?`?([\\w.]+)`?#\\d+L? (=|<=>|>=|<=|>|<) ([^()]+?)\\)?", Pattern.DOTALL);
    private static final Pattern LIST = Pattern.compile("\\(?`?([\\w.]+)`?#\\d+L? IN \\((.*)\\)\\)?", Pattern.DOTALL);
    private static final Pattern NOT_NULL = Pattern.compile("isnotnull\\(`?([\\w.]+)`?#\\d+L?\\)");
    private static final Pattern REFERENCE = Pattern.compile("([\\w.]+)#\\d+");

    private final Map<String, OfColumn> columns = new TreeMap<>();
    private final Set<List<String>> others = new LinkedHashSet<>();

    /** What is asked of one column. */
    private static final class OfColumn {
        private int values = -1;
        private boolean isPrefix;
        private boolean isNull;
        private boolean isRange;
        private @Nullable Double low;
        private @Nullable Double high;

        void range(String operator, String literal) {
            isRange = true;
            Double position = AskedBounds.position(literal);
            if (operator.startsWith(">")) {
                low = position == null || low == null ? position : (Double) Math.max(low, position);
            } else {
                high = position == null || high == null ? position : (Double) Math.min(high, position);
            }
        }
    }

    /** The columns on which there are conditions. */
    Set<String> columns() {
        Set<String> names = new TreeSet<>(columns.keySet());
        others.forEach(names::addAll);
        return names;
    }

    /** Adds filters such as {@code [IsNotNull(a), EqualTo(a,1)]}. */
    void addPushed(String text) {
        for (String filter : split(inBrackets(text), ',')) {
            Matcher call = CALL.matcher(filter.trim());
            if (call.matches()) {
                addPushed(call.group(1), call.group(2), filter);
            }
        }
    }

    private void addPushed(String name, String arguments, String filter) {
        int comma = arguments.indexOf(',');
        String column = (comma < 0 ? arguments : arguments.substring(0, comma))
                .replace("`", "")
                .trim();
        String literal = comma < 0 ? "" : arguments.substring(comma + 1).trim();
        switch (name) {
            case "EqualTo", "EqualNullSafe" -> of(column).values = 1;
            case "In" -> of(column).values = split(inBrackets(literal), ',').size();
            case "GreaterThan", "GreaterThanOrEqual" -> of(column).range(">", literal);
            case "LessThan", "LessThanOrEqual" -> of(column).range("<", literal);
            case "StringStartsWith" -> of(column).isPrefix = true;
            case "IsNull" -> of(column).isNull = true;
            case "IsNotNull" -> of(column); // follows from most conditions; alone it is a condition too
            default -> others.add(named(filter));
        }
    }

    /** The columns of a filter such as {@code Or(EqualTo(a,1),LessThan(b,2))}: what stands first in the innermost calls. */
    private static List<String> named(String filter) {
        TreeSet<String> names = new TreeSet<>();
        Matcher first = Pattern.compile("\\w+\\(([\\w.`]+)[,)]").matcher(filter);
        while (first.find()) {
            names.add(first.group(1).replace("`", ""));
        }
        return List.copyOf(names);
    }

    /** Adds filters such as {@code [isnotnull(day#12), (day#12 = 2017-05-01)]}. */
    void addExpressions(String text) {
        for (String part : split(inBrackets(text), ',')) {
            String expression = part.trim();
            Matcher notNull = NOT_NULL.matcher(expression);
            Matcher comparison = COMPARISON.matcher(expression);
            Matcher list = LIST.matcher(expression);
            if (notNull.matches()) {
                of(notNull.group(1));
            } else if (list.matches()) {
                of(list.group(1)).values = split(list.group(2), ',').size();
            } else if (comparison.matches()
                    && comparison.group(2).contains("=")
                    && !comparison.group(2).matches("[<>]=")) {
                of(comparison.group(1)).values = 1;
            } else if (comparison.matches()) {
                of(comparison.group(1))
                        .range(comparison.group(2), comparison.group(3).trim());
            } else if (!expression.isEmpty()) {
                TreeSet<String> names = new TreeSet<>();
                Matcher reference = REFERENCE.matcher(expression);
                while (reference.find()) {
                    names.add(reference.group(1));
                }
                others.add(List.copyOf(names));
            }
        }
    }

    private OfColumn of(String column) {
        return columns.computeIfAbsent(column, c -> new OfColumn());
    }

    private static String inBrackets(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    /** The parts of a text between separators that stand in no brackets; none if the text is empty. */
    static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(' || c == '[' || c == '<') {
                depth += isComparison(text, i) ? 0 : 1;
            } else if (c == ')' || c == ']' || c == '>') {
                depth -= isComparison(text, i) ? 0 : 1;
            } else if (c == separator && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        if (!text.substring(from).isBlank()) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    /** True for the characters of {@code >} and {@code <} that compare, which have a blank before or after. */
    private static boolean isComparison(String text, int at) {
        char c = text.charAt(at);
        return (c == '<' || c == '>') && at > 0 && (text.charAt(at - 1) == ' ' || text.charAt(at - 1) == '=');
    }

    void addTo(AskedBounds bounds, String directory) {
        columns.forEach((name, column) -> {
            bounds.add(directory, name, column.low);
            bounds.add(directory, name, column.high);
        });
    }

    /** The conditions, without values. */
    List<AskedShape.Measured> terms(AskedBounds bounds, String directory) {
        List<AskedShape.Measured> terms = new ArrayList<>();
        columns.forEach((name, column) -> terms.add(term(bounds, directory, name, column)));
        others.forEach(names -> terms.add(AskedShape.Measured.without(new Term(names, Term.Operator.OTHER, 0))));
        return terms;
    }

    private static AskedShape.Measured term(AskedBounds bounds, String directory, String name, OfColumn column) {
        if (column.values >= 0) {
            return AskedShape.Measured.values(name, column.values);
        }
        if (column.isRange) {
            return AskedShape.Measured.range(
                    name, Term.Operator.RANGE, bounds.share(directory, name, column.low, column.high));
        }
        if (column.isPrefix) {
            return AskedShape.Measured.range(name, Term.Operator.PREFIX, Double.NaN);
        }
        return AskedShape.Measured.without(
                new Term(List.of(name), column.isNull ? Term.Operator.NULL : Term.Operator.NOT_NULL, 0));
    }
}
