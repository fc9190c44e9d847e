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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.layout.LogicalVectors;
import org.hadoopmpsr.columnar.path.PathValues;
import org.hadoopmpsr.core.schema.Column;

/** The merged records that are in memory, in their order. For one thread. */
public final class MergeBatch implements LogicalVectors {
    private static final int[] NO_RANKS = {};
    private static final int HASH_BYTES = 2 * Long.BYTES;

    private final MergeColumns columns;
    private final List<ColumnVector> vectors = new ArrayList<>();
    private final List<PathValues> paths;
    private final int[][] ranks;
    private final int capacity;
    private final long[] high;
    private final long[] low;
    private final int[] segments;
    private int rows;

    /** @param bytes about the memory that the records may take */
    public MergeBatch(MergeColumns columns, long bytes) {
        this.columns = columns;
        ranks = new int[columns.all().size()][];
        long rowBytes = HASH_BYTES + 2 * Integer.BYTES;
        for (Column column : columns.all()) {
            ColumnVector vector = ColumnVector.of(column.type());
            vectors.add(vector);
            rowBytes += vector.bytesPerRow();
        }
        capacity = (int) Math.max(16, Math.min(Integer.MAX_VALUE - 64, bytes / rowBytes));
        high = new long[capacity];
        low = new long[capacity];
        segments = new int[capacity];
        vectors.forEach(vector -> vector.reserve(capacity));
        paths = columns.pathValues();
    }

    /** How many records it has. */
    public int rows() {
        return rows;
    }

    /** How many records it has room for yet. */
    public int room() {
        return capacity - rows;
    }

    /** The most records that it can have. */
    public int capacity() {
        return capacity;
    }

    /** Fills the values of the paths of records whose columns are filled. */
    public void fillPaths(int from, int count) {
        for (int i = 0; i < paths.size(); i++) {
            NestedVector structs =
                    (NestedVector) vectors.get(columns.paths().get(i).root());
            paths.get(i).fill(structs, from, vectors.get(columns.files().size() + i), from, count);
        }
    }

    /** Makes place for records at the end; returns the row of the first. */
    public int append(int count) {
        int at = rows;
        rows += count;
        return at;
    }

    /** The values of the column or path at a place. */
    public ColumnVector vector(int place) {
        return vectors.get(place);
    }

    /** The values of the files' columns, in their order, and of the paths after them. */
    public List<ColumnVector> vectors() {
        return vectors;
    }

    /** The upper halves of the hashes of the records. */
    public long[] high() {
        return high;
    }

    /** The lower halves of the hashes of the records. */
    public long[] low() {
        return low;
    }

    /** The places of the records' segments among those that are merged. */
    int[] segments() {
        return segments;
    }

    @Override
    public ColumnVector vector(String column) {
        return vectors.get(columns.place(column));
    }

    /** As the dictionary is now: files that come in make it longer. */
    @Override
    public int[] ranks(String column) {
        int place = columns.place(column);
        if (!(vectors.get(place) instanceof StringVector strings)) {
            return NO_RANKS;
        }
        int[] known = ranks[place];
        if (known == null || known.length != strings.dictionary().size()) {
            known = strings.dictionary().ranks();
            ranks[place] = known;
        }
        return known;
    }

    /** The dictionaries have other numbers now. */
    void forgetRanks() {
        Arrays.fill(ranks, null);
    }

    /** Removes the first records. */
    public void removeFirst(int count) {
        int rest = rows - count;
        for (ColumnVector vector : vectors) {
            vector.copyRows(vector, count, 0, rest);
        }
        System.arraycopy(high, count, high, 0, rest);
        System.arraycopy(low, count, low, 0, rest);
        System.arraycopy(segments, count, segments, 0, rest);
        rows = rest;
    }

    /** Puts a record in the place of another one. */
    void move(int row, int to) {
        if (row == to) {
            return;
        }
        for (ColumnVector vector : vectors) {
            vector.copyRows(vector, row, to, 1);
        }
        high[to] = high[row];
        low[to] = low[row];
        segments[to] = segments[row];
    }

    /** Compares two records by what files are sorted by. */
    boolean isSameKey(int row, int other) {
        for (MergeColumns.Key key : columns.sort()) {
            ColumnVector vector = vectors.get(key.place());
            boolean same = key.bits() == null
                    ? vector.compare(row, vector, other) == 0
                    : key.values(vectors).same(row, other);
            if (!same) {
                return false;
            }
        }
        return true;
    }
}
