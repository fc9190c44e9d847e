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

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The files of a directory that is no dataset, as readers without MPSR find them: they leave out directories that a filter excludes, and
 * open all other files, also those whose ends tell that no record passes. Immutable.
 *
 * @param files with the statistics that their ends tell
 * @param sort what the records of each file are known to be sorted by; none if they are not
 * @param footerBytes what a reader reads of a file to learn that no record passes
 */
public record StockFiles(List<DataFile> files, List<SortKey> sort, double footerBytes) {
    public StockFiles {
        files = List.copyOf(files);
        sort = List.copyOf(sort);
    }

    /** The files as those of a group. */
    GroupFiles of(ReplicaGroup group) {
        return GroupFiles.of(sorted(group), files, null);
    }

    /** Without a sort order, a group counts as sorted by its predicates' columns; a field that has one value in each file tells nothing. */
    private ReplicaGroup sorted(ReplicaGroup group) {
        List<SortKey> keys = sort.isEmpty()
                ? group.predicates().stream()
                        .filter(predicate -> !predicate.isColumn())
                        .map(predicate -> SortKey.of(predicate.fieldName()))
                        .toList()
                : sort;
        return new ReplicaGroup(group.name(), group.predicates(), keys, group.replication(), group.codec());
    }

    /** The files by their directories alone. */
    GroupFiles byDirectories(ReplicaGroup group) {
        Set<String> names = group.predicates().stream()
                .map(p -> p.fieldName().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return GroupFiles.of(
                sorted(group),
                files.stream().map(file -> file.withColumns(names)).toList(),
                null);
    }
}
