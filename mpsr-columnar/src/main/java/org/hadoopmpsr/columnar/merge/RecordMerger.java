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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.ContentSum;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.ReadContent;

/**
 * Merges sorted files into batches: always a run of records of one file that come before the next record of every other
 * file. Records with equal keys keep the order of their files, and their order in a file. For one thread.
 */
final class RecordMerger implements Closeable {
    private final List<MergeSource> sources;
    private final MergeBatch batch;
    private final List<InputCursor> cursors = new ArrayList<>();
    private final CursorQueue queue;
    private final RowHasher current;

    /** Of each file, in the kind that is stated of it. */
    private final List<ContentSum> sums = new ArrayList<>();

    /** Of the files of which another kind is stated. */
    private final ContentSum rehashed = new ContentSum(HashKind.CURRENT);

    private final Map<HashKind, RowHasher> others = new EnumMap<>(HashKind.class);
    private final long[] otherHigh;
    private final long[] otherLow;

    /** The runs of the batch whose records are not hashed yet: pairs of a file and a number of records. */
    private int[] runs = new int[64];

    private int runsSize;

    /** Nobody knows whether some files are sorted. Nothing is written yet. */
    static final class UncheckedFilesException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Set<MergeSource> files;

        private UncheckedFilesException(Set<MergeSource> files) {
            super(files.size() + " files that MPSR has not written");
            this.files = files;
        }

        Set<MergeSource> files() {
            return files;
        }
    }

    /** @param hashers makes what hashes the records of the batch in one way */
    RecordMerger(
            List<MergeSource> sources,
            MergeColumns columns,
            MergeBatch batch,
            Function<HashKind, RowHasher> hashers,
            int chunkRows)
            throws IOException, UncheckedFilesException {
        this.sources = sources;
        this.batch = batch;
        queue = new CursorQueue(sources.size());
        current = hashers.apply(HashKind.CURRENT);
        for (MergeSource source : sources) {
            HashKind kind = source.input().content().kind();
            sums.add(new ContentSum(kind));
            if (kind != HashKind.CURRENT) {
                others.computeIfAbsent(kind, hashers);
            }
        }
        otherHigh = new long[others.isEmpty() ? 0 : batch.capacity()];
        otherLow = new long[otherHigh.length];
        try {
            open(columns, chunkRows);
        } catch (IOException | RuntimeException | UncheckedFilesException e) {
            close();
            throw e;
        }
    }

    private void open(MergeColumns columns, int chunkRows) throws IOException, UncheckedFilesException {
        Set<MergeSource> unchecked = new LinkedHashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            InputCursor cursor = new InputCursor(i, sources.get(i).input(), columns, batch, chunkRows);
            cursors.add(cursor);
            if (!sources.get(i).isSorted() && !cursor.isOfCommit()) {
                unchecked.add(sources.get(i));
            }
        }
        if (!unchecked.isEmpty()) {
            throw new UncheckedFilesException(unchecked);
        }
        for (InputCursor cursor : List.copyOf(cursors)) {
            if (cursor.nextChunk()) {
                queue.add(cursor);
            } else {
                ended(cursor);
            }
        }
    }

    /** True when all records are in the batch or were. */
    boolean isDone() {
        return queue.isEmpty();
    }

    /**
     * Fills the batch as far as it has room and there are records.
     *
     * @throws IOException if a file cannot be read, or does not hold what is stated of it
     */
    void fill() throws IOException {
        int row = batch.rows();
        while (batch.room() > 0 && !queue.isEmpty()) {
            takeRun();
        }
        for (InputCursor cursor : cursors) {
            cursor.readPending();
        }
        hash(row);
        if (isDone()) {
            checkContents();
        }
    }

    private void takeRun() throws IOException {
        InputCursor first = queue.first();
        InputCursor second = queue.second();
        int most = Math.min(batch.room(), first.rowsLeft());
        int count = second == null ? most : first.runBefore(second, most);
        note(first.number(), count);
        first.take(count);
        if (first.hasRows()) {
            queue.firstChanged();
        } else if (first.nextChunk()) {
            queue.firstChanged();
        } else {
            queue.removeFirst();
            ended(first);
        }
    }

    private void note(int input, int count) {
        if (runsSize > 0 && runs[runsSize - 2] == input) {
            runs[runsSize - 1] += count;
            return;
        }
        if (runsSize == runs.length) {
            runs = Arrays.copyOf(runs, runsSize * 2);
        }
        runs[runsSize++] = input;
        runs[runsSize++] = count;
    }

    /** Hashes the records from a row on, which are the runs, and notes their segments. */
    private void hash(int from) {
        int row = from;
        for (int i = 0; i < runsSize; i += 2) {
            int end = row + runs[i + 1];
            Arrays.fill(batch.segments(), row, end, sources.get(runs[i]).segment());
            ContentSum sum = sums.get(runs[i]);
            RowHasher other = others.get(sources.get(runs[i]).input().content().kind());
            for (; row < end; row++) {
                current.hash(row, batch.high(), batch.low());
                if (other == null) {
                    sum.add(batch.high()[row], batch.low()[row]);
                } else {
                    other.hash(row, otherHigh, otherLow);
                    sum.add(otherHigh[row], otherLow[row]);
                    rehashed.add(batch.high()[row], batch.low()[row]);
                }
            }
        }
        runsSize = 0;
    }

    private void checkContents() throws IOException {
        for (int i = 0; i < sources.size(); i++) {
            sources.get(i).input().check(sums.get(i).result());
        }
    }

    /** The file is read to its end, with all columns: forget it. */
    private void ended(InputCursor cursor) throws IOException {
        cursors.remove(cursor);
        cursor.close();
    }

    /** The content of the records that were read of the files to merge. */
    ReadContent read() {
        ContentHashes stated = ContentHashes.of(IntStream.range(0, sources.size())
                .filter(i -> sources.get(i).isOriginal())
                .mapToObj(i -> sums.get(i).result())
                .toList());
        return new ReadContent(stated, rehashed.result());
    }

    /** The files that are not read to their end. */
    List<InputCursor> open() {
        return cursors;
    }

    @Override
    public void close() throws IOException {
        IOException first = null;
        for (InputCursor cursor : cursors) {
            try {
                cursor.close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
