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

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentSum;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;

/**
 * The records of a batch that are kept, in their order: one of those with equal key columns, see {@link PartitionMerge#merge}.
 * Those of a key have equal sort keys, because files are sorted by key columns alone; those at the end of a batch may have
 * more of their key to come. For one thread.
 */
final class KeptRecords {
    private final MergeBatch batch;

    /** The places of key columns whose values files are not sorted by. */
    private final int[] others;

    /** The places of all columns that are no keys, in the order of the schema. */
    private final int[] values;

    private final boolean all;
    private final int[] order;
    private final ContentSum leftOut = new ContentSum(HashKind.CURRENT);
    private int size;
    private int decided;

    /** @param keys the key columns; none if all records are kept */
    KeptRecords(MergeBatch batch, MergeColumns columns, Schema schema, List<String> keys) {
        this.batch = batch;
        all = keys.isEmpty();
        Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        known.addAll(keys);
        others = keys.stream()
                .mapToInt(columns::place)
                .filter(place -> place >= 0 && !columns.sort().contains(new MergeColumns.Key(place, null)))
                .toArray();
        values = schema.columns().stream()
                .filter(column -> !known.contains(column.name()))
                .mapToInt(column -> columns.place(column.name()))
                .filter(place -> place >= 0)
                .toArray();
        order = new int[batch.capacity()];
    }

    /** Decides on the records of the batch. */
    void decide(boolean isLast) {
        size = 0;
        decided = all || isLast ? batch.rows() : lastRun();
        if (all) {
            Arrays.setAll(order, row -> row);
            size = decided;
            return;
        }
        for (int row = 0; row < decided; ) {
            int end = row + 1;
            while (end < decided && batch.isSameKey(row, end)) {
                end++;
            }
            keep(row, end);
            row = end;
        }
        addLeftOut();
    }

    /** The first of the records at the end of the batch that have the same sort columns. */
    private int lastRun() {
        int row = Math.max(0, batch.rows() - 1);
        while (row > 0 && batch.isSameKey(row - 1, row)) {
            row--;
        }
        return row;
    }

    /** Of records with equal sort columns. */
    private void keep(int from, int to) {
        if (to - from == 1) {
            order[size++] = from;
            return;
        }
        if (others.length == 0) {
            int best = from;
            for (int row = from + 1; row < to; row++) {
                best = better(best, row);
            }
            order[size++] = best;
            return;
        }
        Integer[] byKey = new Integer[to - from];
        Arrays.setAll(byKey, i -> from + i);
        Arrays.sort(byKey, (row, other) -> compare(others, row, other));
        int first = size;
        int best = byKey[0];
        for (int i = 1; i < byKey.length; i++) {
            if (compare(others, byKey[i - 1], byKey[i]) == 0) {
                best = better(best, byKey[i]);
            } else {
                order[size++] = best;
                best = byKey[i];
            }
        }
        order[size++] = best;
        Arrays.sort(order, first, size);
    }

    /** Which of two records with equal keys is kept. */
    private int better(int row, int other) {
        int[] segments = batch.segments();
        int compared = Integer.compare(segments[row], segments[other]);
        if (compared == 0) {
            compared = compare(values, row, other);
        }
        if (compared == 0) {
            // values that compare as equal and are not, such as 0.0 and -0.0
            compared = Long.compareUnsigned(batch.high()[row], batch.high()[other]);
        }
        if (compared == 0) {
            compared = Long.compareUnsigned(batch.low()[row], batch.low()[other]);
        }
        return compared >= 0 ? row : other;
    }

    private int compare(int[] places, int row, int other) {
        for (int place : places) {
            int compared = batch.vector(place).compare(row, batch.vector(place), other);
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    private void addLeftOut() {
        int kept = 0;
        for (int row = 0; row < decided; row++) {
            if (kept < size && order[kept] == row) {
                kept++;
            } else {
                leftOut.add(batch.high()[row], batch.low()[row]);
            }
        }
    }

    /** The rows that are kept; those from {@link #size} on mean nothing. */
    int[] order() {
        return order;
    }

    /** How many rows are kept. */
    int size() {
        return size;
    }

    /** So many of the first rows of the batch are decided. */
    int decided() {
        return decided;
    }

    /** The content hash of all records that were left out so far. */
    ContentHash leftOut() {
        return leftOut.result();
    }

    /**
     * Removes the decided rows of the batch, but for those that are kept and not written. Of these the batch has no other one
     * with the same key then.
     *
     * @param written how many of the kept rows are written, the first ones
     */
    void remove(int written) {
        int to = decided;
        for (int i = size - 1; i >= written; i--) {
            batch.move(order[i], --to);
        }
        batch.removeFirst(to);
    }
}
