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

import java.util.Set;
import java.util.SortedSet;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.jspecify.annotations.Nullable;

/**
 * The segments of which a group lacks records, as a group tells that has everything that was committed. Immutable.
 *
 * @param index the index of the group, and
 * @param whole that of the other group, of which this holds
 * @param ids the ids of the segments; null if they are too many
 */
record IncompleteSegments(
        GroupIndex index, GroupIndex whole, @Nullable Set<String> ids) {
    /** With more segments, the group counts as damaged as a whole. */
    private static final int MOST = 100_000;

    /**
     * Reads the attribute of each file of both groups.
     *
     * @param isLossy whether the group has rounded values, and only the numbers of records tell
     */
    static IncompleteSegments of(GroupIndex index, GroupIndex whole, boolean isLossy) {
        SortedSet<String> different = CommitContents.of(index, isLossy).different(CommitContents.of(whole, isLossy));
        return new IncompleteSegments(index, whole, different.size() <= MOST ? Set.copyOf(different) : null);
    }

    /** The index of a group that has everything that was committed to it; null if no other group has. */
    static @Nullable GroupIndex whole(
            DatasetRecord dataset, DatasetIndex index, String group, CommittedContent committed) {
        for (String other : dataset.groups().names()) {
            if (!other.equals(group) && !dataset.isLossy(other) && index.isWhole(dataset, other, committed)) {
                return index.group(other);
            }
        }
        return null;
    }
}
