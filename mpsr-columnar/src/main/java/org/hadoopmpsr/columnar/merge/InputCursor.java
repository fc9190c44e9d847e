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
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.layout.KeyValues;
import org.hadoopmpsr.columnar.path.PathValues;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.jspecify.annotations.Nullable;

/**
 * A sorted file that is merged. The columns that it is sorted by are read ahead in chunks; the other columns follow when a
 * batch is full or the file comes to the next row group. For one thread.
 */
final class InputCursor implements Closeable {
    private final int number;
    private final String path;
    private final MergeColumns columns;
    private final MergeBatch batch;
    private final ColumnFile file;
    private final List<Integer> ahead;
    private final ColumnVector[] read;
    /** The values of the columns and paths that files are sorted by, in the order of the sort keys. */
    private final ColumnVector[] sources;

    /** What is compared: these values, or bits of them. */
    private final ColumnVector[] keys;

    private final List<PathValues> paths;
    private final int chunkRows;

    /** Where the next record of the chunk is, from 1; the last record of the chunk before is at 0. */
    private int head;

    private int end;
    private boolean hasBefore;
    private long leftInGroup;

    /** Where records lie in the batch whose other columns are not read yet: pairs of a row and a number of rows. */
    private int[] pending = new int[32];

    private int pendingSize;

    /** @param number orders records with equal keys */
    InputCursor(int number, MergeInput input, MergeColumns columns, MergeBatch batch, int chunkRows)
            throws IOException {
        this.number = number;
        this.columns = columns;
        this.batch = batch;
        this.chunkRows = chunkRows;
        path = input.path();
        ahead = columns.sortedFrom();
        read = ahead.stream().map(place -> like(batch.vector(place))).toArray(ColumnVector[]::new);
        sources = columns.sort().stream().map(key -> source(key.place())).toArray(ColumnVector[]::new);
        keys = new ColumnVector[sources.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = columns.sort().get(i).bits() == null ? sources[i] : new LongVector();
        }
        for (ColumnVector[] some : List.of(read, sources, keys)) {
            for (ColumnVector vector : some) {
                vector.reserve(chunkRows + 1);
            }
        }
        paths = columns.pathValues();
        file = ColumnFile.open(path, input.file(), columns.files(), batch.vectors());
    }

    /** The columns that are read, and what is within them. */
    private ColumnVector source(int place) {
        int column = ahead.indexOf(place);
        return column >= 0 ? read[column] : like(batch.vector(place));
    }

    private static ColumnVector like(ColumnVector vector) {
        if (vector instanceof StringVector strings) {
            return strings.like();
        }
        if (vector instanceof LongVector) {
            return new LongVector();
        }
        return vector instanceof DoubleVector ? new DoubleVector() : new BooleanVector();
    }

    /** True if MPSR wrote the file, which is sorted then. */
    boolean isOfCommit() {
        return file.isOfCommit();
    }

    int number() {
        return number;
    }

    /** True if the chunk has records that are not taken. */
    boolean hasRows() {
        return head < end;
    }

    /**
     * Reads the next chunk, when all records of the one before are taken.
     *
     * @return false at the end of the file
     * @throws IOException if the file is not sorted, among others
     */
    boolean nextChunk() throws IOException {
        if (leftInGroup == 0) {
            readPending();
            leftInGroup = file.nextRowGroup();
            if (leftInGroup == 0) {
                return false;
            }
        }
        hasBefore = end > 0;
        int rows = (int) Math.min(leftInGroup, chunkRows);
        for (int i = 0; i < read.length; i++) {
            if (hasBefore) {
                read[i].copyRows(read[i], end - 1, 0, 1);
            }
            file.read(ahead.get(i), read[i], 1, rows);
        }
        fillKeys(hasBefore ? 0 : 1, rows + 1);
        leftInGroup -= rows;
        head = 1;
        end = rows + 1;
        checkOrder();
        return true;
    }

    /** Fills the keys that are values within columns, and those that are bits. */
    private void fillKeys(int from, int to) {
        for (int i = 0; i < keys.length; i++) {
            MergeColumns.Key key = columns.sort().get(i);
            int path = key.place() - columns.files().size();
            if (path >= 0) {
                NestedVector structs = (NestedVector)
                        read[ahead.indexOf(columns.paths().get(path).root())];
                paths.get(path).fill(structs, from, sources[i], from, to - from);
            }
            if (keys[i] != sources[i]) {
                new KeyValues(sources[i], key.bits()).fill(from, (LongVector) keys[i], from, to - from);
            }
        }
    }

    private void checkOrder() throws IOException {
        for (int row = hasBefore ? 1 : 2; row < end; row++) {
            if (compare(row - 1, this, row) > 0) {
                throw new UnsortedFileException(path);
            }
        }
    }

    /** Compares the next records of two files; of equal ones that of the file with the lower number is less. */
    boolean isBefore(InputCursor other) {
        int order = compare(head, other, other.head);
        return order < 0 || order == 0 && number < other.number;
    }

    private int compare(int row, InputCursor other, int otherRow) {
        for (int i = 0; i < keys.length; i++) {
            int order = keys[i].compare(row, other.keys[i], otherRow);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** How many of the next records, at least one and {@code most} at most, come before the next record of another file. */
    int runBefore(InputCursor other, int most) {
        int from = head;
        int limit = Math.min(end, head + most);
        int bound = number < other.number ? 1 : 0;
        int step = 1;
        int last = from; // surely before the other
        while (last + step < limit && compare(last + step, other, other.head) < bound) {
            last += step;
            step *= 2;
        }
        int stop = Math.min(limit, last + step); // not before the other, or behind the last that may be taken
        while (stop - last > 1) {
            int middle = (last + stop) >>> 1;
            if (compare(middle, other, other.head) < bound) {
                last = middle;
            } else {
                stop = middle;
            }
        }
        return last + 1 - from;
    }

    /** How many records of the chunk are not taken. */
    int rowsLeft() {
        return end - head;
    }

    /** Moves the next records to the end of the batch. */
    void take(int count) {
        int at = batch.append(count);
        for (int i = 0; i < read.length; i++) {
            batch.vector(ahead.get(i)).copyRows(read[i], head, at, count);
        }
        head += count;
        if (pendingSize > 0 && pending[pendingSize - 2] + pending[pendingSize - 1] == at) {
            pending[pendingSize - 1] += count;
            return;
        }
        if (pendingSize == pending.length) {
            pending = Arrays.copyOf(pending, pendingSize * 2);
        }
        pending[pendingSize++] = at;
        pending[pendingSize++] = count;
    }

    /** Reads the other columns of the records that were taken, and fills their paths. */
    void readPending() throws IOException {
        for (int place = 0; place < columns.files().size(); place++) {
            if (!ahead.contains(place)) {
                ColumnVector into = batch.vector(place);
                for (int i = 0; i < pendingSize; i += 2) {
                    file.read(place, into, pending[i], pending[i + 1]);
                }
            }
        }
        for (int i = 0; i < pendingSize; i += 2) {
            batch.fillPaths(pending[i], pending[i + 1]);
        }
        pendingSize = 0;
    }

    /** Marks the strings of a column's dictionary that the chunk and the rest of the file may need. */
    void markUsed(int place, BitSet used) {
        file.markUsed(place, used);
        StringVector strings = chunk(place);
        if (strings != null) {
            for (int row = hasBefore ? 0 : 1; row < end; row++) {
                if (!strings.isNull(row)) {
                    used.set(strings.ids()[row]);
                }
            }
        }
    }

    /** What the chunk has of a column or path with a dictionary; null if it is not read ahead. */
    private @Nullable StringVector chunk(int place) {
        if (ahead.contains(place)) {
            return (StringVector) read[ahead.indexOf(place)];
        }
        int sorted = columns.sort().indexOf(new MergeColumns.Key(place, null));
        return sorted < 0 ? null : (StringVector) sources[sorted];
    }

    /** The strings of a column's dictionary have other numbers now. */
    void renumber(int place, int[] byOldNumber) {
        file.renumber(place, byOldNumber);
        StringVector strings = chunk(place);
        if (strings != null) {
            for (int row = hasBefore ? 0 : 1; row < end; row++) {
                if (!strings.isNull(row)) {
                    strings.ids()[row] = byOldNumber[strings.ids()[row]];
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
