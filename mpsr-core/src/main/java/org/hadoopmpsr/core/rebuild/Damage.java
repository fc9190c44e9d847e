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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;

/**
 * What is damaged of a segment in a group. Immutable.
 *
 * @param sources what the groups that hold all of the segment have of it, by name
 * @param isDefault true if the group is the dataset's default group
 * @param sinceMs when it was first seen, in milliseconds since the epoch
 * @param due true if it has been seen for long enough to be rebuilt without a word from anyone; never where somebody has deleted or
 *     changed files of the default group, and may have meant it
 * @param held the records that the group still has in sound files
 * @param missing the records of the segment that it lacks, as far as is known
 * @param deleted true if some of these belong to files that are not there any more; nothing says which partitions they are of
 * @param files the damaged files that are there
 */
public record Damage(
        String segment,
        String group,
        boolean isDefault,
        Map<String, Segment.Group> sources,
        long sinceMs,
        boolean due,
        ContentHash held,
        ContentHash missing,
        boolean deleted,
        List<DamagedFile> files) {
    /**
     * The order in which damage is rebuilt: segments with one live copy, then those with two, and so on, and last those with
     * none, which cannot be rebuilt. Among equals the default group comes first, then by segment and group.
     */
    public static final Comparator<Damage> ORDER = Comparator.comparingInt(
                    (Damage d) -> d.liveCopies() == 0 ? Integer.MAX_VALUE : d.liveCopies())
            .thenComparing(d -> !d.isDefault)
            .thenComparing(Damage::segment)
            .thenComparing(Damage::group);

    public Damage {
        sources = Map.copyOf(sources);
        files = List.copyOf(files);
    }

    /** The number of groups that hold all of the segment. */
    public int liveCopies() {
        return sources.size();
    }

    /** True if some of the damaged files hold something else than they should. */
    public boolean hasFalseFiles() {
        return files.stream().anyMatch(file -> file.cause() == DamagedFile.Cause.FALSE);
    }

    /** How the segment's records are hashed. */
    public HashKind hashKind() {
        return missing.isEmpty() ? held.kind() : missing.kind();
    }

    /** True if both are of one segment and group. */
    public boolean isSameAs(Damage other) {
        return segment.equals(other.segment) && group.equals(other.group);
    }

    /** This with more damaged files of the segment in the group. */
    public Damage with(List<DamagedFile> more) {
        List<DamagedFile> all = new ArrayList<>(files);
        all.addAll(more);
        return new Damage(segment, group, isDefault, sources, sinceMs, due, held, missing, deleted, all);
    }
}
