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
package org.hadoopmpsr.columnar.buffer;

import java.util.Arrays;
import org.hadoopmpsr.core.hash.RecordHasher;

/** The vector of a column of strings or binary values: numbers in a dictionary of them. */
public sealed class StringVector extends ColumnVector permits WideDecimalVector, NestedVector {
    private final ByteDictionary dictionary;
    private int[] ids = new int[1024];

    /** A vector with a dictionary of its own. */
    public StringVector() {
        this(new ByteDictionary());
    }

    /** A vector that shares its dictionary with others. */
    public StringVector(ByteDictionary dictionary) {
        this.dictionary = dictionary;
    }

    /** An empty vector of the same class that shares the dictionary. */
    public StringVector like() {
        return new StringVector(dictionary);
    }

    /** The strings. */
    public ByteDictionary dictionary() {
        return dictionary;
    }

    /** The strings' numbers by row; those of null rows mean nothing. Only who fills the vector changes them. */
    public int[] ids() {
        return ids;
    }

    /** Sets a row to the string of that number; the row must be reserved. */
    public void set(int row, int id) {
        ids[row] = id;
        setPresent(row);
    }

    @Override
    public void reserve(int rows) {
        super.reserve(rows);
        if (rows > ids.length) {
            ids = Arrays.copyOf(ids, grown(ids.length, rows));
        }
    }

    @Override
    void copyValue(int from, int to) {
        ids[to] = ids[from];
    }

    @Override
    void copyValues(ColumnVector other, int from, int at, int count) {
        System.arraycopy(((StringVector) other).ids, from, ids, at, count);
    }

    @Override
    int compareValues(int row, ColumnVector other, int otherRow) {
        int id = ids[row];
        int otherId = ((StringVector) other).ids[otherRow];
        return id == otherId ? 0 : dictionary.compare(id, otherId);
    }

    @Override
    boolean sameValue(int row, int other) {
        return ids[row] == ids[other];
    }

    @Override
    public void hash(RecordHasher hasher, int position, int row) {
        int id = ids[row];
        hasher.putString(position, dictionary.bytes(), dictionary.start(id), dictionary.length(id));
    }

    @Override
    public int bytesPerRow() {
        return Integer.BYTES;
    }

    @Override
    void clear() {
        super.clear();
        dictionary.clear();
    }
}
