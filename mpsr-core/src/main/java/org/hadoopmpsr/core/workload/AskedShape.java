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
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape of one query, with the numbers that tell its conditions.
 *
 * @param measures for each term of the shape the number of values, or the share of the column's values, that it asks for; NaN for
 *     terms that no number tells
 */
public record AskedShape(QueryShape shape, List<Double> measures) {
    public AskedShape {
        measures = List.copyOf(measures);
    }

    /** A condition with the number that tells it. */
    public record Measured(Term term, double measure) implements Comparable<Measured> {
        @Override
        public int compareTo(Measured other) {
            return term.compareTo(other.term);
        }

        /** A condition that no number tells. */
        public static Measured without(Term term) {
            return new Measured(term, Double.NaN);
        }

        /** A condition that a column has one of so many values. */
        public static Measured values(String column, double count) {
            return new Measured(Term.values(column, count), count);
        }

        /**
         * A condition that a column lies in a range.
         *
         * @param share from 0 to 1; NaN if unknown
         */
        public static Measured range(String column, Term.Operator operator, double share) {
            return new Measured(Term.range(column, operator, share), share);
        }
    }

    /**
     * The shape of a query with these conditions.
     *
     * @param columns as in {@link QueryShape}
     */
    public static AskedShape of(List<Measured> terms, @Nullable List<String> columns) {
        List<Measured> sorted = new ArrayList<>(terms);
        Collections.sort(sorted);
        QueryShape shape = new QueryShape(sorted.stream().map(Measured::term).toList(), columns);
        return new AskedShape(
                shape,
                sorted.stream()
                        .limit(QueryShape.MOST_TERMS)
                        .map(Measured::measure)
                        .toList());
    }
}
