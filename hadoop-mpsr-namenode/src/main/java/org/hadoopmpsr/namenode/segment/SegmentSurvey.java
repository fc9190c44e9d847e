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
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;

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
    }

    /** Reads the attribute of each file. */
    static SegmentSurvey of(DatasetIndex index) {
        NavigableMap<String, Files> bySegment = new TreeMap<>();
        index.groups()
                .forEach((group, files) -> files.each((file, header) -> {
                    Files its = bySegment.computeIfAbsent(header.commitId(), s -> new Files());
                    its.byGroup.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
                    its.held.merge(group, new Segment.Group(1, header.length(), header.content()), Segment.Group::plus);
                    its.newestMs = Math.max(its.newestMs, header.modificationTime());
                }));
        return new SegmentSurvey(index, bySegment);
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
