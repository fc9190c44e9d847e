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
package org.hadoopmpsr.columnar.pack;

import java.util.Arrays;
import org.hadoopmpsr.columnar.layout.StableSort;

/**
 * Numbers the distinct values of a column chunk in ascending order. Values come as keys, whose order is that of the values; two
 * values are one only if their keys are equal. For one thread.
 */
public final class KeyNumbers {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** An open table, at most half full: for each slot a key, and its number from 1, or 0 where there is none. */
    private long[] table = {};

    private int slots;
    private int most;
    private long[] keys = {};
    private int[] numbers = {};
    private int size;
    private int count;

    /**
     * Begins a chunk.
     *
     * @param values how many values it has at most
     * @param distinct how many distinct keys it may have
     */
    public void begin(int values, int distinct) {
        most = distinct;
        slots = Integer.highestOneBit(Math.max(2, 2 * distinct - 1)) * 2;
        if (table.length < slots * 2) {
            table = new long[slots * 2];
        } else {
            Arrays.fill(table, 0, slots * 2, 0);
        }
        if (keys.length <= distinct) {
            keys = new long[distinct + 1];
        }
        size = 0;
        count = 0;
        if (numbers.length < values) {
            numbers = new int[values];
        }
    }

    /**
     * Adds the next values of the chunk.
     *
     * @return false if it has too many distinct keys; the values are of no use then
     */
    public boolean add(long[] next, int length) {
        for (int i = 0; i < length; i++) {
            numbers[count++] = number(next[i]);
            if (size > most) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds a key of which the chunk need not have a value.
     *
     * @return false if it has too many distinct keys
     */
    public boolean addKey(long key) {
        number(key);
        return size <= most;
    }

    /** True if a value has the key. */
    public boolean has(long key) {
        return table[slot(key) + 1] != 0;
    }

    private int number(long key) {
        int slot = slot(key);
        if (table[slot + 1] == 0) {
            keys[size] = key;
            table[slot] = key;
            table[slot + 1] = ++size;
        }
        return (int) table[slot + 1] - 1;
    }

    /** Where in the table the key is, or would be put. */
    private int slot(long key) {
        int mask = slots - 1;
        int slot = (int) ((key ^ key >>> 32) * SPREAD >>> Long.numberOfLeadingZeros(mask));
        while (table[2 * slot + 1] != 0 && table[2 * slot] != key) {
            slot = slot + 1 & mask;
        }
        return 2 * slot;
    }

    /** All values were added: numbers the keys by their order, from 0. */
    public void sort() {
        long[] unsorted = Arrays.copyOf(keys, size);
        int[] order = StableSort.byKey(unsorted);
        int[] places = new int[size];
        for (int i = 0; i < size; i++) {
            keys[i] = unsorted[order[i]];
            places[order[i]] = i;
        }
        for (int i = 0; i < count; i++) {
            numbers[i] = places[numbers[i]];
        }
    }

    /**
     * About the least number of distinct keys of the values of which those that were added are a sample, by how many of these have a key
     * once and twice: A. Chao, "Nonparametric estimation of the number of classes in a population" (1984), without bias.
     */
    public double distinctAtLeast() {
        int[] times = new int[size];
        for (int i = 0; i < count; i++) {
            times[numbers[i]]++;
        }
        double once = 0;
        double twice = 0;
        for (int found : times) {
            once += found == 1 ? 1 : 0;
            twice += found == 2 ? 1 : 0;
        }
        return size + once * (once - 1) / (2 * (twice + 1));
    }

    /** How many keys there are. */
    public int size() {
        return size;
    }

    /** The key of a number, after {@link #sort}. */
    public long key(int number) {
        return keys[number];
    }

    /** The number of each value of the chunk, in the order in which they came. */
    public int[] numbers() {
        return numbers;
    }

    /** How many values were added. */
    public int count() {
        return count;
    }
}
