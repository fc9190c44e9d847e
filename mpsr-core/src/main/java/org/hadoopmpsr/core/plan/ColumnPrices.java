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

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.transform.Accuracy;
import org.hadoopmpsr.core.transform.TransformedColumn;

/**
 * Which part of the bytes of a column a reader needs of a group that holds the column in other columns: those of the least exact level that
 * is within the limits of the reader. Immutable.
 */
final class ColumnPrices {
    private final Map<String, TransformedColumn> held = new HashMap<>();
    private final Map<String, Accuracy> accuracies;

    /** The prices of a group. A transform that this process does not know, or that does not fit the column, has none. */
    ColumnPrices(Schema schema, ColumnTransforms transforms, ReadRequest readRequest) {
        accuracies = readRequest.accuracies();
        if (!transforms.isEmpty()) {
            schema.columns().forEach(column -> add(column, transforms));
        }
    }

    private void add(Column column, ColumnTransforms transforms) {
        try {
            transforms
                    .transformed(column)
                    .ifPresent(found -> held.put(column.name().toLowerCase(Locale.ROOT), found));
        } catch (IllegalArgumentException e) {
            held.remove(column.name().toLowerCase(Locale.ROOT));
        }
    }

    /**
     * The part, from 0 to 1.
     *
     * @param column in lower case
     */
    double share(String column, FileStatistics file) {
        TransformedColumn found = held.get(column);
        if (found == null) {
            return 1;
        }
        Accuracy accuracy = accuracies.getOrDefault(column, Accuracy.EXACT);
        return found.share(found.level(accuracy, file.column(column).magnitude()));
    }
}
