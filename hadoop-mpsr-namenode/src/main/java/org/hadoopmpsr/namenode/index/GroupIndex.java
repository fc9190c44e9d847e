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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** The published files of one representation. Immutable. */
public final class GroupIndex {
    static final GroupIndex EMPTY = new GroupIndex(new TreeMap<>(), FileTotals.EMPTY, ContentHashes.EMPTY);

    private final SortedMap<Long, PartitionIndex> byDirectory;
    private final FileTotals totals;
    private final ContentHashes content;
    /** Negative until it is asked for. */
    private volatile int segments = -1;

    private GroupIndex(SortedMap<Long, PartitionIndex> byDirectory, FileTotals totals, ContentHashes content) {
        this.byDirectory = Collections.unmodifiableSortedMap(byDirectory);
        this.totals = totals;
        this.content = content;
    }

    /**
     * A published file of a representation.
     *
     * @param directoryId the inode id of its directory
     * @param directory the path of its directory
     */
    public record GroupFile(long directoryId, String directory, INodeFile file) {

        /** Needs the read lock. */
        public static GroupFile of(String directory, INodeFile file) {
            return new GroupFile(file.getParent().getId(), directory, file);
        }
    }

    /** This index with more files. A file whose statistics cannot be read is left out, and counts as unpublished. */
    GroupIndex plus(StatisticsCodec codec, List<GroupFile> more) {
        Map<Long, Arrival> arrivals = new TreeMap<>();
        FileTotals sumOfFiles = totals;
        ContentHashes sum = content;
        for (GroupFile added : more) {
            DataFile file = StoredStatistics.read(codec, added.directory(), added.file());
            if (file != null) {
                FileStatistics its = file.statistics();
                arrivals.compute(
                        added.directoryId(),
                        (d, before) -> before == null ? new Arrival(added, its) : before.plus(added, its));
                sumOfFiles = sumOfFiles.plus(file.path(), file.length());
                sum = sum.plus(its.content());
            }
        }
        SortedMap<Long, PartitionIndex> all = new TreeMap<>(byDirectory);
        arrivals.forEach((id, arrival) -> {
            PartitionIndex known = all.getOrDefault(id, PartitionIndex.empty(codec, arrival.directory));
            all.put(id, known.plus(arrival.files, arrival.summary));
        });
        return new GroupIndex(all, sumOfFiles, sum);
    }

    /** This index without some of its files. Those that it does not have are left out. */
    GroupIndex minus(StatisticsCodec codec, List<GroupFile> gone) {
        SortedMap<Long, PartitionIndex> all = new TreeMap<>(byDirectory);
        FileTotals sumOfFiles = totals;
        ContentHashes sum = content;
        for (GroupFile removed : gone) {
            PartitionIndex partition = byDirectory.get(removed.directoryId());
            DataFile file = partition != null && partition.holds(removed.file().getId())
                    ? StoredStatistics.read(codec, removed.directory(), removed.file())
                    : null;
            if (file != null) {
                sumOfFiles = sumOfFiles.minus(file.path(), file.length());
                sum = sum.minus(ContentHashes.of(file.statistics().content()));
            }
        }
        ids(gone).forEach((id, files) -> {
            PartitionIndex partition = all.remove(id);
            PartitionIndex rest = partition == null ? null : partition.minus(files);
            if (rest != null && rest.size() > 0) {
                all.put(id, rest);
            }
        });
        return new GroupIndex(all, sumOfFiles, sum);
    }

    /** Some of these files, by directory. */
    List<PartitionIndex> only(List<GroupFile> some) {
        List<PartitionIndex> partitions = new ArrayList<>();
        ids(some).forEach((id, files) -> {
            PartitionIndex partition = byDirectory.get(id);
            if (partition != null) {
                partitions.add(partition.only(files));
            }
        });
        return partitions;
    }

    /** The inode ids of files by those of their directories. */
    private static SortedMap<Long, Set<Long>> ids(List<GroupFile> files) {
        SortedMap<Long, Set<Long>> ids = new TreeMap<>();
        files.forEach(f -> ids.computeIfAbsent(f.directoryId(), d -> new HashSet<>())
                .add(f.file().getId()));
        return ids;
    }

    /** Files that are added to one directory, and their common statistics. */
    private static final class Arrival {
        private final String directory;
        private final List<INodeFile> files = new ArrayList<>();
        private FileStatistics summary;

        Arrival(GroupFile first, FileStatistics statistics) {
            directory = first.directory();
            files.add(first.file());
            summary = statistics;
        }

        Arrival plus(GroupFile next, FileStatistics statistics) {
            files.add(next.file());
            summary = summary.union(statistics);
            return this;
        }
    }

    /** What is done with each file. */
    public interface Visitor {
        /** @param header what is read first of the file */
        void visit(GroupFile file, Header header);
    }

    /** Visits all files whose attribute can be read. Reads the attribute of each file. */
    public void each(Visitor visitor) {
        byDirectory.forEach((id, partition) -> {
            for (INodeFile file : partition.inodes()) {
                Header header = StoredStatistics.header(file);
                if (header != null) {
                    visitor.visit(new GroupFile(id, partition.directory(), file), header);
                }
            }
        });
    }

    /** The files that the other index does not have. Looks at those directories alone in which the indexes differ. */
    public List<GroupFile> minus(GroupIndex other) {
        List<GroupFile> own = new ArrayList<>();
        byDirectory.forEach((id, partition) -> {
            PartitionIndex its = other.byDirectory.get(id);
            List<INodeFile> files = its != null && its.directory().equals(partition.directory())
                    ? partition.minus(its)
                    : partition.inodes();
            files.forEach(file -> own.add(new GroupFile(id, partition.directory(), file)));
        });
        return own;
    }

    /** The number of segments. Reads the attribute of each file when it is first asked for. */
    public int segments() {
        int known = segments;
        if (known < 0) {
            Set<String> ids = new HashSet<>();
            each((file, header) -> ids.add(header.commitId()));
            known = ids.size();
            segments = known;
        }
        return known;
    }

    /** The partitions, in a fixed order. */
    public Collection<PartitionIndex> partitions() {
        return byDirectory.values();
    }

    /**
     * True when these files are all that was committed to the group, and nothing else is here.
     *
     * @param isLossy whether the group has rounded values: what was committed may be stated as other groups have it, and the numbers of
     *     files and records tell then
     */
    public boolean isAllOf(CommittedContent.Group committed, boolean isLossy) {
        return committed.files() == files() && LossyGroups.holds(isLossy, content, committed.content());
    }

    /** By the inode id of the directory. */
    public SortedMap<Long, PartitionIndex> byDirectory() {
        return byDirectory;
    }

    public FileTotals totals() {
        return totals;
    }

    /** The number of files. */
    public int files() {
        return Math.toIntExact(totals.files());
    }

    public long bytes() {
        return totals.bytes();
    }

    public ContentHashes content() {
        return content;
    }

    /** The files of a directory, by the inode id of the directory; null if none were published there. */
    @Nullable
    PartitionIndex partition(long directoryId) {
        return byDirectory.get(directoryId);
    }

    /** True if the other index has exactly these files. */
    boolean isSame(GroupIndex other) {
        return files() == other.files()
                && byDirectory.keySet().equals(other.byDirectory.keySet())
                && byDirectory.entrySet().stream().allMatch(e -> {
                    PartitionIndex its = other.byDirectory.get(e.getKey());
                    return its != null && e.getValue().isSame(its);
                });
    }
}
