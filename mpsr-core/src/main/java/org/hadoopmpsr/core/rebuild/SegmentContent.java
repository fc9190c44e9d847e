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
package org.hadoopmpsr.core.rebuild;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/** Decides what a segment holds, and whether a rebuild makes a group hold it. */
public final class SegmentContent {

    private SegmentContent() {}

    /**
     * What a segment holds: what its record says; without a record, what the groups have of it that hold everything that was
     * committed to them; where there is none, what at least two groups, or all, have of it, and no group has more. A group whose
     * files were deleted has less of a segment, and one into which files were put has more.
     *
     * @param recorded from the segment's record, or null
     * @param lossy the names of groups whose records are not those of the others: they tell nothing
     * @param ofGroups what each group has of the segment, by name, as the statistics of its files say; also of files that
     *     cannot be read
     * @param whole the groups that hold everything that was committed to them
     * @return empty if nobody can tell
     */
    public static Optional<ContentHash> of(
            @Nullable ContentHash recorded, Set<String> lossy, Map<String, ContentHash> ofGroups, Set<String> whole) {
        if (recorded != null) {
            return Optional.of(recorded);
        }
        Set<String> sound =
                whole.stream().filter(group -> !lossy.contains(group)).collect(Collectors.toSet());
        List<ContentHash> told = ofGroups.entrySet().stream()
                .filter(e -> !lossy.contains(e.getKey()) && (sound.isEmpty() || sound.contains(e.getKey())))
                .map(Map.Entry::getValue)
                .toList();
        if (!sound.isEmpty()) {
            return new HashSet<>(told).size() == 1 ? Optional.of(told.get(0)) : Optional.empty();
        }
        long most = told.stream().mapToLong(ContentHash::count).max().orElse(0);
        List<ContentHash> largest = told.stream().filter(c -> c.count() == most).toList();
        boolean agree = new HashSet<>(largest).size() == 1 && (largest.size() > 1 || told.size() == 1);
        return agree ? Optional.of(largest.get(0)) : Optional.empty();
    }

    /**
     * The rule of a rebuild: afterwards the group holds the segment's records, and no others.
     *
     * @param segment the segment's id
     * @param content what it holds
     * @param isCounted true if the content is that of other groups, of which this one has rounded values: then it is to have as many
     *     records
     * @param kept what the group has of it in files that stay
     * @param added what the new files have of it
     * @return the problem; empty if the rule is kept
     */
    public static Optional<String> problem(
            String segment, String group, ContentHash content, boolean isCounted, ContentHash kept, ContentHash added) {
        boolean alike = kept.isEmpty() || added.isEmpty() || kept.kind() == added.kind();
        if (alike && LossyGroups.holds(isCounted, kept.plus(added), content)) {
            return Optional.empty();
        }
        return Optional.of("segment " + segment + " holds " + text(content) + ", but group '" + group + "' would have "
                + text(kept) + " in the files that stay and " + text(added) + " in the new ones");
    }

    private static String text(ContentHash content) {
        return content.count() + " records with hash " + content.kind() + " " + content.hex();
    }
}
