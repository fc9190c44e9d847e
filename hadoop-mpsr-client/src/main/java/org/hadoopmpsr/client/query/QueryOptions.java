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
package org.hadoopmpsr.client.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.core.reduction.PixelColumns;
import org.hadoopmpsr.core.reduction.ValuePattern;
import org.hadoopmpsr.core.text.Backticks;
import org.hadoopmpsr.core.text.CommaList;
import org.jspecify.annotations.Nullable;

/** A query with its options, each of which makes sense by itself and beside the others. Immutable. */
public final class QueryOptions {
    /** How answers are printed. */
    public enum Format {
        /** For people. */
        TABLE,
        /** Lines with commas (RFC 4180). */
        CSV,
        /** One object. */
        JSON
    }

    /** Where a query reads. */
    public enum ReadPlace {
        /** Where the answer is there soonest. */
        AUTO,
        /** With executors, where Spark is configured to run. */
        STORAGE,
        /** In the process of the query. */
        READER
    }

    /** The statistics that may take the place of the values of an interval. */
    public static final List<String> MEASURES = List.of("records", "nulls", "nans", "min", "max", "mean", "deviation");

    private static final int USUAL_WIDTH = 1000;
    private static final int USUAL_MATCHES = 10;
    private static final int USUAL_ROWS = 100_000;

    private final QueryKind kind;
    private final Map<QueryOption, String> values;

    /**
     * A query.
     *
     * @param values of the options that are given; those of flags do not matter
     * @throws IllegalArgumentException if they make no sense, with a message for the user
     */
    public QueryOptions(QueryKind kind, Map<QueryOption, String> values) {
        this.kind = kind;
        this.values = Collections.unmodifiableMap(new EnumMap<>(values));
        check();
    }

    private void check() {
        values.keySet().stream()
                .filter(option -> !option.isOf(kind))
                .findFirst()
                .ifPresent(option -> {
                    throw new IllegalArgumentException(option.text() + " is no option of a query for " + kind.text());
                });
        require(
                has(QueryOption.COLUMN),
                "it is not said which column has the values; name it with",
                QueryOption.COLUMN);
        if (kind == QueryKind.HEATMAP) {
            require(
                    by().size() == 1,
                    "a heat map has a row for each value of one column; name it with",
                    QueryOption.BY);
        }
        if (kind != QueryKind.STATISTICS) {
            require(
                    has(QueryOption.OF) == has(QueryOption.INTERVAL),
                    "a statistic of intervals takes the place of values; give --interval together with",
                    QueryOption.OF);
        }
        if (has(QueryOption.OF) && !MEASURES.contains(values.get(QueryOption.OF))) {
            throw new IllegalArgumentException("--of has the value '" + values.get(QueryOption.OF)
                    + "', which is no statistic; name one of " + String.join(", ", MEASURES));
        }
        if (has(QueryOption.BOUNDS) && (has(QueryOption.INTERVAL) || has(QueryOption.QUANTILES))) {
            throw new IllegalArgumentException("--bounds asks for numbers of records and bounds alone; leave out "
                    + (has(QueryOption.INTERVAL) ? "--interval" : "--quantiles"));
        }
        for (double share : shares()) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException(
                        "--quantiles has the value " + share + "; give shares from 0 to 1, such as 0.5,0.99");
            }
        }
        if (kind == QueryKind.SIMILAR) {
            checkSimilar();
        }
        limit();
        width();
        format();
        place();
    }

    private void checkSimilar() {
        boolean range = has(QueryOption.LEAST) || has(QueryOption.MOST);
        if (has(QueryOption.PATTERN) == range) {
            throw new IllegalArgumentException(
                    "it is not said what is similar; give either --pattern with --distance, or a"
                            + " range of values with --least or --most or both");
        }
        if (!range) {
            require(
                    has(QueryOption.DISTANCE),
                    "it is not said how near a pattern is similar; give",
                    QueryOption.DISTANCE);
            pattern();
            return;
        }
        require(!has(QueryOption.DISTANCE), "a range of values has no distance; leave out", QueryOption.DISTANCE);
        require(!has(QueryOption.NORMALIZED), "a range of values has no shape; leave out", QueryOption.NORMALIZED);
        double least = least().orElse(Double.NEGATIVE_INFINITY);
        double most = most().orElse(Double.POSITIVE_INFINITY);
        if (!(least <= most)) {
            throw new IllegalArgumentException("the range is from " + least + " to " + most
                    + ", so that no value is in it; give a greater --most");
        }
    }

    private static void require(boolean holds, String problem, QueryOption option) {
        if (!holds) {
            throw new IllegalArgumentException(problem + " " + option.text());
        }
    }

    /** What is asked for. */
    public QueryKind kind() {
        return kind;
    }

    /** Whether an option is given. */
    public boolean has(QueryOption option) {
        return values.containsKey(option);
    }

    /** The value of an option as it is given; null if it is not. */
    public @Nullable String get(QueryOption option) {
        return values.get(option);
    }

    /** The columns that are told apart, by their names. */
    public List<String> by() {
        return list(QueryOption.BY).stream()
                .map(name -> Backticks.end(name, 0) == name.length() ? Backticks.within(name) : name)
                .toList();
    }

    /** The shares of which quantiles are asked. */
    public List<Double> shares() {
        return list(QueryOption.QUANTILES).stream()
                .map(text -> number(QueryOption.QUANTILES, text))
                .toList();
    }

    private List<String> list(QueryOption option) {
        String text = values.get(option);
        return text == null ? List.of() : CommaList.of(text);
    }

    /** The pattern, with its distance; only of a query that has one. */
    public ValuePattern pattern() {
        double[] numbers = list(QueryOption.PATTERN).stream()
                .mapToDouble(text -> number(QueryOption.PATTERN, text))
                .toArray();
        double distance = optional(QueryOption.DISTANCE).orElseThrow();
        return new ValuePattern(numbers, has(QueryOption.NORMALIZED), distance);
    }

    /** The least value of a range. */
    public OptionalDouble least() {
        return optional(QueryOption.LEAST);
    }

    /** The greatest value of a range. */
    public OptionalDouble most() {
        return optional(QueryOption.MOST);
    }

    private OptionalDouble optional(QueryOption option) {
        String text = values.get(option);
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(number(option, text));
    }

    private static double number(QueryOption option, String text) {
        try {
            double number = Double.parseDouble(text);
            if (!Double.isNaN(number)) {
                return number;
            }
        } catch (NumberFormatException e) { // said below
        }
        throw new IllegalArgumentException(
                "the option " + option.text() + " has the value '" + text + "', which is no number");
    }

    /** The columns of pixels. */
    public int width() {
        return whole(QueryOption.WIDTH, USUAL_WIDTH, PixelColumns.MAX_WIDTH);
    }

    /** The most rows of the answer. A query for similar windows has the best of them; others fail if there are more. */
    public int limit() {
        return whole(QueryOption.LIMIT, kind == QueryKind.SIMILAR ? USUAL_MATCHES : USUAL_ROWS, Integer.MAX_VALUE - 1);
    }

    private int whole(QueryOption option, int usual, int most) {
        String text = values.get(option);
        if (text == null) {
            return usual;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) { // said below
        }
        throw new IllegalArgumentException("the option " + option.text() + " has the value '" + text
                + "', which is no whole number from 1 to " + most);
    }

    /** How the answer is printed. */
    public Format format() {
        return constant(QueryOption.FORMAT, Format.values(), Format.TABLE, "table, csv or json");
    }

    /** Where the query reads. */
    public ReadPlace place() {
        return constant(QueryOption.PLACE, ReadPlace.values(), ReadPlace.AUTO, "auto, storage or reader");
    }

    private <E extends Enum<E>> E constant(QueryOption option, E[] all, E usual, String names) {
        String text = values.get(option);
        if (text == null) {
            return usual;
        }
        return Arrays.stream(all)
                .filter(constant -> constant.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the option " + option.text() + " has the value '" + text + "'; give " + names));
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(kind.text()));
        values.forEach((option, value) -> {
            arguments.add(option.text());
            if (!option.isFlag()) {
                arguments.add(value);
            }
        });
        return arguments;
    }

    /**
     * Reads arguments of the Spark job: first the kind.
     *
     * @param arguments the options and, in any place, what is not an option
     * @param rest is given what is not an option
     * @throws IllegalArgumentException if they make no sense, with a message for the user
     */
    public static QueryOptions parse(List<String> arguments, List<String> rest) {
        Iterator<String> left = arguments.iterator();
        String first = left.hasNext() ? left.next() : "";
        QueryKind kind = Arrays.stream(QueryKind.values())
                .filter(k -> k.text().equals(first))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + first + "' is no query; ask for statistics, chart, heatmap or similar"));
        Map<QueryOption, String> values = new EnumMap<>(QueryOption.class);
        while (left.hasNext()) {
            String name = left.next();
            if (!name.startsWith("--")) {
                rest.add(name);
                continue;
            }
            QueryOption option = Arrays.stream(QueryOption.values())
                    .filter(o -> o.text().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no option of a query"));
            values.put(option, option.isFlag() ? "" : Arguments.value(name, left));
        }
        return new QueryOptions(kind, values);
    }
}
