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
package org.hadoopmpsr.core.group;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.schema.Schema;

/**
 * The rules for groups whose records are not those of the dataset, because a column has rounded values. Such a group is no copy: its records have content hashes
 * of their own, which tell nothing of other groups. It has as many records as the others.
 */
public final class LossyGroups {
    /** So many copies of the records a dataset has beside a lossy group. */
    public static final int LEAST_EXACT = 2;

    /** What to do where a dataset has fewer, as a part of a sentence. */
    public static final String FIX = "have two other groups without 'lossy', or take the transform away";

    private LossyGroups() {}

    /** What is wrong with the groups of a dataset of which some are lossy; empty if nothing is. */
    public static Optional<String> problem(ReplicaGroups groups, Schema schema) {
        List<String> exact = groups.exact().stream().map(ReplicaGroup::name).toList();
        return groups.groups().stream()
                .filter(group -> group.isLossy() && exact.size() < LEAST_EXACT)
                .findFirst()
                .map(group -> problem(group, exact))
                .or(() -> groups.groups().stream()
                        .flatMap(group -> divided(group, groups.defaultGroup(), schema).stream())
                        .findFirst());
    }

    /** All groups hold the fields of the default group's directories, which would be those of rounded values. */
    private static Optional<String> divided(ReplicaGroup group, ReplicaGroup defaultGroup, Schema schema) {
        return group.transforms().lossy().ofColumns().keySet().stream()
                .filter(column -> schema.find(column)
                        .filter(found -> defaultGroup.predicates().stream().anyMatch(p -> p.isOf(found)))
                        .isPresent())
                .findFirst()
                .map(column -> "replica group '" + group.name() + "' cannot have "
                        + group.transforms().lossy().text() + ": the default group divides records by '" + column
                        + "', and rounded values may lie in another directory; take another column");
    }

    /**
     * The text of the problem that too few groups hold the records themselves.
     *
     * @param exact the names of those that do
     */
    public static String problem(ReplicaGroup lossy, List<String> exact) {
        return "replica group '" + lossy.name() + "' cannot have "
                + lossy.transforms().lossy().text() + ": " + cause(exact) + "; " + FIX;
    }

    /** Why there may be no lossy group beside these, as a part of a sentence. */
    public static String cause(List<String> exact) {
        return "a group with rounded values is no copy of the records, and only " + exact
                + (exact.size() == 1 ? " holds" : " hold") + " the values themselves";
    }

    /**
     * What groups hold, to be compared: a lossy group that has as many records as an exact one counts as having the same.
     *
     * @param lossy the names of the lossy groups
     * @param contents of each group
     */
    public static Map<String, ContentHash> comparable(Set<String> lossy, Map<String, ContentHash> contents) {
        if (lossy.isEmpty()) {
            return contents;
        }
        Map<String, ContentHash> compared = new HashMap<>(contents);
        Optional<ContentHash> exact = contents.entrySet().stream()
                .filter(entry -> !lossy.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
        exact.ifPresent(same ->
                compared.replaceAll((group, its) -> lossy.contains(group) && its.count() == same.count() ? same : its));
        return compared;
    }

    /**
     * Whether a group holds what it should: the same records, or as many if it is lossy.
     *
     * @param wanted what an exact group should hold
     */
    public static boolean holds(boolean isLossy, ContentHashes held, ContentHashes wanted) {
        return isLossy ? held.count() == wanted.count() : held.equals(wanted);
    }

    /** As {@link #holds(boolean, ContentHashes, ContentHashes)}. */
    public static boolean holds(boolean isLossy, ContentHash held, ContentHash wanted) {
        return isLossy ? held.count() == wanted.count() : held.equals(wanted);
    }
}
