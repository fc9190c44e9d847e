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
package org.hadoopmpsr.columnar.read;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Which rows of a page have a value, in Parquet's hybrid of runs and packed bits, one bit wide. For one thread. */
final class DefinitionLevels {
    private ByteBuffer packed = ByteBuffer.allocate(0);
    private boolean[] present = {};
    private int left;
    private boolean isRun;
    private boolean runValue;
    private int bits;
    private int bit;

    /** Starts a page whose rows all have a value. */
    void startFull() {
        left = Integer.MAX_VALUE;
        isRun = true;
        runValue = true;
    }

    /** Starts a page. */
    void start(ByteBuffer levels) {
        packed = levels;
        left = 0;
    }

    /**
     * Reads the next rows.
     *
     * @return how many of them have a value; {@link #present} tells which
     */
    int read(int rows) throws IOException {
        if (present.length < rows) {
            present = new boolean[rows];
        }
        int values = 0;
        for (int row = 0; row < rows; ) {
            if (left == 0) {
                nextRun();
            }
            int count = Math.min(left, rows - row);
            for (int i = 0; i < count; i++) {
                boolean is = isRun ? runValue : nextBit();
                present[row++] = is;
                values += is ? 1 : 0;
            }
            left -= count;
        }
        return values;
    }

    /** True if the next rows are known to have a value each; they count as read then. */
    boolean takeFull(int rows) throws IOException {
        if (left == 0) {
            nextRun();
        }
        if (!isRun || !runValue || left < rows) {
            return false;
        }
        left -= rows;
        return true;
    }

    /** For each of the rows that were read last whether it has a value. */
    boolean[] present() {
        return present;
    }

    private boolean nextBit() {
        if (bit == Byte.SIZE) {
            bits = packed.get();
            bit = 0;
        }
        return (bits >>> bit++ & 1) != 0;
    }

    private int varint() {
        int value = 0;
        int shift = 0;
        int next;
        do {
            next = packed.get();
            value |= (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    private void nextRun() throws IOException {
        int header = varint();
        isRun = (header & 1) == 0;
        if (isRun) {
            left = header >>> 1;
            runValue = packed.get() != 0;
        } else {
            left = (header >>> 1) * Byte.SIZE;
            bit = Byte.SIZE;
        }
        if (left == 0) {
            throw new IOException("a page has an empty run of definition levels");
        }
    }
}
