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

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hadoopmpsr.core.plan.EarlierFiles;
import org.hadoopmpsr.core.plan.PartitionFiles;
import org.hadoopmpsr.namenode.DatasetIndex.Publish;
import org.hadoopmpsr.namenode.GroupIndex.Size;

/**
 * A dataset in the state of which a reader has a listing: as it is now, or as it was before the latest publishes.
 *
 * @param later the commits that came after that state
 * @param size how much there was of the default representation
 */
record SeenState(DatasetIndex index, Set<String> later, Size size) {

    static SeenState now(DatasetIndex index, String defaultGroup) {
        return new SeenState(index, Set.of(), index.group(defaultGroup).size());
    }

    /** The latest state with so much of the default representation; as it is now where none is known. */
    static SeenState of(DatasetIndex index, String defaultGroup, Size listed) {
        SeenState now = now(index, defaultGroup);
        if (now.size.equals(listed)) {
            return now;
        }
        Set<String> later = new HashSet<>();
        List<Publish> publishes = index.publishes();
        for (int i = publishes.size() - 1; i >= 0; i--) {
            Publish publish = publishes.get(i);
            later.add(publish.commitId());
            if (listed.equals(publish.before().get(defaultGroup))) {
                return new SeenState(index, later, listed);
            }
        }
        return now;
    }

    Collection<? extends PartitionFiles> partitions(String group) {
        return EarlierFiles.of(index.group(group).partitions(), later);
    }
}
