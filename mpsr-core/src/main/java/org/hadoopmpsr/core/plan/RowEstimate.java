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
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * Estimates which share of a file a reader with page indexes reads. The records of a file are sorted, so those that
 * pass conditions on the first sort columns lie together, and only the pages that hold them are read. Values are taken
 * to be spread evenly. Immutable.
 */
final class RowEstimate {
    /** Rows of a page at most, as ingest writes them. */
    private static final int PAGE_ROWS = 20_000;

    private final List<Column> sort;
    private final Conditions conditions;

    /** @param sort the columns that the records of the files are sorted by */
    RowEstimate(List<Column> sort, Conditions conditions) {
        this.sort = sort;
        this.conditions = conditions;
    }

    /** The share of the file's bytes that are read, above 0 and at most 1. */
    double share(FileStatistics file) {
        long rows = Math.max(1, file.rows());
        return Math.min(1, (matching(file) * rows + PAGE_ROWS) / rows);
    }

    /** The share of records that pass the conditions on the first sort columns. */
    private double matching(FileStatistics file) {
        double share = 1;
        for (Column column : sort) {
            share *= conditions.share(column.name(), file.column(column.name()));
            if (!conditions.bindsToValues(column.name())) {
                return share;
            }
        }
        return share;
    }
}
