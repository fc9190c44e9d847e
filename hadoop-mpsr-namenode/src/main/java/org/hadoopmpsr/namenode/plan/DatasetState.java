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
package org.hadoopmpsr.namenode.plan;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hadoopmpsr.core.plan.EarlierFiles;
import org.hadoopmpsr.core.plan.PartitionFiles;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.Publish;
import org.jspecify.annotations.Nullable;

/**
 * The state of a dataset that a reader has listed: the present state, or the state before the latest publishes.
 *
 * @param commits the number of commits that came after that state
 * @param later the inode ids of their files
 * @param totals the totals of the default representation in that state
 */
record DatasetState(DatasetIndex index, int commits, Set<Long> later, FileTotals totals) {

    /**
     * The requested state: the latest one in which the default representation has the listed totals. The present state
     * if nothing was listed, or no such state is known.
     */
    static DatasetState of(DatasetRecord dataset, DatasetIndex index, @Nullable FileTotals listed) {
        DatasetState now = new DatasetState(
                index, 0, Set.of(), index.group(dataset.defaultGroup()).totals());
        if (listed == null || listed.equals(now.totals)) {
            return now;
        }
        Set<Long> later = new HashSet<>();
        List<Publish> publishes = index.publishes();
        for (int i = publishes.size() - 1; i >= 0; i--) {
            Publish publish = publishes.get(i);
            publish.addFileIds(later);
            if (listed.equals(publish.before().get(dataset.defaultGroup()))) {
                return new DatasetState(index, publishes.size() - i, Set.copyOf(later), listed); // copied once
            }
        }
        return now;
    }

    /** True if this is the listed state, or nothing was listed. */
    boolean isOf(@Nullable FileTotals listed) {
        return listed == null || listed.equals(totals);
    }

    Collection<? extends PartitionFiles> partitions(String group) {
        return EarlierFiles.of(index.group(group).partitions(), later);
    }

    /** The text that this state adds to the reason of a plan. */
    String note() {
        return commits == 0 ? "" : "; commits left out since the listing: " + commits;
    }
}
