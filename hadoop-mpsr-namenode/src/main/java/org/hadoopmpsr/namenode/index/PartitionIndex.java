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

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The published files of one directory of a representation. For each file only the inode is kept, and the statistics
 * are read from the inode when they are needed, because a cluster has many millions of files. Immutable, except for
 * changes of the inodes by HDFS.
 */
public final class PartitionIndex implements PartitionFiles {
    /** With fewer files, common statistics are not worth their memory. */
    private static final int MANY = 8;

    private static final Comparator<INodeFile> BY_ID = Comparator.comparingLong(INodeFile::getId);

    private final StatisticsCodec codec;
    private final String directory;
    private final INodeFile[] files;
    private final byte @Nullable [] summary;

    private PartitionIndex(StatisticsCodec codec, String directory, INodeFile[] files, byte @Nullable [] summary) {
        this.codec = codec;
        this.directory = directory;
        this.files = files;
        this.summary = summary;
    }

    /** The index of a directory without files. */
    static PartitionIndex empty(StatisticsCodec codec, String directory) {
        return new PartitionIndex(codec, directory, new INodeFile[0], null);
    }

    /** This index with more files, and their common statistics. */
    PartitionIndex plus(List<INodeFile> more, FileStatistics ofMore) {
        INodeFile[] all =
                Stream.concat(Arrays.stream(files), more.stream()).sorted(BY_ID).toArray(INodeFile[]::new);
        if (all.length < MANY) {
            return new PartitionIndex(codec, directory, all, null);
        }
        FileStatistics known = summary();
        Stream<FileStatistics> before =
                known == null ? Arrays.stream(files).map(f -> read(f).statistics()) : Stream.of(known);
        FileStatistics both = before.reduce(ofMore, FileStatistics::union);
        return new PartitionIndex(codec, directory, all, codec.encode("", 0, 0, both));
    }

    /** This index without some of its files; their common statistics are read anew. */
    PartitionIndex minus(Set<Long> fileIds) {
        INodeFile[] rest =
                Arrays.stream(files).filter(f -> !fileIds.contains(f.getId())).toArray(INodeFile[]::new);
        if (rest.length < MANY) {
            return new PartitionIndex(codec, directory, rest, null);
        }
        FileStatistics both = Arrays.stream(rest)
                .map(f -> read(f).statistics())
                .reduce(FileStatistics::union)
                .orElseThrow();
        return new PartitionIndex(codec, directory, rest, codec.encode("", 0, 0, both));
    }

    /** Some of its files, without common statistics. */
    PartitionIndex only(Set<Long> fileIds) {
        INodeFile[] some =
                Arrays.stream(files).filter(f -> fileIds.contains(f.getId())).toArray(INodeFile[]::new);
        return new PartitionIndex(codec, directory, some, null);
    }

    String directory() {
        return directory;
    }

    int size() {
        return files.length;
    }

    boolean holds(long fileId) {
        int low = 0;
        int high = files.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long id = files[middle].getId();
            if (id == fileId) {
                return true;
            }
            if (id < fileId) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }

    /** The files that the other index does not have. */
    List<INodeFile> minus(PartitionIndex other) {
        if (this == other || files.length == 0) {
            return List.of();
        }
        List<INodeFile> own = new ArrayList<>();
        int next = 0;
        for (INodeFile file : files) {
            while (next < other.files.length && other.files[next].getId() < file.getId()) {
                next++;
            }
            if (next == other.files.length || other.files[next] != file) {
                own.add(file);
            }
        }
        return own;
    }

    /** The paths of the files that are not among these, by inode id. */
    List<String> without(Set<Long> fileIds) {
        return Arrays.stream(files)
                .filter(f -> !fileIds.contains(f.getId()))
                .map(f -> directory + "/" + f.getLocalName())
                .toList();
    }

    /** True if the other index has exactly these files in this directory. */
    boolean isSame(PartitionIndex other) {
        return directory.equals(other.directory)
                && files.length == other.files.length
                && Arrays.equals(files, other.files, (a, b) -> a == b ? 0 : 1);
    }

    @Override
    public @Nullable FileStatistics summary() {
        return summary == null ? null : codec.file(directory, "", 0, summary).statistics();
    }

    @Override
    public List<DataFile> files() {
        return new AbstractList<>() {
            @Override
            public DataFile get(int index) {
                return read(files[index]);
            }

            @Override
            public int size() {
                return files.length;
            }
        };
    }

    /** What is read first of each file; one that was renamed or whose attribute was changed is left out. */
    public Stream<Header> headers() {
        return Arrays.stream(files).map(StoredStatistics::header).filter(Objects::nonNull);
    }

    /** The files as HDFS knows them. */
    public List<INodeFile> inodes() {
        return Collections.unmodifiableList(Arrays.asList(files));
    }

    private DataFile read(INodeFile file) {
        DataFile read = StoredStatistics.read(codec, directory, file);
        if (read == null) {
            throw new ChangedMeanwhileException("the statistics of " + directory + "/" + file.getLocalName()
                    + " were changed or the file was renamed in this moment; ask again");
        }
        return read;
    }
}
