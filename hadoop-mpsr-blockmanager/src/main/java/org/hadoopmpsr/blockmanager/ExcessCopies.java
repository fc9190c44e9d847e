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
package org.hadoopmpsr.blockmanager;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.jspecify.annotations.Nullable;

/** The copies of one block that has too many copies. */
final class ExcessCopies {
    private final List<DatanodeStorageInfo> copies;
    private final Set<String> nodes;

    /** The copies in the order in which they are considered. */
    ExcessCopies(Collection<DatanodeStorageInfo> first, Collection<DatanodeStorageInfo> second) {
        copies = new ArrayList<>(first);
        copies.addAll(second);
        nodes = copies.stream().map(ExcessCopies::uuid).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The uuids of the nodes whose copies are deleted first: copies that are known to be outside of the block's group,
     * or, if all copies are in one group, copies on nodes that leave the group. Empty if it is unknown which copy is
     * wrong.
     */
    Optional<Set<String>> first(WrongCopies wrongCopies, PlacementView view) {
        Set<String> wrong = wrongCopies.among(nodes);
        if (!wrong.isEmpty()) {
            return wrong.containsAll(nodes) ? Optional.empty() : Optional.of(wrong);
        }
        boolean oneGroup = nodes.stream().map(view::nodeGroup).distinct().count() == 1;
        return Optional.of(oneGroup ? view.draining() : Set.of());
    }

    /**
     * The first copy on one of these nodes whose storage type has one copy too many; the count of that type is lowered.
     * Null if there is none.
     */
    @Nullable
    DatanodeStorageInfo take(Set<String> from, List<StorageType> excessTypes) {
        for (DatanodeStorageInfo copy : copies) {
            if (from.contains(uuid(copy)) && excessTypes.remove(copy.getStorageType())) {
                return copy;
            }
        }
        return null;
    }

    private static String uuid(DatanodeStorageInfo copy) {
        return copy.getDatanodeDescriptor().getDatanodeUuid();
    }
}
