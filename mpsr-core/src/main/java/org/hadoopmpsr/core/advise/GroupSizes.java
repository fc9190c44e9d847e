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
package org.hadoopmpsr.core.advise;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.core.advise.ColumnSize.Written;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * What columns take in groups, for layouts that were measured: some records were divided, sorted and compressed as the group's files are.
 * Immutable.
 *
 * @param byLayout sizes of columns by their names in lower case; what is missing takes as much as in the files as they lie
 */
public record GroupSizes(Map<Layout, Map<String, ColumnSize>> byLayout) {
    /** Nothing was measured: all layouts take as much as the files as they lie. */
    public static final GroupSizes NONE = new GroupSizes(Map.of());

    public GroupSizes {
        Map<Layout, Map<String, ColumnSize>> copied = new HashMap<>();
        byLayout.forEach((layout, sizes) -> copied.put(layout, Map.copyOf(sizes)));
        byLayout = Map.copyOf(copied);
    }

    /** True if the layout was measured. */
    public boolean knows(Layout layout) {
        return byLayout.containsKey(layout);
    }

    /** These, and those of another layout. */
    public GroupSizes with(Layout layout, Map<String, ColumnSize> sizes) {
        Map<Layout, Map<String, ColumnSize>> all = new HashMap<>(byLayout);
        all.put(layout, sizes);
        return new GroupSizes(all);
    }

    /** The sizes of a layout; of one that was not measured the mean of those that were, because they share the codec. */
    Map<String, ColumnSize> of(Layout layout) {
        Map<String, ColumnSize> known = byLayout.get(layout);
        if (known != null) {
            return known;
        }
        Map<String, List<ColumnSize>> all = new HashMap<>();
        byLayout.values()
                .forEach(sizes -> sizes.forEach((name, size) ->
                        all.computeIfAbsent(name, n -> new ArrayList<>()).add(size)));
        Map<String, ColumnSize> mean = new HashMap<>();
        all.forEach((name, sizes) -> mean.put(name, ColumnSize.mean(sizes)));
        return mean;
    }

    /**
     * The sizes of columns by files that were written.
     *
     * @param few files of about half of the records; none if all files are of all records
     * @param many files of all records, at least one
     * @param weights by how much a record takes more in all of the data than in the measured records, as the files lie, by columns' names
     *     in lower case; 1 for what is missing (a ratio estimate: Cochran, "Sampling Techniques", 3rd edition, 1977, chapter 6)
     */
    public static Map<String, ColumnSize> of(
            List<FileStatistics> few, List<FileStatistics> many, Map<String, Double> weights) {
        Map<String, Written> ofFew = written(few);
        Map<String, ColumnSize> sizes = new HashMap<>();
        written(many)
                .forEach((name, its) -> sizes.put(
                        name,
                        ColumnSize.through(ofFew.getOrDefault(name, its), its).times(weights.getOrDefault(name, 1.0))));
        return sizes;
    }

    private static Map<String, Written> written(List<FileStatistics> files) {
        Map<String, Written> sums = new HashMap<>();
        for (FileStatistics file : files) {
            if (file.rows() > 0) {
                for (Map.Entry<String, ColumnStatistics> column : file.columns().entrySet()) {
                    if (column.getValue().bytes() >= 0) {
                        sums.merge(
                                column.getKey().toLowerCase(Locale.ROOT),
                                new Written(1, file.rows(), column.getValue().bytes()),
                                (a, b) -> new Written(
                                        a.files() + b.files(), a.records() + b.records(), a.bytes() + b.bytes()));
                    }
                }
            }
        }
        return sums;
    }
}
