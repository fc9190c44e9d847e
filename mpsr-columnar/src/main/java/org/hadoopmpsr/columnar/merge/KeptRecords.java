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

/**
 * The records of a batch that are kept, in their order: of records with equal key columns the last one. Those of a key lie
 * together, because files are sorted by key columns alone; those at the end of a batch may have more of their key to come. For
 * one thread.
 */
final class KeptRecords {
    private final MergeBatch batch;

    /** The places of key columns that files are not sorted by. */
    private final int[] others;

    private final boolean all;
    private final int[] order;
    private int size;
    private int decided;

    /** @param keys the key columns; none if all records are kept */
    KeptRecords(MergeBatch batch, MergeColumns columns, List<String> keys) {
        this.batch = batch;
        all = keys.isEmpty();
        others = keys.stream()
                .mapToInt(columns::place)
                .filter(place -> place >= 0 && !columns.sort().contains(place))
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
        if (to - from == 1 || others.length == 0) {
            order[size++] = to - 1;
            return;
        }
        Integer[] byKey = new Integer[to - from];
        Arrays.setAll(byKey, i -> from + i);
        Arrays.sort(byKey, this::compareOthers); // stable: the last of equal ones stays the last
        int first = size;
        for (int i = 0; i < byKey.length; i++) {
            if (i + 1 == byKey.length || compareOthers(byKey[i], byKey[i + 1]) != 0) {
                order[size++] = byKey[i];
            }
        }
        Arrays.sort(order, first, size);
    }

    private int compareOthers(int row, int other) {
        for (int place : others) {
            int compared = batch.vector(place).compare(row, batch.vector(place), other);
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
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

    /** The rows of the batch from a place in the order on are to be decided anew. */
    void giveBack(int place) {
        if (place < size) {
            decided = order[place];
            size = place;
        }
    }
}
