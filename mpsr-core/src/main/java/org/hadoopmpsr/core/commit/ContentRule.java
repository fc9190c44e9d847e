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
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.ReadContent;

/** The rules for the records of a change. They are checked before the commit point. */
public final class ContentRule {

    private ContentRule() {}

    /**
     * The rule of every change: all groups get the same records. A change without files has no records.
     *
     * @param groups the names of the dataset's groups
     * @param added the content of the new files by group, without groups that have no file
     * @return the problem; empty if the rule is kept
     */
    public static Optional<String> equalInAll(Collection<String> groups, Map<String, ContentHash> added) {
        if (added.isEmpty()) {
            return Optional.empty();
        }
        for (String group : groups) {
            if (!added.containsKey(group)) {
                return Optional.of("group '" + group + "' has no file; every group must hold the commit's records");
            }
        }
        return new HashSet<>(added.values()).size() == 1
                ? Optional.empty()
                : Optional.of("the groups do not hold the same records (" + text(groups, added) + ")");
    }

    /**
     * The rule of a rewrite: in each group, the new files have the records of the removed ones. Where these are hashed in
     * another way than the new ones, the writer of the new ones hashes what it reads in both ways.
     *
     * @param lossy the names of the groups whose records are not those of the others, only as many
     * @param added the content of the new files by group
     * @param removed the content of the removed files by group, as their statistics say
     * @param read the content of the removed files by group, as the writer of the new ones has read them
     * @param leftOut the content of the records that are left out because another one has the same key, by group
     * @return the problem; empty if the rule is kept
     */
    public static Optional<String> unchanged(
            Collection<String> groups,
            Set<String> lossy,
            Map<String, ContentHash> added,
            Map<String, ContentHashes> removed,
            Map<String, RemovedContent> read,
            Map<String, ContentHash> leftOut) {
        for (String group : groups) {
            ContentHashes gone = removed.getOrDefault(group, ContentHashes.EMPTY);
            RemovedContent found = read.getOrDefault(group, RemovedContent.EMPTY);
            ContentHash come = added.getOrDefault(group, ContentHash.EMPTY);
            if (!found.stated().equals(gone)) {
                return Optional.of("group '" + group + "' holds " + text(gone)
                        + " in the removed segments, but their files were read as " + text(found.stated())
                        + "; a file is damaged, or the job has not read all of them");
            }
            ContentHash out = leftOut.getOrDefault(group, ContentHash.EMPTY);
            if (!isSame(come, out, found.asWritten())) {
                return Optional.of("group '" + group + "' holds " + text(gone)
                        + " in the removed segments, but the new files hold " + text(come) + without(out)
                        + difference(come, found));
            }
        }
        return equalInAll(groups, LossyGroups.comparable(lossy, added)).or(() -> equallyLeftOut(groups, leftOut));
    }

    private static Optional<String> equallyLeftOut(Collection<String> groups, Map<String, ContentHash> leftOut) {
        long different = groups.stream()
                .map(group -> leftOut.getOrDefault(group, ContentHash.EMPTY))
                .distinct()
                .count();
        return different <= 1
                ? Optional.empty()
                : Optional.of("the groups do not leave out the same duplicates (" + text(groups, leftOut) + ")");
    }

    private static String without(ContentHash leftOut) {
        return leftOut.isEmpty() ? "" : ", and " + text(leftOut) + " are left out as duplicates";
    }

    /**
     * The rule of a rewrite for each directory of a group: readers list one directory after the other, and must find the
     * same records in each of them before and after.
     *
     * @param added the content of the new files by directory
     * @param removed the content of the removed files by directory
     * @param leftOut the content of the records that are left out because another one has the same key, by directory
     * @param rehashed what the writer of the new files has read of those removed ones that are hashed in another way, by
     *     directory
     * @return the problem; empty if the rule is kept
     */
    public static Optional<String> unchangedInEach(
            Map<String, ContentHash> added,
            Map<String, ContentHashes> removed,
            Map<String, ContentHash> leftOut,
            Map<String, ReadContent> rehashed) {
        HashSet<String> directories = new HashSet<>(added.keySet());
        directories.addAll(removed.keySet());
        directories.addAll(leftOut.keySet());
        directories.addAll(rehashed.keySet());
        List<String> different = directories.stream()
                .filter(d -> !isSame(
                        added.getOrDefault(d, ContentHash.EMPTY),
                        leftOut.getOrDefault(d, ContentHash.EMPTY),
                        removed.getOrDefault(d, ContentHashes.EMPTY),
                        rehashed.getOrDefault(d, ReadContent.EMPTY)))
                .sorted()
                .toList();
        return different.stream()
                .findFirst()
                .map(d -> "the new files of " + d + " hold " + text(added.getOrDefault(d, ContentHash.EMPTY))
                        + without(leftOut.getOrDefault(d, ContentHash.EMPTY))
                        + ", and the removed ones " + text(removed.getOrDefault(d, ContentHashes.EMPTY))
                        + (rehashed.containsKey(d) ? ", of which the job has hashed some again" : "") + " ("
                        + different.size() + " directories differ)");
    }

    private static boolean isSame(ContentHash added, ContentHash leftOut, ContentHashes removed, ReadContent rehashed) {
        boolean isRead = rehashed.stated().all().stream().allMatch(hash -> hash.equals(removed.get(hash.kind())));
        return isRead && isSame(added, leftOut, removed.minus(rehashed.stated()).plus(rehashed.asWritten()));
    }

    /** True if the removed records are those of the new files and those left out. */
    private static boolean isSame(ContentHash added, ContentHash leftOut, ContentHashes removed) {
        return ContentHashes.of(added).plus(leftOut).equals(removed);
    }

    private static String difference(ContentHash added, RemovedContent read) {
        ContentHashes again = read.asWritten();
        if (!added.isEmpty() && again.all().stream().anyMatch(hash -> hash.kind() != added.kind())) {
            return "; these are hashed in another way, and the job has not hashed in that way what it has read: run a job of"
                    + " the NameNode's version";
        }
        return read.rehashed().isEmpty() ? "" : "; they were read as " + text(again);
    }

    private static String text(Collection<String> groups, Map<String, ContentHash> contents) {
        return groups.stream()
                .map(g -> g + ": " + text(contents.getOrDefault(g, ContentHash.EMPTY)))
                .collect(Collectors.joining(", "));
    }

    private static String text(ContentHash content) {
        return text(ContentHashes.of(content));
    }

    private static String text(ContentHashes content) {
        return content.count() + " records with hash " + content.hex();
    }
}
