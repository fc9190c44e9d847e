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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.CommittedContent;

/**
 * The published files of a dataset in all its representations. Immutable.
 *
 * @param path the dataset directory for which the paths of the files are valid
 * @param codec reads the files' statistics
 * @param generation a number that changes with every change, and never returns
 * @param changes the latest changes since the index was built, in order
 */
public record DatasetIndex(
        String path,
        StatisticsCodec codec,
        long generation,
        Map<String, GroupIndex> groups,
        List<IndexChange> changes) {
    /** The maximum number of remembered changes. */
    private static final int REMEMBERED = 1_000;
    /** The maximum number of files of the remembered changes. */
    private static final int REMEMBERED_FILES = 100_000;

    public DatasetIndex(String path, StatisticsCodec codec, long generation, Map<String, GroupIndex> groups) {
        this(path, codec, generation, groups, List.of());
    }

    public DatasetIndex {
        groups = Map.copyOf(groups);
        changes = List.copyOf(changes);
    }

    /** The index of a dataset of whose files nothing is known. */
    public static DatasetIndex empty(String path, Schema schema) {
        return new DatasetIndex(path, new StatisticsCodec(schema), 0, Map.of());
    }

    public GroupIndex group(String name) {
        return groups.getOrDefault(name, GroupIndex.EMPTY);
    }

    /** True if a group of a dataset holds everything that was committed to it. */
    public boolean isWhole(DatasetRecord dataset, String group, CommittedContent committed) {
        return group(group).isAllOf(committed.wanted(group, dataset.defaultGroup()), dataset.isLossy(group));
    }

    /** This index after a further change. */
    DatasetIndex after(IndexChange.Files change, long newGeneration) {
        Map<String, GroupIndex> all = new HashMap<>(groups);
        change.removed().forEach((group, files) -> all.put(group, group(group).minus(codec, files)));
        change.added()
                .forEach((group, files) ->
                        all.put(group, all.getOrDefault(group, GroupIndex.EMPTY).plus(codec, files)));
        return new DatasetIndex(path, codec, newGeneration, all, latest(IndexChange.of(change, groups)));
    }

    /**
     * An earlier state of the dataset, which remembers no change.
     *
     * @param later by group the files that came later
     * @param removed by group the files that were removed since, in the directories where they were
     */
    public DatasetIndex past(Map<String, List<GroupFile>> later, Map<String, List<GroupFile>> removed) {
        Map<String, GroupIndex> all = new HashMap<>(groups);
        later.forEach((group, files) -> all.put(group, group(group).minus(codec, files)));
        removed.forEach((group, files) ->
                all.put(group, all.getOrDefault(group, GroupIndex.EMPTY).plus(codec, files)));
        return new DatasetIndex(path, codec, generation, all);
    }

    /** The remembered changes with one more, without the oldest if there are too many. */
    private List<IndexChange> latest(IndexChange change) {
        int files = change.files();
        int from = changes.size();
        while (from > 0
                && changes.size() - from + 1 < REMEMBERED
                && files + changes.get(from - 1).files() <= REMEMBERED_FILES) {
            from--;
            files += changes.get(from).files();
        }
        return Stream.concat(changes.subList(from, changes.size()).stream(), Stream.of(change))
                .toList();
    }

    /** This index, which does not remember a change nor those before it: the files that it removed are gone. */
    DatasetIndex without(String changeId) {
        int from = changes.size();
        while (from > 0 && !changes.get(from - 1).id().equals(changeId)) {
            from--;
        }
        return from == 0
                ? this
                : new DatasetIndex(path, codec, generation, groups, changes.subList(from, changes.size()));
    }
}
