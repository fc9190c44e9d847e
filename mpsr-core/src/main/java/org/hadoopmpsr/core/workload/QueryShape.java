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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What queries of one class have in common: conditions without values, and the columns that are read. Immutable.
 *
 * @param terms what every record must pass, in a fixed order, at most {@value #MOST_TERMS}
 * @param columns the columns that are read, in a fixed order; null for all, or if nothing tells
 */
public record QueryShape(List<Term> terms, @Nullable List<String> columns) {
    /** The most conditions of a shape. */
    public static final int MOST_TERMS = 16;
    /** The most columns of a shape; a query that reads more counts as one that reads all. */
    public static final int MOST_COLUMNS = 64;

    public QueryShape {
        List<Term> sorted = new ArrayList<>(terms);
        Collections.sort(sorted);
        terms = List.copyOf(sorted.size() > MOST_TERMS ? sorted.subList(0, MOST_TERMS) : sorted);
        columns = columns == null || columns.size() > MOST_COLUMNS
                ? null
                : columns.stream().sorted().toList();
    }

    /** The conditions in a few words. */
    public String conditions() {
        return terms.isEmpty() ? "everything" : terms.stream().map(Term::text).collect(Collectors.joining(" and "));
    }
}
