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

import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.cost.Work;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/** Estimates the work of reading a file: pages of the requested columns, and their values. Immutable. */
final class WorkEstimate {
    private final @Nullable Set<String> columns;
    private final int columnCount;
    private final ColumnPrices prices;
    private final RowEstimate rows;

    /** @param columns names in lower case, or null for all columns of the schema */
    WorkEstimate(Schema schema, @Nullable Set<String> columns, ColumnPrices prices, RowEstimate rows) {
        this.columns = columns;
        this.prices = prices;
        this.columnCount = columns == null ? schema.columns().size() : columns.size();
        this.rows = rows;
    }

    Work of(DataFile file) {
        double share = rows.share(file.statistics());
        double values = (double) Math.max(0, file.statistics().rows()) * columnCount;
        return new Work(1, share * bytes(file), share * values);
    }

    /**
     * The bytes that are read. If the file does not state how its bytes divide among columns, all columns count alike.
     */
    private double bytes(DataFile file) {
        Map<String, ColumnStatistics> known = file.statistics().columns();
        if (columns == null || known.isEmpty()) {
            return file.length();
        }
        long sum = 0;
        int count = 0;
        boolean divided = false;
        for (Map.Entry<String, ColumnStatistics> column : known.entrySet()) {
            long bytes = column.getValue().bytes();
            divided |= bytes >= 0;
            if (columns.contains(column.getKey())) {
                sum += Math.round(Math.max(0, bytes) * prices.share(column.getKey(), file.statistics()));
                count++;
            }
        }
        return divided ? Math.min(sum, file.length()) : (double) file.length() * count / known.size();
    }
}
