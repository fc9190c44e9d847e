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
package org.hadoopmpsr.columnar.layout;

/** Numbers distinct longs from 0 in the order in which they come. */
final class LongIds {
    private long[] keys = new long[64];
    private int[] ids = new int[64];
    private int size;
    private long lastKey;
    private int lastId = -1;

    /** The number of a key; a new key gets {@link #size} as it was before. */
    int id(long key) {
        if (lastId >= 0 && key == lastKey) {
            return lastId;
        }
        int slot = slot(key);
        if (ids[slot] == 0) {
            keys[slot] = key;
            ids[slot] = ++size;
            lastId = size - 1;
            if (size * 2 > keys.length) {
                grow();
            }
        } else {
            lastId = ids[slot] - 1;
        }
        lastKey = key;
        return lastId;
    }

    /** How many distinct keys there were. */
    int size() {
        return size;
    }

    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & keys.length - 1;
        while (ids[slot] != 0 && keys[slot] != key) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldIds = ids;
        keys = new long[oldKeys.length * 2];
        ids = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldIds[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                ids[slot] = oldIds[i];
            }
        }
    }
}
