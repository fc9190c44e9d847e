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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;

/** The records that each commit has in one group, as far as there are files of it. Immutable. */
public final class CommitContents {
    /** So many commits are named. */
    private static final int NAMED = 3;

    private final Map<String, ContentHashes> byCommit;

    private CommitContents(Map<String, ContentHashes> byCommit) {
        this.byCommit = byCommit;
    }

    /**
     * Those of a group's files; one whose attribute cannot be read is left out. Reads the attribute of each file.
     *
     * @param counted true to know only the numbers of records, as where one of two groups has rounded values
     */
    public static CommitContents of(GroupIndex group, boolean counted) {
        Map<String, ContentHashes> contents = new HashMap<>();
        group.partitions().stream()
                .flatMap(PartitionIndex::headers)
                .forEach(
                        file -> contents.merge(file.commitId(), ContentHashes.of(file.content()), ContentHashes::plus));
        if (counted) {
            contents.replaceAll((commit, content) -> ContentHashes.of(new ContentHash(content.count(), 0, 0)));
        }
        return new CommitContents(contents);
    }

    /** True when this has all records of a commit that the other has. */
    public boolean holds(String commitId, CommitContents other) {
        ContentHashes wanted = other.byCommit.getOrDefault(commitId, ContentHashes.EMPTY);
        ContentHashes own = byCommit.getOrDefault(commitId, ContentHashes.EMPTY);
        return own.equals(wanted) || own.count() > wanted.count();
    }

    /** The commits whose records are not those of a group that is whole. */
    SortedSet<String> different(CommitContents whole) {
        SortedSet<String> different = new TreeSet<>(whole.byCommit.keySet());
        different.addAll(byCommit.keySet());
        different.removeIf(id -> whole.byCommit
                .getOrDefault(id, ContentHashes.EMPTY)
                .equals(byCommit.getOrDefault(id, ContentHashes.EMPTY)));
        return different;
    }

    /** The first commits whose records are not those of a group that is whole, for operators; empty when there is none. */
    public String differences(CommitContents whole) {
        List<String> different = List.copyOf(different(whole));
        String more = different.size() > NAMED ? " and " + (different.size() - NAMED) + " more" : "";
        return String.join(", ", different.subList(0, Math.min(NAMED, different.size()))) + more;
    }
}
