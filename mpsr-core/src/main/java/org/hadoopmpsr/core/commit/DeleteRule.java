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
package org.hadoopmpsr.core.commit;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;

/**
 * The rule of a delete, which is checked before the commit point: what stays and what goes are together what was there, in each
 * directory of each group; of each segment all groups lose the same records; and no group has more than before.
 */
public final class DeleteRule {

    private DeleteRule() {}

    /**
     * What each group has of each segment, and what is in each directory of it.
     *
     * @param segments by the id of the removed segment, and by group
     * @param directories by the path of the directory
     */
    public record Contents(Map<String, Map<String, ContentHashes>> segments, Map<String, ContentHashes> directories) {
        public Contents {
            segments = Map.copyOf(segments);
            directories = Map.copyOf(directories);
        }

        /** What a group has of a segment. */
        ContentHashes of(String segment, String group) {
            return segments.getOrDefault(segment, Map.of()).getOrDefault(group, ContentHashes.EMPTY);
        }

        /** What a directory has. */
        ContentHashes in(String directory) {
            return directories.getOrDefault(directory, ContentHashes.EMPTY);
        }
    }

    /**
     * Checks a delete.
     *
     * @param groups the names of the dataset's groups
     * @param lossy the names of those whose records are not those of the others, only as many
     * @param removes the ids of the removed segments
     * @param held what the removed files hold, as their statistics say
     * @param kept what the new files hold, as their statistics say
     * @param deleted the records that are left out, by directory, as the job has hashed them when it read them
     * @return the problem; empty if the rule is kept
     */
    public static Optional<String> problem(
            Collection<String> groups,
            Set<String> lossy,
            List<String> removes,
            Contents held,
            Contents kept,
            Map<String, ContentHashes> deleted) {
        for (String segment : removes) {
            Optional<String> problem = problemOf(segment, groups, lossy, held, kept);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return problemOfDirectories(held, kept, deleted);
    }

    private static Optional<String> problemOf(
            String segment, Collection<String> groups, Set<String> lossy, Contents held, Contents kept) {
        Set<ContentHashes> losses = new HashSet<>();
        Set<Long> numbers = new HashSet<>();
        for (String group : groups) {
            ContentHashes before = held.of(segment, group);
            ContentHashes after = kept.of(segment, group);
            ContentHashes lost = before.minus(after);
            boolean known = after.all().stream()
                    .allMatch(hash -> before.get(hash.kind()).count() > 0);
            if (!known || lost.all().stream().anyMatch(hash -> hash.count() <= 0)) {
                return Optional.of("group '" + group + "' would have " + text(after) + " of segment " + segment
                        + ", which holds " + text(before) + "; a delete only takes records away");
            }
            if (lost.all().isEmpty()) {
                return Optional.of(
                        "it takes no record of segment " + segment + " away in group '" + group + "'; leave it out");
            }
            numbers.add(lost.count());
            if (!lossy.contains(group)) {
                losses.add(lost);
            }
        }
        return losses.size() == 1 && numbers.size() == 1
                ? Optional.empty()
                : Optional.of("the groups do not lose the same records of segment " + segment + " ("
                        + groups.stream()
                                .map(group -> group + ": "
                                        + text(held.of(segment, group).minus(kept.of(segment, group))))
                                .reduce((a, b) -> a + ", " + b)
                                .orElse("")
                        + ")");
    }

    private static Optional<String> problemOfDirectories(
            Contents held, Contents kept, Map<String, ContentHashes> deleted) {
        TreeSet<String> directories = new TreeSet<>(held.directories().keySet());
        directories.addAll(kept.directories().keySet());
        directories.addAll(deleted.keySet());
        return directories.stream()
                .filter(d -> !kept.in(d)
                        .plus(deleted.getOrDefault(d, ContentHashes.EMPTY))
                        .equals(held.in(d)))
                .findFirst()
                .map(d -> "of " + text(held.in(d)) + " in " + d + " " + text(kept.in(d)) + " stay and "
                        + text(deleted.getOrDefault(d, ContentHashes.EMPTY))
                        + " are deleted, which is not all of them; a file is damaged, or was not read to its end");
    }

    private static String text(ContentHashes content) {
        return content.count() + " records with hash "
                + (content.all().isEmpty() ? ContentHash.EMPTY.hex() : content.hex());
    }
}
