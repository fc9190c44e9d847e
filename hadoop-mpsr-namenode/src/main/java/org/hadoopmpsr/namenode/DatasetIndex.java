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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The published files of a dataset in all its representations. Immutable.
 *
 * @param path the dataset directory for which the files' paths hold
 * @param generation changes with every publish, and never comes back
 */
record DatasetIndex(String path, long generation, Map<String, GroupIndex> groups) {

    DatasetIndex {
        groups = Map.copyOf(groups);
    }

    GroupIndex group(String name) {
        return groups.getOrDefault(name, GroupIndex.EMPTY);
    }

    /** This with the files of one more commit. */
    DatasetIndex plus(long newGeneration, Map<String, List<DataFile>> files) {
        Map<String, GroupIndex> all = new HashMap<>(groups);
        files.forEach((group, more) -> all.merge(group, GroupIndex.EMPTY.plus(more), (old, same) -> old.plus(more)));
        return new DatasetIndex(path, newGeneration, all);
    }
}
