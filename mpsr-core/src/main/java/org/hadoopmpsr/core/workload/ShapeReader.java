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
package org.hadoopmpsr.core.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.hadoopmpsr.core.plan.Conditions;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/** Reads the shape of a query from its filter. Keeps none of the filter's values. */
public final class ShapeReader {
    /** The most columns that a condition on several columns names. */
    private static final int MOST_OF_TERM = 4;

    private final Conditions conditions;
    private final Function<String, ColumnStatistics> bounds;
    private final Map<String, Term.Operator> single = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> spelling = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<List<String>> others = new ArrayList<>();

    private ShapeReader(Filter filter, Function<String, ColumnStatistics> bounds) {
        this.conditions = new Conditions(filter);
        this.bounds = bounds;
        collect(filter);
    }

    /**
     * The shape of a query.
     *
     * @param filter a filter whose columns all exist
     * @param columns the columns that are read; null for all
     * @param known all columns of the dataset; others that are read are left out
     * @param bounds for a column the statistics of all records, from which the share of a range is told
     */
    public static AskedShape read(
            Filter filter,
            @Nullable Set<String> columns,
            List<String> known,
            Function<String, ColumnStatistics> bounds) {
        Map<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        known.forEach(name -> names.put(name, name));
        ShapeReader reader = new ShapeReader(filter, bounds);
        reader.spelling.putAll(names);
        List<String> read = columns == null
                ? null
                : columns.stream().filter(names::containsKey).map(names::get).toList();
        // the columns of the filter are among them, whoever asks: a class is told by what its conditions do not tell
        return AskedShape.of(reader.terms(), read == null || read.size() >= known.size() ? null : read);
    }

    private void collect(Filter filter) {
        if (filter instanceof Filter.And and) {
            and.parts().forEach(this::collect);
        } else if (filter instanceof Filter.In in) {
            single.put(in.column(), Term.Operator.ONE_OF);
        } else if (filter instanceof Filter.Compare compare && compare.literal() != null) {
            single.merge(compare.column(), Term.Operator.RANGE, ShapeReader::stronger);
        } else if (filter instanceof Filter.StartsWith start && !start.prefix().isEmpty()) {
            single.merge(start.column(), Term.Operator.PREFIX, ShapeReader::stronger);
        } else if (filter instanceof Filter.IsNull isNull) {
            single.merge(isNull.column(), Term.Operator.NULL, ShapeReader::stronger);
        } else if (filter instanceof Filter.Not not && not.part() instanceof Filter.IsNull isNull) {
            single.merge(isNull.column(), Term.Operator.NOT_NULL, ShapeReader::stronger);
        } else {
            Set<String> names = new LinkedHashSet<>();
            columns(filter, names);
            others.add(List.copyOf(names));
        }
    }

    /** Of two conditions on a column the one that tells the query: that a column is not null follows from most others. */
    private static Term.Operator stronger(Term.Operator one, Term.Operator other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private List<AskedShape.Measured> terms() {
        List<AskedShape.Measured> terms = new ArrayList<>();
        single.forEach((column, operator) -> terms.add(term(spelled(column), operator)));
        Map<List<String>, AskedShape.Measured> rest = new LinkedHashMap<>();
        others.forEach(names -> {
            List<String> some = names.stream()
                    .map(this::spelled)
                    .sorted()
                    .distinct()
                    .limit(MOST_OF_TERM)
                    .toList();
            rest.put(some, AskedShape.Measured.without(new Term(some, Term.Operator.OTHER, 0)));
        });
        terms.addAll(rest.values());
        return terms;
    }

    private AskedShape.Measured term(String column, Term.Operator operator) {
        if (operator == Term.Operator.NULL || operator == Term.Operator.NOT_NULL) {
            return AskedShape.Measured.without(new Term(List.of(column), operator, 0));
        }
        OptionalInt values = conditions.values(column);
        if (values.isPresent()) {
            return AskedShape.Measured.values(column, values.getAsInt());
        }
        ColumnStatistics statistics = bounds.apply(column);
        boolean isBound = statistics.min() != null && statistics.max() != null;
        double share = isBound ? conditions.share(column, statistics) : Double.NaN;
        return AskedShape.Measured.range(column, operator, share);
    }

    private String spelled(String column) {
        return spelling.getOrDefault(column, column.toLowerCase(Locale.ROOT));
    }

    private static void columns(Filter filter, Set<String> names) {
        if (filter instanceof Filter.And and) {
            and.parts().forEach(part -> columns(part, names));
        } else if (filter instanceof Filter.Or or) {
            or.parts().forEach(part -> columns(part, names));
        } else if (filter instanceof Filter.Not not) {
            columns(not.part(), names);
        } else if (filter instanceof Filter.Compare compare) {
            names.add(compare.column());
        } else if (filter instanceof Filter.In in) {
            names.add(in.column());
        } else if (filter instanceof Filter.StartsWith start) {
            names.add(start.column());
        } else if (filter instanceof Filter.IsNull isNull) {
            names.add(isNull.column());
        }
    }
}
