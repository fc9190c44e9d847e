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
package org.hadoopmpsr.namenode.damage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;

/** What the groups have of a segment. For one thread. */
final class SegmentState {
    private final Map<String, Share> shares = new HashMap<>();
    private boolean suspect;

    /** A segment of which no group has a file, though its record is there. */
    static SegmentState gone() {
        SegmentState gone = new SegmentState();
        gone.suspect = true;
        return gone;
    }

    /** A file that is there and damaged. */
    record Damaged(GroupFile file, Cause cause) {}

    /** What one group has. */
    static final class Share {
        private Segment.Group indexed = Segment.Group.EMPTY;
        private Segment.Group sound = Segment.Group.EMPTY;
        private final List<Damaged> damaged = new ArrayList<>();

        /** What was published, as far as the index knows. */
        Segment.Group indexed() {
            return indexed;
        }

        /** What can be read. */
        Segment.Group sound() {
            return sound;
        }

        List<Damaged> damaged() {
            return damaged;
        }
    }

    void add(String group, GroupFile file, Header header, FileState state) {
        Share share = shares.computeIfAbsent(group, g -> new Share());
        Segment.Group its = new Segment.Group(1, header.length(), header.content());
        share.indexed = share.indexed.plus(its);
        if (state == FileState.SOUND) {
            share.sound = share.sound.plus(its);
            return;
        }
        suspect = true;
        Cause cause = state.cause();
        if (cause != null) {
            share.damaged.add(new Damaged(file, cause));
        }
    }

    /** Adds a file that somebody has put in the place of a published one. */
    void addStranger(String group, GroupFile file) {
        suspect = true;
        shares.computeIfAbsent(group, g -> new Share()).damaged.add(new Damaged(file, Cause.CHANGED));
    }

    Share of(String group) {
        return shares.getOrDefault(group, new Share());
    }

    /** What each group has by its files' statistics, also of files that cannot be read; also nothing. */
    Map<String, ContentHash> contents(Iterable<String> groups) {
        Map<String, ContentHash> contents = new HashMap<>();
        groups.forEach(g -> contents.put(g, of(g).indexed().content()));
        return contents;
    }

    /**
     * True if a file is damaged, or the groups do not have the same records.
     *
     * @param lossy the names of groups that have as many records only
     */
    boolean isSuspect(Iterable<String> groups, Set<String> lossy) {
        return suspect
                || LossyGroups.comparable(lossy, contents(groups)).values().stream()
                                .distinct()
                                .count()
                        > 1;
    }
}
