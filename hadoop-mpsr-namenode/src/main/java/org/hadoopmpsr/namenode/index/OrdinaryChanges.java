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

import java.util.List;
import java.util.Set;
import org.hadoopmpsr.core.stats.FileTotals;

/**
 * What ordinary writers have changed in the default group. Immutable.
 *
 * @param added the paths of the untracked files, sorted
 * @param deleted the inode ids of the published files that are gone
 * @param deletedTotals the totals of those files
 * @param segments the segments of which files are gone, or of which the index lacks records, as after a restart: the other groups still have the records of these files
 */
public record OrdinaryChanges(List<String> added, Set<Long> deleted, FileTotals deletedTotals, Set<String> segments) {
    public static final OrdinaryChanges NONE = new OrdinaryChanges(List.of(), Set.of(), FileTotals.EMPTY, Set.of());

    public OrdinaryChanges {
        added = List.copyOf(added);
        deleted = Set.copyOf(deleted);
        segments = Set.copyOf(segments);
    }
}
