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
package org.hadoopmpsr.namenode.exchange;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.DeleteRule;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.history.PastFiles;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.writer.RefusedException;

/**
 * What the replaced files hold of the segments that a rollback restores. For one publish and one thread.
 */
public final class RestoredFiles {
    private final MpsrNamesystem system;
    private final PastFiles past;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    /** The names of the complete groups, which get files. */
    private final List<String> groups;

    private final Map<String, Map<String, Segment.Group>> bySegment = new HashMap<>();
    private final Map<String, Map<String, ContentHashes>> contents = new HashMap<>();
    private final Map<String, ContentHashes> byDirectory = new HashMap<>();
    /** The newest modification time of those of each directory. */
    private final Map<String, Long> newest = new HashMap<>();

    public RestoredFiles(MpsrNamesystem system, PastFiles past, DatasetRecord dataset, DatasetChange change) {
        this.system = system;
        this.past = past;
        this.dataset = dataset;
        this.change = change;
        this.groups = dataset.whole().groups().names();
    }

    /**
     * Finds them, and checks that each group has all files of each segment. Takes the read lock in short holds.
     *
     * @throws RefusedException if a segment is not removed, or files of it are not kept any more
     */
    public void find(SegmentRecords records) throws IOException {
        Map<String, Segment> segments = new HashMap<>();
        for (String id : change.restores()) {
            Segment record = system.read(() -> records.get(dataset, id));
            if (record == null || record.replacedBy() == null) {
                throw refused("segment " + id + (record == null ? " is not known any more" : " is not removed")
                        + "; plan the rollback anew");
            }
            segments.put(id, record);
        }
        past.of(dataset, segments).forEach((group, files) -> {
            if (groups.contains(group)) { // others were dropped, or are not complete
                files.forEach(file -> add(group, file));
            }
        });
        for (Segment segment : segments.values()) {
            check(segment);
        }
    }

    private void add(String group, GroupFile file) {
        Header header = StoredStatistics.header(file.file());
        if (header == null) {
            return; // its segment lacks it then
        }
        ContentHashes records = ContentHashes.of(header.content());
        bySegment
                .computeIfAbsent(header.commitId(), s -> new HashMap<>())
                .merge(group, new Segment.Group(1, header.length(), header.content()), Segment.Group::plus);
        contents.computeIfAbsent(header.commitId(), s -> new HashMap<>()).merge(group, records, ContentHashes::plus);
        byDirectory.merge(file.directory(), records, ContentHashes::plus);
        newest.merge(file.directory(), header.modificationTime(), Math::max);
    }

    private void check(Segment segment) throws RefusedException {
        Map<String, Segment.Group> found = bySegment.getOrDefault(segment.id(), Map.of());
        for (String group : groups) {
            if (!segment.isWholeIn(group)) {
                throw refused(
                        "segment " + segment.id() + " was removed before it was written in group '" + group + "'");
            }
            Segment.Group had = segment.groups().getOrDefault(group, Segment.Group.EMPTY);
            Segment.Group there = found.getOrDefault(group, Segment.Group.EMPTY);
            if (there.files() != had.files()
                    || there.content().count() != had.content().count()) {
                throw refused("group '" + group + "' does not have all files of segment " + segment.id()
                        + " any more (" + there.files() + " of "
                        + had.files()
                        + "); they were deleted by hand, or their time is over");
            }
        }
    }

    private RefusedException refused(String cause) {
        return RefusedException.of(Kind.NOT_REPLACEABLE, change, dataset, "segments cannot be restored: " + cause);
    }

    /** What they hold. */
    public DeleteRule.Contents contents() {
        return new DeleteRule.Contents(contents, byDirectory);
    }

    /** The newest modification time of those of a directory, in milliseconds; empty if it had none. */
    public OptionalLong newestIn(String directory) {
        Long time = newest.get(directory);
        return time == null ? OptionalLong.empty() : OptionalLong.of(time);
    }
}
