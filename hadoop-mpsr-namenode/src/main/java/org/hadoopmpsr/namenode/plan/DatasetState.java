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
import java.util.stream.Stream;
import org.hadoopmpsr.core.files.EarlierFiles;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.history.PastState;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.IndexChange;
import org.hadoopmpsr.namenode.index.OrdinaryChanges;
import org.hadoopmpsr.namenode.index.PartitionIndex;
import org.jspecify.annotations.Nullable;

/**
 * The state of a dataset that a reader has listed: the present state, or the state before the latest changes.
 *
 * @param changes the changes that came after that state, in order
 * @param later the inode ids of the files that they added, or of published files that are gone
 * @param totals the totals of the default representation in that state
 * @param ordinary what ordinary writers have changed in the default group
 * @param past the earlier state that the index is of; null for the present index
 */
record DatasetState(
        DatasetIndex index,
        List<IndexChange> changes,
        Set<Long> later,
        FileTotals totals,
        OrdinaryChanges ordinary,
        @Nullable PastState past) {

    /**
     * The requested state: the latest one in which the default representation has the listed totals. The present state
     * if nothing was listed, or no such state is known. Where published files are gone, only the present state is.
     *
     * @param ordinary what the reader heeds
     */
    static DatasetState of(
            DatasetRecord dataset, DatasetIndex index, @Nullable FileTotals listed, OrdinaryChanges ordinary) {
        FileTotals present = index.group(dataset.defaultGroup()).totals().minus(ordinary.deletedTotals());
        DatasetState now = new DatasetState(index, List.of(), ordinary.deleted(), present, ordinary, null);
        if (listed == null || listed.equals(now.totals) || !ordinary.segments().isEmpty()) {
            return now;
        }
        Set<Long> later = new HashSet<>();
        List<IndexChange> changes = index.changes();
        for (int i = changes.size() - 1; i >= 0; i--) {
            IndexChange change = changes.get(i);
            change.addFileIds(later);
            if (listed.equals(change.before().get(dataset.defaultGroup()))) {
                // copied once
                return new DatasetState(
                        index, changes.subList(i, changes.size()), Set.copyOf(later), listed, ordinary, null);
            }
        }
        return now;
    }

    /**
     * An earlier state. What ordinary writers have deleted since is gone from it too.
     *
     * @param ordinary what ordinary writers have changed in the present state
     */
    static DatasetState past(DatasetRecord dataset, PastState past, OrdinaryChanges ordinary) {
        FileTotals totals = past.index().group(dataset.defaultGroup()).totals();
        OrdinaryChanges deleted =
                new OrdinaryChanges(List.of(), ordinary.deleted(), FileTotals.EMPTY, ordinary.segments());
        return new DatasetState(past.index(), List.of(), ordinary.deleted(), totals, deleted, past);
    }

    /** True if this is the listed state, or nothing was listed. */
    boolean isOf(@Nullable FileTotals listed) {
        return listed == null || listed.equals(totals);
    }

    /** The files of a group in that state. Those that a change has removed since are partitions of their own. */
    Collection<? extends PartitionFiles> partitions(String group) {
        Collection<PartitionIndex> present = index.group(group).partitions();
        List<PartitionIndex> removed =
                changes.stream().flatMap(change -> change.removed(group)).toList();
        return EarlierFiles.of(
                removed.isEmpty()
                        ? present
                        : Stream.concat(present.stream(), removed.stream()).toList(),
                later);
    }

    /** The text that this state adds to the reason of a plan. */
    String note() {
        if (past != null) {
            return past.note();
        }
        return changes.isEmpty() ? "" : "; commits left out since the listing: " + changes.size();
    }
}
