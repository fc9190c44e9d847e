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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.columnar.merge.MergeResult.MergedFile;
import org.hadoopmpsr.columnar.merge.RecordMerger.UncheckedFilesException;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ReadContent;

/**
 * Local files that a merge writes and reads again: sorted files of small row groups. They are deleted when this is closed.
 * For one thread.
 */
final class ScratchFiles implements AutoCloseable {
    /** A scratch file is one file, however long. */
    private static final FileSize WHOLE = new FileSize(1L << 40);

    private final MergeLimits limits;
    private final MergeColumns columns;
    private final MergePass pass;
    private final Path directory;
    private int runs;

    /** @param pass how scratch files are written */
    ScratchFiles(MergeLimits limits, MergeColumns columns, MergePass pass) throws IOException {
        this.limits = limits;
        this.columns = columns;
        this.pass = pass;
        directory = Files.createTempDirectory(limits.scratch(), "mpsr-merge-");
    }

    /**
     * What is to be merged.
     *
     * @param read the content hash of the records that were read on the way, of the files to merge
     * @param duplicates the content hash of those that were left out on the way because another one has the same key
     */
    record Sources(List<MergeSource> sources, ReadContent read, ContentHash duplicates) {}

    /** The group as scratch files are written: compressed quickly. */
    static ReplicaGroup group(ReplicaGroup group) {
        return new ReplicaGroup(
                group.name(), group.predicates(), group.sort(), group.replication(), Codec.parse("zstd:1"));
    }

    /** How many rows a row group of a scratch file may have. */
    static int mostRows(MergeLimits limits, MergeColumns columns) {
        return (int) Math.min(
                1 << 20,
                Math.max(
                        64, rowGroupBytes(limits) / Long.BYTES / columns.files().size()));
    }

    private static long rowGroupBytes(MergeLimits limits) {
        return Math.max(64 << 10, limits.batchBytes() / 32);
    }

    /** The same records, but for duplicates, in so few files that they can be read at a time. */
    Sources few(List<MergeSource> sources) throws IOException, UncheckedFilesException {
        List<MergeSource> left = sources;
        ReadContent read = ReadContent.EMPTY;
        ContentHash duplicates = ContentHash.EMPTY;
        for (List<List<MergeSource>> parts = parts(left); parts.size() > 1; parts = parts(left)) {
            List<MergeSource> next = new ArrayList<>();
            for (List<MergeSource> part : parts) {
                if (part.size() == 1) {
                    next.add(part.get(0));
                } else {
                    MergeResult merged = pass.run(part, this::create, "run-" + runs++, 0, WHOLE);
                    read = read.plus(merged.read());
                    duplicates = duplicates.plus(merged.duplicates());
                    int segment = part.get(part.size() - 1).segment();
                    merged.files().forEach(file -> next.add(source(file, segment)));
                    if (left != sources) { // the caller needs those again if a later part has unchecked files
                        for (MergeSource source : part) {
                            source.delete();
                        }
                    }
                }
            }
            left = next;
        }
        return new Sources(left, read, duplicates);
    }

    /**
     * Neighbours that can be read together; of several parts, one has at least two files. A part has whole segments or files of
     * one segment alone, so that the record of a key that is kept can be chosen part by part.
     */
    private List<List<MergeSource>> parts(List<MergeSource> sources) {
        List<List<MergeSource>> parts = new ArrayList<>();
        for (int from = 0; from < sources.size(); ) {
            int to = end(sources, from);
            parts.add(sources.subList(from, to));
            from = to;
        }
        return parts;
    }

    /** Where the part ends that begins with a file, exclusively. */
    private int end(List<MergeSource> sources, int from) {
        long most = limits.memoryBytes() - limits.batchBytes();
        boolean isRest = isInSegment(sources, from);
        int to = from;
        long bytes = 0;
        while (to < sources.size()
                && (to - from < 2 || bytes + sources.get(to).memoryBytes() <= most)
                && !(isRest && to > from && !isInSegment(sources, to))) {
            bytes += sources.get(to).memoryBytes();
            to++;
        }
        int start = to;
        while (start > from && isInSegment(sources, start)) {
            start--;
        }
        return start > from ? start : to;
    }

    /** True if the file belongs to the segment of the file before it. */
    private static boolean isInSegment(List<MergeSource> sources, int place) {
        return place > 0
                && place < sources.size()
                && sources.get(place - 1).segment() == sources.get(place).segment();
    }

    /** The same records, with sorted files in the place of some whose order is not known. */
    Sources sorted(List<MergeSource> sources, Set<MergeSource> unchecked) throws IOException {
        FileSorter sorter = new FileSorter(pass, columns, limits);
        List<MergeSource> sorted = new ArrayList<>();
        ReadContent read = ReadContent.EMPTY;
        for (MergeSource source : sources) {
            if (!unchecked.contains(source)) {
                sorted.add(source);
            } else if (sorter.isSorted(source)) {
                sorted.add(source.sorted());
            } else {
                MergeResult result = sorter.sort(source, this::create, "run-" + runs++);
                read = read.plus(result.read());
                result.files().forEach(file -> sorted.add(source(file, source.segment())));
            }
        }
        return new Sources(sorted, read, ContentHash.EMPTY);
    }

    private OutputFile create(String relativePath) throws IOException {
        Path path = directory.resolve(relativePath);
        Files.createDirectories(path.getParent());
        return new LocalOutputFile(path);
    }

    private MergeSource source(MergedFile file, int segment) {
        Path path = directory.resolve(file.relativePath());
        long page = Math.min(ColumnarParquetFile.PAGE_VALUES_BYTES, (long) Long.BYTES * mostRows(limits, columns));
        MergeInput input = new MergeInput(
                path.toString(),
                new LocalInputFile(path),
                file.statistics().commitId(),
                file.statistics().content());
        return new MergeSource(
                input,
                segment,
                true,
                rowGroupBytes(limits) + page * columns.files().size(),
                path);
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(directory)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
