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

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The similar windows of a run of records that follow each other. Two runs that follow each other are merged into one: each
 * knows its first and its last records, one fewer than a window has, and windows across the border are found from them. So
 * the matches are the same for each split of a series into runs. A null or NaN belongs to the series, and a window with it
 * matches nothing. Mutable; for one thread.
 */
public final class WindowRun implements Serializable {
    private static final long serialVersionUID = 1;

    private final ValuePattern pattern;
    private final int limit;
    /** One fewer than a window has. */
    private final int border;

    private final long[] headTimes;
    private final double[] headValues;
    private int headCount;
    /** The last records, at most as many as a border, before {@code tailEnd}; there is room for one more window. */
    private final long[] tailTimes;

    private final double[] tailValues;
    private int tailEnd;

    private long count;
    private final PriorityQueue<WindowMatch> best = new PriorityQueue<>(Collections.reverseOrder());

    /**
     * A run without records.
     *
     * @param limit how many of the most similar windows are kept, at least one
     */
    public WindowRun(ValuePattern pattern, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit is " + limit + "; give one from 1");
        }
        this.pattern = pattern;
        this.limit = limit;
        this.border = pattern.length() - 1;
        this.headTimes = new long[border];
        this.headValues = new double[border];
        this.tailTimes = new long[2 * pattern.length()];
        this.tailValues = new double[2 * pattern.length()];
    }

    /**
     * Adds the next record.
     *
     * @param time not before that of the record before
     * @param value NaN for a null
     */
    public void add(long time, double value) {
        if (headCount < border) {
            headTimes[headCount] = time;
            headValues[headCount++] = value;
        }
        append(time, value);
        count++;
    }

    /** Looks at the window that ends with a record. */
    private void append(long time, double value) {
        if (tailEnd == tailTimes.length) {
            System.arraycopy(tailTimes, tailEnd - border, tailTimes, 0, border);
            System.arraycopy(tailValues, tailEnd - border, tailValues, 0, border);
            tailEnd = border;
        }
        tailTimes[tailEnd] = time;
        tailValues[tailEnd++] = value;
        if (count >= border) {
            int at = tailEnd - pattern.length();
            double distance = pattern.distance(tailValues, at);
            if (!Double.isNaN(distance)) {
                keep(new WindowMatch(tailTimes[at], time, distance));
            }
        }
    }

    private void keep(WindowMatch match) {
        if (best.size() < limit) {
            best.add(match);
        } else if (match.compareTo(best.element()) < 0) {
            best.poll();
            best.add(match);
        }
    }

    /** Adds the run of the records that follow. It is of the same pattern, and is not changed. */
    public void merge(WindowRun next) {
        for (int i = 0; i < next.headCount; i++) {
            add(next.headTimes[i], next.headValues[i]);
        }
        if (next.count > next.headCount) {
            // what lies between is in the middle of the next run, which has looked at all windows with it
            System.arraycopy(next.tailTimes, next.tailEnd - border, tailTimes, 0, border);
            System.arraycopy(next.tailValues, next.tailEnd - border, tailValues, 0, border);
            tailEnd = border;
            count += next.count - next.headCount;
        }
        next.best.forEach(this::keep);
    }

    /** How many records there are. */
    public long count() {
        return count;
    }

    /** Whether a window is similar. */
    public boolean hasMatches() {
        return !best.isEmpty();
    }

    /** The most similar windows, the best first. */
    public List<WindowMatch> matches() {
        List<WindowMatch> matches = new ArrayList<>(best);
        Collections.sort(matches);
        return matches;
    }
}
