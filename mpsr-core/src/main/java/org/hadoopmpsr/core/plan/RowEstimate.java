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
package org.hadoopmpsr.core.plan;

import java.util.List;
import org.hadoopmpsr.core.group.LeadingBits;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the share of a file that a reader with page indexes reads. The records of a file are sorted. Records that
 * pass conditions on sort columns therefore lie together, in one run of records or in several, and only pages are read
 * whose minima and maxima allow for them. Values are assumed to be spread evenly. Of any column, the file may state which share of the
 * pages may hold a value. The condition that leaves least counts; columns may follow from one another. Immutable.
 */
final class RowEstimate {
    /** With more pages than this, the first and the last page need no special treatment. */
    private static final int MANY_PAGES = 64;

    private final List<SortKey> sort;
    private final Conditions conditions;

    /** @param sort what the records of the files are sorted by */
    RowEstimate(List<SortKey> sort, Conditions conditions) {
        this.sort = sort;
        this.conditions = conditions;
    }

    /**
     * The share of the file's bytes that are read, above 0 and at most 1. A run of records counts one page more than it
     * fills. If records pass in each run of equal values of an earlier sort column, the pages at the ends of these runs
     * are read too, because their minima and maxima include neighbouring values.
     */
    double share(FileStatistics file) {
        double rows = Math.max(1, file.rows());
        double least = 1;
        double matching = 1;
        // of equal values of the columns so far, among the records that pass
        double runs = 1;
        double edges = 0;
        for (SortKey key : sort) {
            String column = key.column();
            ColumnStatistics statistics = file.column(column);
            double different = Math.min(file.different(column), results(key.bits(), statistics));
            if (different <= 1) {
                continue;
            }
            boolean binds = conditions.bindsToValues(column);
            double share = conditions.share(column, statistics);
            double passing = Math.max(1, conditions.passing(column, statistics, different));
            if (!key.isColumn() && share > 0) {
                passing = Math.min(passing, different);
                share = Math.max(share, passing / different); // records with one result are read as a whole
            }
            matching *= share;
            if (matching == 0) {
                return touched(rows, 0);
            }
            double pages = runs * (binds ? passing : 1) + edges;
            least = Math.min(least, pages * touched(rows, matching * rows / pages));
            runs *= passing;
            edges += binds ? 2 * runs : runs;
        }
        for (String column : conditions.columns()) {
            ColumnStatistics statistics = file.column(column);
            if (statistics.pageShare() >= 0) {
                least = Math.min(least, Math.max(ofPages(column, statistics), touched(rows, 0)));
            }
        }
        return least;
    }

    /** The share of the pages that a column's condition leaves, by what the file states of the pages. */
    private double ofPages(String column, ColumnStatistics statistics) {
        double ofValue = statistics.pageShare();
        return conditions.bindsToValues(column)
                ? 1 - Math.pow(1 - ofValue, Math.max(1, conditions.passing(column, statistics, 1)))
                : Math.min(1, conditions.share(column, statistics) + ofValue);
    }

    /** At most how many different results the values between the bounds have. */
    private static double results(@Nullable LeadingBits bits, ColumnStatistics statistics) {
        if (bits == null || !(statistics.min() instanceof Number min) || !(statistics.max() instanceof Number max)) {
            return Double.POSITIVE_INFINITY;
        }
        return 1.0 + bits.of(max.doubleValue()) - bits.of(min.doubleValue());
    }

    /**
     * The share of a file's pages that one run of {@code run} of its {@code rows} records touches, averaged over where
     * the run begins.
     */
    private static double touched(double rows, double run) {
        double starts = rows - run;
        if (rows <= FileStatistics.PAGE_ROWS || starts < 1) {
            return 1;
        }
        if (rows > MANY_PAGES * FileStatistics.PAGE_ROWS) {
            return (run + FileStatistics.PAGE_ROWS) / rows;
        }
        double read = 0;
        for (double first = 0; first < rows; first += FileStatistics.PAGE_ROWS) {
            double next = Math.min(rows, first + FileStatistics.PAGE_ROWS);
            double touching = Math.min(next, starts) - Math.max(0, first - run);
            read += (next - first) * Math.max(0, touching) / starts;
        }
        return Math.min(1, read / rows);
    }
}
