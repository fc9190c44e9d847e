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

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** An option of queries. Each has a value, except those that say yes. */
public enum QueryOption {
    /** A condition in Spark's SQL. */
    WHERE("--where"),
    /** The column of values. */
    COLUMN("--column"),
    /** The column of times. */
    TIME("--time"),
    /** The first time. */
    FROM("--from"),
    /** The time behind the last one. */
    TO("--to"),
    /** Columns that are told apart, with commas between. */
    BY("--by"),
    /** The length of intervals, of which statistics are made. */
    INTERVAL("--interval"),
    /** The statistic of an interval that takes the place of its values. */
    OF("--of", QueryKind.CHART, QueryKind.HEATMAP, QueryKind.SIMILAR),
    /** Shares from 0 to 1, with commas between. */
    QUANTILES("--quantiles", QueryKind.STATISTICS),
    /** Says that numbers of records and bounds are enough. */
    BOUNDS("--bounds", QueryKind.STATISTICS),
    /** The width of a picture in pixels. */
    WIDTH("--width", QueryKind.CHART, QueryKind.HEATMAP),
    /** The values of a pattern, with commas between. */
    PATTERN("--pattern", QueryKind.SIMILAR),
    /** The most distance from the pattern. */
    DISTANCE("--distance", QueryKind.SIMILAR),
    /** Says that shapes are compared. */
    NORMALIZED("--normalized", QueryKind.SIMILAR),
    /** The least value of a range. */
    LEAST("--least", QueryKind.SIMILAR),
    /** The greatest value of a range. */
    MOST("--most", QueryKind.SIMILAR),
    /** The directory where answers of files are kept. */
    CACHE("--cache"),
    /** Where the query reads. */
    PLACE("--place"),
    /** The most rows of the answer. */
    LIMIT("--limit"),
    /** How the answer is printed. */
    FORMAT("--format");

    private static final Set<QueryOption> FLAGS = EnumSet.of(BOUNDS, NORMALIZED);

    private final String text;
    private final Set<QueryKind> kinds;

    /** @param kinds the queries that have it; none for all */
    QueryOption(String text, QueryKind... kinds) {
        this.text = text;
        this.kinds = kinds.length == 0 ? EnumSet.allOf(QueryKind.class) : EnumSet.copyOf(Arrays.asList(kinds));
    }

    /** The name on command lines. */
    public String text() {
        return text;
    }

    /** Whether it has no value. */
    public boolean isFlag() {
        return FLAGS.contains(this);
    }

    /** Whether queries of the kind have it. */
    public boolean isOf(QueryKind kind) {
        return kinds.contains(kind);
    }
}
