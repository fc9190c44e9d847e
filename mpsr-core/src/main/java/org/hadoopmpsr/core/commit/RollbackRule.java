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
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;

/**
 * The rule of a rollback, which is checked before the commit point: what it brings back is what the restored segments had, in each group of
 * each segment, and in each directory.
 */
public final class RollbackRule {

    private RollbackRule() {}

    /**
     * Checks a rollback.
     *
     * @param groups the names of the dataset's groups
     * @param restores the ids of the restored segments
     * @param had what these segments had, as the statistics of the replaced files say
     * @param brought what the new files hold, as their statistics say, by the id of the restored segment
     * @return the problem; empty if the rule is kept
     */
    public static Optional<String> problem(
            Collection<String> groups, List<String> restores, DeleteRule.Contents had, DeleteRule.Contents brought) {
        for (String segment : restores) {
            for (String group : groups) {
                ContentHashes wanted = had.of(segment, group);
                if (!brought.of(segment, group).equals(wanted)) {
                    return Optional.of("group '" + group + "' would have " + text(brought.of(segment, group))
                            + " of segment " + segment + ", which had " + text(wanted)
                            + "; a rollback restores all records of a segment");
                }
            }
        }
        TreeSet<String> directories = new TreeSet<>(had.directories().keySet());
        directories.addAll(brought.directories().keySet());
        return directories.stream()
                .filter(d -> !brought.in(d).equals(had.in(d)))
                .findFirst()
                .map(d -> "of " + text(had.in(d)) + " that were in " + d + " it restores " + text(brought.in(d))
                        + "; a file is damaged, or was not read to its end");
    }

    private static String text(ContentHashes content) {
        return content.count() + " records with hash "
                + (content.all().isEmpty() ? ContentHash.EMPTY.hex() : content.hex());
    }
}
