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
package org.hadoopmpsr.core.degraded;

import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Values of the column by which a group's files are sorted first. Null comes before all values.
 *
 * @param nulls whether null is in the range
 * @param least the least value; null if there is no limit
 * @param end the value at which the range ends; null if there is no limit
 * @param endIsIn whether that value is in the range
 */
public record LeadRange(
        boolean nulls, @Nullable Object least, @Nullable Object end, boolean endIsIn) {
    /** All values, and null. */
    public static final LeadRange ALL = new LeadRange(true, null, null, false);

    /** Whether a value, or null, is in the range. */
    public boolean holds(@Nullable Object value) {
        if (value == null) {
            return nulls;
        }
        if (least != null && Values.compare(value, least) < 0) {
            return false;
        }
        return end == null || Values.compare(value, end) < (endIsIn ? 1 : 0);
    }

    /**
     * The range that holds the values of a file's records and none of the records of the other files.
     *
     * @param others the other files that have records of the same partition and segment
     * @param lead the column's name
     * @return empty if the statistics show no such range
     */
    public static Optional<LeadRange> alone(FileStatistics file, List<FileStatistics> others, @Nullable String lead) {
        if (others.isEmpty()) {
            return Optional.of(ALL);
        }
        if (lead == null) {
            return Optional.empty();
        }
        ColumnStatistics own = file.column(lead);
        if (own.nullCount() < 0 || own.min() == null || own.max() == null) {
            return Optional.empty();
        }
        LeadRange range = new LeadRange(own.nullCount() > 0, own.min(), own.max(), true);
        return others.stream().allMatch(other -> range.isOutside(other, lead)) ? Optional.of(range) : Optional.empty();
    }

    /** True if the statistics show that no record of the file has a value in the range, which has both limits. */
    private boolean isOutside(FileStatistics other, String lead) {
        ColumnStatistics its = other.column(lead);
        if (nulls && its.nullCount() != 0) {
            return false;
        }
        if (its.nullCount() == other.rows()) {
            return true;
        }
        boolean before = its.max() != null && least != null && Values.compare(its.max(), least) < 0;
        boolean after = its.min() != null && end != null && Values.compare(its.min(), end) > 0;
        return before || after;
    }
}
