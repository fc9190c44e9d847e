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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The points that a line chart shows: of each column of pixels the first, the last, the lowest and the highest. Lines between
 * them cover the pixels that lines between all points cover (M4: Jugel, Jerzak, Hackenbroich, Markl, "M4: A
 * Visualization-Oriented Time Series Data Aggregation", PVLDB 7(10), 2014).
 *
 * <p>Points are in the order of time, those of one time in the order of their values, and equal points are one. Of several
 * lowest points the earliest is kept, and of several highest ones the latest. So the chart is the same for each split and each
 * order of the points. Mutable; for one thread. Takes 64 bytes for each column of pixels.
 */
public final class LineChart {
    /** Of each column the time and the value of four points. */
    private static final int CELL = 8;

    private static final int FIRST = 0;
    private static final int LAST = 2;
    private static final int LOWEST = 4;
    private static final int HIGHEST = 6;

    private final PixelColumns columns;
    private final long unit;
    private long @Nullable [] cells;
    private boolean[] used = {};

    /** A chart without points. */
    public LineChart(PixelColumns columns) {
        this.columns = columns;
        this.unit = columns.unit();
    }

    /**
     * Adds a point; one outside of the range changes nothing.
     *
     * @param value a whole number itself, or {@link ValueOrder} of a floating-point number
     */
    public void add(long time, long value) {
        if (columns.contains(time)) {
            add((int) Long.divideUnsigned(time - columns.begin(), unit), time, value);
        }
    }

    private void add(int column, long time, long value) {
        long[] all = cells();
        int at = column * CELL;
        if (!used[column]) {
            used[column] = true;
            for (int i = at; i < at + CELL; i += 2) {
                put(all, i, time, value);
            }
            return;
        }
        if (isLess(time, value, all[at + FIRST], all[at + FIRST + 1])) {
            put(all, at + FIRST, time, value);
        }
        if (isLess(all[at + LAST], all[at + LAST + 1], time, value)) {
            put(all, at + LAST, time, value);
        }
        if (isLess(value, time, all[at + LOWEST + 1], all[at + LOWEST])) {
            put(all, at + LOWEST, time, value);
        }
        if (isLess(all[at + HIGHEST + 1], all[at + HIGHEST], value, time)) {
            put(all, at + HIGHEST, time, value);
        }
    }

    private long[] cells() {
        if (cells == null) {
            cells = new long[columns.width() * CELL];
            used = new boolean[columns.width()];
        }
        return cells;
    }

    private static void put(long[] all, int at, long time, long value) {
        all[at] = time;
        all[at + 1] = value;
    }

    private static boolean isLess(long a, long thenA, long b, long thenB) {
        return a < b || (a == b && thenA < thenB);
    }

    /**
     * Adds the points of another chart.
     *
     * @throws IllegalArgumentException if it has other columns of pixels
     */
    public void merge(LineChart other) {
        if (!columns.equals(other.columns)) {
            throw new IllegalArgumentException("a chart of " + other.columns + " is no part of one of " + columns);
        }
        long[] its = other.cells;
        if (its == null) {
            return;
        }
        for (int column = 0; column < other.used.length; column++) {
            if (other.used[column]) {
                for (int i = column * CELL; i < (column + 1) * CELL; i += 2) {
                    add(column, its[i], its[i + 1]);
                }
            }
        }
    }

    /** The points that the chart shows, in order. */
    public List<Point> points() {
        List<Point> points = new ArrayList<>();
        long[] all = cells;
        if (all == null) {
            return points;
        }
        for (int column = 0; column < used.length; column++) {
            if (used[column]) {
                add(points, all, column * CELL);
            }
        }
        return points;
    }

    /** The points of a column. The first one and the last one are never behind or before the other two. */
    private static void add(List<Point> points, long[] all, int at) {
        Point low = new Point(all[at + LOWEST], all[at + LOWEST + 1]);
        Point high = new Point(all[at + HIGHEST], all[at + HIGHEST + 1]);
        boolean lowFirst = isLess(low.time(), low.value(), high.time(), high.value());
        List<Point> inOrder = List.of(
                new Point(all[at + FIRST], all[at + FIRST + 1]),
                lowFirst ? low : high,
                lowFirst ? high : low,
                new Point(all[at + LAST], all[at + LAST + 1]));
        Point before = null;
        for (Point point : inOrder) {
            if (!point.equals(before)) {
                points.add(point);
            }
            before = point;
        }
    }

    /** The chart as bytes, for processes of the same version. */
    public byte[] toBytes() {
        int count = 0;
        for (boolean isUsed : used) {
            count += isUsed ? 1 : 0;
        }
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + count * (Integer.BYTES + CELL * Long.BYTES));
        out.putInt(count);
        long[] all = cells;
        if (all != null) {
            for (int column = 0; column < used.length; column++) {
                if (used[column]) {
                    out.putInt(column);
                    for (int i = column * CELL; i < (column + 1) * CELL; i++) {
                        out.putLong(all[i]);
                    }
                }
            }
        }
        return out.array();
    }

    /** Reads what {@link #toBytes} has written. */
    public static LineChart read(PixelColumns columns, ByteBuffer in) {
        LineChart chart = new LineChart(columns);
        for (int left = in.getInt(); left > 0; left--) {
            int column = in.getInt();
            for (int i = 0; i < CELL; i += 2) {
                chart.add(column, in.getLong(), in.getLong());
            }
        }
        return chart;
    }
}
