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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * The record of a segment: an immutable set of records of a dataset, which every group holds. Immutable.
 *
 * @param id that of the change that brought it
 * @param since the number of that change; 0 if the dataset did not count its changes then
 * @param until the number of the change that removed it, or {@link #OPEN}
 * @param first the first number of the changes that brought its records to the dataset
 * @param last the last one
 * @param timeMs when it was brought, in milliseconds since the epoch
 * @param sources the offsets of its records; none if they are unknown, or too many to keep
 * @param groups what it brought to each group
 * @param replacedBy the change that removed it, whose id is that of the segment that holds the records now; null if it is
 *     current
 */
public record Segment(
        String id,
        long since,
        long until,
        long first,
        long last,
        long timeMs,
        List<CommitSource> sources,
        Map<String, Group> groups,
        @Nullable String replacedBy) {
    /** The end of a current segment. */
    public static final long OPEN = Long.MAX_VALUE;

    public Segment {
        sources = List.copyOf(sources);
        groups = Map.copyOf(groups);
    }

    /** What a group holds of a segment. */
    public record Group(long files, long bytes, ContentHash content) {
        /** Nothing. */
        public static final Group EMPTY = new Group(0, 0, ContentHash.EMPTY);

        /** Both together. Of records that are hashed in different ways, which no change brings, only the number is kept. */
        public Group plus(Group more) {
            boolean alike = content.isEmpty() || more.content.isEmpty() || content.kind() == more.content.kind();
            return new Group(
                    files + more.files,
                    bytes + more.bytes,
                    alike
                            ? content.plus(more.content)
                            : new ContentHash(content.kind(), content.count() + more.content.count(), 0, 0));
        }
    }

    /** A segment of a dataset that does not count its changes. */
    public static Segment uncounted(String id, long timeMs, Map<String, Group> groups) {
        return new Segment(id, 0, OPEN, 0, 0, timeMs, List.of(), groups, null);
    }

    /** The segment of an append. */
    public static Segment appended(
            String id, long sequence, long timeMs, List<CommitSource> sources, Map<String, Group> groups) {
        return new Segment(id, sequence, OPEN, sequence, sequence, timeMs, SourceRanges.joined(sources), groups, null);
    }

    /** The segment that replaces others. Its offsets are known if those of all others are. */
    public static Segment merged(
            String id, long sequence, long timeMs, Map<String, Group> groups, Collection<Segment> removed) {
        boolean known = removed.stream().noneMatch(s -> s.sources().isEmpty());
        List<CommitSource> sources =
                known ? removed.stream().flatMap(s -> s.sources().stream()).toList() : List.of();
        return new Segment(
                id,
                sequence,
                OPEN,
                removed.stream().mapToLong(Segment::first).min().orElse(sequence),
                removed.stream().mapToLong(Segment::last).max().orElse(sequence),
                timeMs,
                SourceRanges.joined(sources),
                groups,
                null);
    }

    /**
     * Why the groups of a dataset do not hold a segment as it was published: a file of it was deleted, or put there.
     *
     * @param groups the names of the dataset's groups
     * @param lossy the names of those whose records are not those of the others, only as many
     * @param held what each group holds of the segment, without groups that hold nothing
     * @param published what was published in each group; empty if that is not known
     * @return the problem, as the beginning of a sentence; empty if there is none
     */
    public static Optional<String> problem(
            Collection<String> groups, Set<String> lossy, Map<String, Group> held, Map<String, Group> published) {
        Map<String, ContentHash> contents = new HashMap<>();
        for (String group : groups) {
            Group its = held.getOrDefault(group, Group.EMPTY);
            contents.put(group, its.content());
            if (!published.isEmpty() && !its.equals(published.get(group))) {
                return Optional.of("group '" + group + "' does not hold what was published");
            }
        }
        boolean differ = new HashSet<>(LossyGroups.comparable(lossy, contents).values()).size() > 1;
        return differ ? Optional.of("the groups do not hold the same records") : Optional.empty();
    }

    /** True if a group got all of its records, as far as the record tells: also none, if there are none. */
    public boolean isWholeIn(String group) {
        long most = groups.values().stream()
                .mapToLong(its -> its.content().count())
                .max()
                .orElse(0);
        return groups.getOrDefault(group, Group.EMPTY).content().count() == most;
    }

    public boolean isCurrent() {
        return until == OPEN;
    }

    /** This segment, removed by a change. */
    public Segment removed(long sequence, String by) {
        return new Segment(id, since, sequence, first, last, timeMs, sources, groups, by);
    }

    /** This segment, with what the groups hold of it. */
    public Segment holding(Map<String, Group> now) {
        return new Segment(id, since, until, first, last, timeMs, sources, now, replacedBy);
    }

    /** This segment without its offsets, for where they are too many to keep. */
    public Segment withoutSources() {
        return new Segment(id, since, until, first, last, timeMs, List.of(), groups, replacedBy);
    }
}
