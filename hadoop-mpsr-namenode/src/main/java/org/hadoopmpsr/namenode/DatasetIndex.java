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
package org.hadoopmpsr.namenode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.namenode.GroupIndex.Placed;

/**
 * The published files of a dataset in all its representations. Immutable.
 *
 * @param path the dataset directory for which the files' paths hold
 * @param codec reads the files' statistics
 * @param generation changes with every publish, and never comes back
 */
record DatasetIndex(String path, StatisticsCodec codec, long generation, Map<String, GroupIndex> groups) {

    DatasetIndex {
        groups = Map.copyOf(groups);
    }

    GroupIndex group(String name) {
        return groups.getOrDefault(name, GroupIndex.EMPTY);
    }

    /** This with the files of further publishes, the latest last. */
    DatasetIndex plus(List<Indexes.Addition> publishes) {
        Map<String, List<Placed>> more = new HashMap<>();
        for (Indexes.Addition publish : publishes) {
            publish.files()
                    .forEach((group, files) ->
                            more.computeIfAbsent(group, g -> new ArrayList<>()).addAll(files));
        }
        Map<String, GroupIndex> all = new HashMap<>(groups);
        more.forEach((group, files) -> all.put(group, group(group).plus(codec, files)));
        long latest =
                publishes.stream().mapToLong(Indexes.Addition::generation).max().orElse(generation);
        return new DatasetIndex(path, codec, latest, all);
    }
}
