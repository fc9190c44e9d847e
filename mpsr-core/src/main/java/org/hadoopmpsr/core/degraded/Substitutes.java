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
package org.hadoopmpsr.core.degraded;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The groups that hold the records of a file.
 *
 * @param sources those that hold all of the file's segment, the one with the fewest bytes of it first; not empty
 */
public record Substitutes(LostFile lost, List<SourceGroup> sources) {

    /** Tells the files of segments. */
    @FunctionalInterface
    public interface SegmentFiles {
        /**
         * The files of a segment in a group.
         *
         * @throws FileNotFoundException if there is no such segment now
         */
        List<DataFile> of(String group, String segment) throws IOException;
    }

    /**
     * Finds the groups.
     *
     * @param group the name of the group whose file it is
     * @param planned the file as it was planned: its path, its length and its modification time
     * @throws NoSubstituteException if no group can give the file's records
     */
    public static Substitutes find(ReplicaGroups groups, String group, Planned planned, SegmentFiles files)
            throws IOException {
        ReplicaGroup own = groups.find(group)
                .orElseThrow(() -> new NoSubstituteException("the dataset has no group " + group + " any more"));
        for (String segment : segments(PathNames.name(planned.path()))) {
            Optional<List<DataFile>> all = files(own, segment, files);
            Optional<LostFile> lost = all.flatMap(some -> lost(own, planned, some));
            if (all.isPresent() && lost.isPresent()) {
                return new Substitutes(lost.get(), sources(groups, own, segment, all.get(), files));
            }
        }
        throw new NoSubstituteException(
                "the dataset has no such file any more: it was replaced, deleted or changed after"
                        + " the query was planned");
    }

    /** A file as a plan names it; the time is in milliseconds since the epoch. */
    public record Planned(String path, long length, long modificationTime) {}

    /** The ids of the segments whose file may have this name, which starts with the id: the longest ones first. */
    static List<String> segments(String fileName) {
        List<String> ids = new ArrayList<>();
        for (int end = fileName.lastIndexOf('-'); end > 0; end = fileName.lastIndexOf('-', end - 1)) {
            ids.add(fileName.substring(0, end));
        }
        return ids;
    }

    private static Optional<List<DataFile>> files(ReplicaGroup group, String segment, SegmentFiles files)
            throws IOException {
        try {
            return Optional.of(files.of(group.name(), segment));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private static Optional<LostFile> lost(ReplicaGroup group, Planned planned, List<DataFile> all) {
        return all.stream()
                .filter(file -> new Planned(file.path(), file.length(), file.modificationTime()).equals(planned))
                .findFirst()
                .map(file -> new LostFile(
                        group,
                        file,
                        all.stream()
                                .filter(other -> !other.path().equals(file.path())
                                        && other.statistics()
                                                .partition()
                                                .equals(file.statistics().partition()))
                                .toList()));
    }

    private static List<SourceGroup> sources(
            ReplicaGroups groups, ReplicaGroup own, String segment, List<DataFile> all, SegmentFiles files)
            throws IOException {
        List<SourceGroup> sources = new ArrayList<>();
        for (ReplicaGroup other : groups.groups()) {
            if (!other.name().equals(own.name())) {
                files(other, segment, files)
                        .map(its -> new SourceGroup(other, its))
                        .filter(source -> source.hasRecordsOf(own, all))
                        .ifPresent(sources::add);
            }
        }
        if (sources.isEmpty()) {
            throw new NoSubstituteException("no other group has all records of segment " + segment);
        }
        sources.sort(Comparator.comparingLong(SourceGroup::bytes));
        return sources;
    }
}
