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

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A condition of a query without its values. Immutable.
 *
 * @param columns the columns that it is on, in the schema's spelling; one, unless the operator is {@link Operator#OTHER}
 * @param operator what is asked of the column
 * @param magnitude of {@link Operator#ONE_OF}: 0 for one value, else the least n where at most 10^n values are asked for; of
 *     {@link Operator#RANGE} and {@link Operator#PREFIX}: 0 for more than a tenth of the column's values, else the greatest -n where
 *     at most 10^-n of them are asked for, from {@value #LEAST}, or {@value #UNKNOWN} if nothing tells; 0 for all others
 */
public record Term(List<String> columns, Operator operator, int magnitude) implements Comparable<Term> {
    /** The magnitude of a range of which nothing tells how large it is. */
    public static final int UNKNOWN = 1;
    /** The least magnitude of a range. */
    public static final int LEAST = -9;

    private static final int MOST_VALUES = 9;
    private static final Comparator<Term> ORDER = Comparator.comparing((Term term) -> String.join(",", term.columns))
            .thenComparing(Term::operator)
            .thenComparing(Term::magnitude);

    /** What a condition asks of a column. */
    public enum Operator {
        /** It has one of a few values. */
        ONE_OF,
        /** It lies between bounds, or on one side of a bound. */
        RANGE,
        /** It starts with a text. */
        PREFIX,
        /** It is null. */
        NULL,
        /** It is not null. */
        NOT_NULL,
        /** Any other condition, also one on several columns. */
        OTHER
    }

    public Term {
        columns = List.copyOf(columns);
    }

    /** A condition that a column has one of so many values. */
    public static Term values(String column, double count) {
        int magnitude = count <= 1 ? 0 : (int) Math.min(MOST_VALUES, Math.ceil(Math.log10(count) - 1e-9));
        return new Term(List.of(column), Operator.ONE_OF, magnitude);
    }

    /**
     * A condition that a column lies in a range.
     *
     * @param operator {@link Operator#RANGE} or {@link Operator#PREFIX}
     * @param share the share of the column's values that the range has, from 0 to 1; NaN if unknown
     */
    public static Term range(String column, Operator operator, double share) {
        int magnitude =
                Double.isNaN(share) ? UNKNOWN : (int) Math.max(LEAST, Math.min(0, Math.ceil(Math.log10(share) - 1e-9)));
        return new Term(List.of(column), operator, magnitude);
    }

    /** True if the condition may be told by a number: how many values, or which share of them. */
    public boolean isMeasured() {
        return operator == Operator.ONE_OF || isRange() && magnitude != UNKNOWN;
    }

    /** True for ranges and prefixes. */
    public boolean isRange() {
        return operator == Operator.RANGE || operator == Operator.PREFIX;
    }

    /** The column; the first one of several, or an empty text if there is none. */
    public String column() {
        return columns.isEmpty() ? "" : columns.get(0);
    }

    /** The condition in a few words. */
    public String text() {
        String name = String.join(", ", columns);
        return switch (operator) {
            case ONE_OF -> name + (magnitude == 0 ? " = 1 value" : " in up to " + power(magnitude) + " values");
            case RANGE -> name + " in " + size();
            case PREFIX -> name + " starting with a text, " + size();
            case NULL -> name + " is null";
            case NOT_NULL -> name + " is not null";
            case OTHER -> "another condition on " + (name.isEmpty() ? "something" : name);
        };
    }

    private String size() {
        if (magnitude == UNKNOWN) {
            return "a range";
        }
        return magnitude == 0 ? "over 1/10 of its range" : "up to 1/" + power(-magnitude) + " of its range";
    }

    private static String power(int exponent) {
        return String.format(Locale.ROOT, "%,d", Math.round(Math.pow(10, exponent)));
    }

    @Override
    public int compareTo(Term other) {
        return ORDER.compare(this, other);
    }
}
