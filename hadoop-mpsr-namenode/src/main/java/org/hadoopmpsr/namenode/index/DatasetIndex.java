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
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.core.stats.StatisticsCodec;

/**
 * The published files of a dataset in all its representations. Immutable.
 *
 * @param path the dataset directory for which the paths of the files are valid
 * @param codec reads the files' statistics
 * @param generation a number that changes with every publish, and never returns
 * @param publishes the latest publishes since the index was built, in order
 */
public record DatasetIndex(
        String path, StatisticsCodec codec, long generation, Map<String, GroupIndex> groups, List<Publish> publishes) {
    /** The maximum number of remembered publishes. */
    private static final int REMEMBERED = 1_000;
    /** The maximum number of files of the remembered publishes. */
    private static final int REMEMBERED_FILES = 100_000;

    public DatasetIndex(String path, StatisticsCodec codec, long generation, Map<String, GroupIndex> groups) {
        this(path, codec, generation, groups, List.of());
    }

    public DatasetIndex {
        groups = Map.copyOf(groups);
        publishes = List.copyOf(publishes);
    }

    /** The index of a dataset of whose files nothing is known. */
    public static DatasetIndex empty(String path, Schema schema) {
        return new DatasetIndex(path, new StatisticsCodec(schema), 0, Map.of());
    }

    public GroupIndex group(String name) {
        return groups.getOrDefault(name, GroupIndex.EMPTY);
    }

    /** This index with the files of a further publish. */
    DatasetIndex plus(Indexes.Addition publish) {
        Map<String, GroupIndex> all = new HashMap<>(groups);
        publish.files().forEach((group, files) -> all.put(group, group(group).plus(codec, files)));
        Map<String, FileTotals> before = new HashMap<>();
        groups.forEach((name, group) -> before.put(name, group.totals()));
        return new DatasetIndex(path, codec, publish.generation(), all, latest(Publish.of(publish.files(), before)));
    }

    /** The remembered publishes with one more, without the oldest if there are too many. */
    private List<Publish> latest(Publish publish) {
        int files = publish.files();
        int from = publishes.size();
        while (from > 0
                && publishes.size() - from + 1 < REMEMBERED
                && files + publishes.get(from - 1).files() <= REMEMBERED_FILES) {
            from--;
            files += publishes.get(from).files();
        }
        return Stream.concat(publishes.subList(from, publishes.size()).stream(), Stream.of(publish))
                .toList();
    }
}
