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
package org.hadoopmpsr.namenode.index;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;

/**
 * A change in the sequence of an index's changes. The files that it added are known by their inode ids, and not by the
 * change's id, which a writer chooses. Immutable.
 */
public final class IndexChange {
    private final String id;
    private final long[] added;
    private final Map<String, List<PartitionIndex>> removed;
    private final Map<String, FileTotals> before;

    private IndexChange(
            String id, long[] added, Map<String, List<PartitionIndex>> removed, Map<String, FileTotals> before) {
        this.id = id;
        this.added = added;
        this.removed = Map.copyOf(removed);
        this.before = Map.copyOf(before);
    }

    /** @param before the groups before the change */
    static IndexChange of(Files files, Map<String, GroupIndex> before) {
        Map<String, FileTotals> totals = new HashMap<>();
        before.forEach((name, group) -> totals.put(name, group.totals()));
        Map<String, List<PartitionIndex>> removed = new HashMap<>();
        files.removed().forEach((name, gone) -> {
            GroupIndex group = before.get(name);
            removed.put(name, group == null ? List.of() : group.only(gone));
        });
        return new IndexChange(files.id(), ids(files.added()).toArray(), removed, totals);
    }

    /**
     * The files of a change.
     *
     * @param id that of the change
     * @param added by group, in their places
     * @param removed by group, with the places that they had
     */
    public record Files(String id, Map<String, List<GroupFile>> added, Map<String, List<GroupFile>> removed) {}

    private static LongStream ids(Map<String, List<GroupFile>> files) {
        return files.values().stream()
                .flatMap(List::stream)
                .mapToLong(f -> f.file().getId());
    }

    String id() {
        return id;
    }

    /** The number of files in all groups. */
    int files() {
        return added.length
                + removed.values().stream()
                        .flatMap(List::stream)
                        .mapToInt(PartitionIndex::size)
                        .sum();
    }

    public void addFileIds(Set<Long> ids) {
        Arrays.stream(added).forEach(ids::add);
    }

    /** The files of a group that the change removed, by directory, as they were. They can be read for a while. */
    public Stream<PartitionIndex> removed(String group) {
        return removed.getOrDefault(group, List.of()).stream();
    }

    /** The totals of each group before the change. */
    public Map<String, FileTotals> before() {
        return before;
    }
}
