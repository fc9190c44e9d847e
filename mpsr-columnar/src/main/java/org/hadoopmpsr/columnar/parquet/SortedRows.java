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
package org.hadoopmpsr.columnar.parquet;

import org.hadoopmpsr.columnar.layout.KeyValues;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file: {@code order[from]} to {@code order[to - 1]}.
 *
 * @param lead what they are sorted by first, null when they are not sorted
 */
public record SortedRows(
        int[] order, int from, int to, @Nullable KeyValues lead) {
    /** Some of the rows. */
    public SortedRows slice(int first, int end) {
        return new SortedRows(order, first, end, lead);
    }

    /** The end of the rows from {@code first} that have the same value of the lead key. */
    public int runEnd(int first) {
        if (lead == null) {
            return to;
        }
        int end = first + 1;
        while (end < to && lead.same(order[end - 1], order[end])) {
            end++;
        }
        return end;
    }
}
