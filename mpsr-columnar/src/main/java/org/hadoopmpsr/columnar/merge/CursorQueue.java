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

import org.jspecify.annotations.Nullable;

/** The files that still have records, the one with the least next record first: a binary heap. For one thread. */
final class CursorQueue {
    private final InputCursor[] heap;
    private int size;

    CursorQueue(int capacity) {
        heap = new InputCursor[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds a file, whose chunk has records. */
    void add(InputCursor cursor) {
        int at = size++;
        while (at > 0 && cursor.isBefore(heap[(at - 1) / 2])) {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = cursor;
    }

    InputCursor first() {
        return heap[0];
    }

    /** The file whose next record comes after those of the first; null if there is none. */
    @Nullable
    InputCursor second() {
        if (size < 2) {
            return null;
        }
        return size == 2 || heap[1].isBefore(heap[2]) ? heap[1] : heap[2];
    }

    /** Records of the first file were taken; it has more in its chunk. */
    void firstChanged() {
        sink(heap[0]);
    }

    void removeFirst() {
        InputCursor last = heap[--size];
        if (size > 0) {
            sink(last);
        }
    }

    private void sink(InputCursor cursor) {
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (cursor.isBefore(heap[child])) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = cursor;
    }
}
