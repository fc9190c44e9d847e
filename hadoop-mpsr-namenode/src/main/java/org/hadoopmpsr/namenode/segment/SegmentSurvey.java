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
package org.hadoopmpsr.namenode.segment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** The files of a dataset by segment, in one state of its index. Immutable. */
final class SegmentSurvey {
    private final DatasetIndex index;
    private final NavigableMap<String, Files> bySegment;

    private SegmentSurvey(DatasetIndex index, NavigableMap<String, Files> bySegment) {
        this.index = index;
        this.bySegment = bySegment;
    }

    /** The files of one segment by group, and what they say of themselves. */
    static final class Files {
        private final Map<String, List<GroupFile>> byGroup = new HashMap<>();
        private final Map<String, Segment.Group> held = new HashMap<>();
        private long newestMs;
        private long newestFile;

        List<GroupFile> of(String group) {
            return byGroup.getOrDefault(group, List.of());
        }

        /** What each group holds, without groups that hold nothing. */
        Map<String, Segment.Group> held() {
            return held;
        }

        /** When the newest file was written, in milliseconds since the epoch. */
        long newestMs() {
            return newestMs;
        }

        /** The id of the newest file. Its time may be that of an older one whose place it has taken. */
        long newestFile() {
            return newestFile;
        }

        private void add(String group, GroupFile file, Header header) {
            byGroup.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
            held.merge(group, new Segment.Group(1, header.length(), header.content()), Segment.Group::plus);
            newestMs = Math.max(newestMs, header.modificationTime());
            newestFile = Math.max(newestFile, file.file().getId());
        }
    }

    /** Reads the attribute of each file. */
    static SegmentSurvey of(DatasetIndex index) {
        NavigableMap<String, Files> bySegment = new TreeMap<>();
        index.groups()
                .forEach((group, files) -> files.each(
                        (file, header) -> of(bySegment, header.commitId()).add(group, file, header)));
        return new SegmentSurvey(index, bySegment);
    }

    private static Files of(Map<String, Files> bySegment, String segment) {
        return bySegment.computeIfAbsent(segment, s -> new Files());
    }

    /**
     * The survey of a later state of the dataset. Reads the attributes of the files of those segments that have more files, or
     * fewer.
     */
    SegmentSurvey after(DatasetIndex later) {
        if (!later.path().equals(index.path())) {
            return of(later);
        }
        Map<String, Map<String, List<GroupFile>>> added = new HashMap<>();
        Map<String, Set<Long>> gone = new HashMap<>();
        for (String group : groups(index, later)) {
            for (GroupFile file : later.group(group).minus(index.group(group))) {
                Header header = StoredStatistics.header(file.file());
                if (header != null) {
                    added.computeIfAbsent(header.commitId(), s -> new HashMap<>())
                            .computeIfAbsent(group, g -> new ArrayList<>())
                            .add(file);
                }
            }
            for (GroupFile file : index.group(group).minus(later.group(group))) {
                Header header = StoredStatistics.header(file.file());
                if (header == null) {
                    return of(later); // nobody tells any more where it was counted
                }
                gone.computeIfAbsent(header.commitId(), s -> new HashSet<>())
                        .add(file.file().getId());
            }
        }
        NavigableMap<String, Files> all = new TreeMap<>(bySegment);
        Set<String> changed = new HashSet<>(added.keySet());
        changed.addAll(gone.keySet());
        for (String segment : changed) {
            Files files = changed(
                    all.get(segment), gone.getOrDefault(segment, Set.of()), added.getOrDefault(segment, Map.of()));
            if (files.byGroup.isEmpty()) {
                all.remove(segment);
            } else {
                all.put(segment, files);
            }
        }
        return new SegmentSurvey(later, all);
    }

    private static Set<String> groups(DatasetIndex one, DatasetIndex other) {
        Set<String> groups = new HashSet<>(one.groups().keySet());
        groups.addAll(other.groups().keySet());
        return groups;
    }

    private static Files changed(@Nullable Files before, Set<Long> gone, Map<String, List<GroupFile>> added) {
        Files files = new Files();
        if (before != null) {
            before.byGroup.forEach((group, all) -> all.stream()
                    .filter(file -> !gone.contains(file.file().getId()))
                    .forEach(file -> add(files, group, file)));
        }
        added.forEach((group, more) -> more.forEach(file -> add(files, group, file)));
        return files;
    }

    private static void add(Files files, String group, GroupFile file) {
        Header header = StoredStatistics.header(file.file());
        if (header != null) {
            files.add(group, file, header);
        }
    }

    boolean isOf(DatasetIndex other) {
        return index == other;
    }

    DatasetIndex index() {
        return index;
    }

    /** The segments by id, in order. */
    NavigableMap<String, Files> bySegment() {
        return bySegment;
    }
}
