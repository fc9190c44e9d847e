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
package org.hadoopmpsr.core.reduction;

/**
 * The columns of pixels of a chart. Each stands for as many whole units of time; the last may stand for fewer. They are those
 * of the Python client's charts.
 *
 * @param begin the first time, in units of the column of times
 * @param end the time behind the last one
 * @param width the most columns
 */
public record PixelColumns(long begin, long end, int width) {
    /** The most columns of a chart. */
    public static final int MAX_WIDTH = 100_000;

    /** @throws IllegalArgumentException if there is no time in the range, or no such width; with a message for the user */
    public PixelColumns {
        if (begin >= end) {
            throw new IllegalArgumentException("the range begins at " + begin + " and ends at " + end
                    + ", so that no time is in it; give a later end");
        }
        if (width < 1 || width > MAX_WIDTH) {
            throw new IllegalArgumentException(
                    "the width is " + width + "; give one from 1 to " + MAX_WIDTH + " columns of pixels");
        }
    }

    /** How many units of time each column stands for. As an unsigned number: a range may be as long as all times. */
    public long unit() {
        long range = end - begin;
        long whole = Long.divideUnsigned(range, width);
        return Long.remainderUnsigned(range, width) == 0 ? whole : whole + 1;
    }

    /** Whether a time is in the range. */
    public boolean contains(long time) {
        return time >= begin && time < end;
    }

    /** The number of the column of a time in the range, from 0. */
    public int columnOf(long time) {
        return (int) Long.divideUnsigned(time - begin, unit());
    }

    /** The first time of a column. */
    public long beginOf(int column) {
        return begin + column * unit();
    }
}
