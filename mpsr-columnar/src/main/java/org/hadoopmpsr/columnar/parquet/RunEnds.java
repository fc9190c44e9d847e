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
package org.hadoopmpsr.columnar.parquet;

import java.util.Arrays;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * Where the row groups of a file and the pages of a row group end: with the last row of a value of the lead column, as
 * far as that can be. A reader that asks for a value then reads as little of its neighbours as possible.
 */
final class RunEnds {
    /** So many values of a file have a row group of their own at most: each costs a part of the footer. */
    private static final int ROW_GROUPS = 32;

    private int[] ends = new int[16];
    private int count;

    private RunEnds() {}

    /**
     * The places in the order where pages end, exclusive, the last at the end of the rows. The rows of a value lie in
     * one page, or, when they are too many for that, in pages of their own and of even length.
     */
    static int[] ofPages(SortedRows rows) {
        return of(rows, FileStatistics.PAGE_ROWS, FileStatistics.PAGE_ROWS);
    }

    /**
     * The places in the order where row groups end, exclusive, the last at the end of the rows. The rows of a value
     * that fill more than a page and are a good part of the file lie in a row group of their own, where the pieces of
     * their columns are close to each other.
     *
     * @param most how many rows a row group may have
     * @param fileRows about how many rows the whole file has
     */
    static int[] ofRowGroups(SortedRows rows, int most, long fileRows) {
        long part = fileRows / ROW_GROUPS;
        return of(rows, (int) Math.min(most, Math.max(FileStatistics.PAGE_ROWS, part)), most);
    }

    /**
     * @param shared values with more rows do not share a piece with others
     * @param most how many rows a piece may have
     */
    private static int[] of(SortedRows rows, int shared, int most) {
        RunEnds ends = new RunEnds();
        int piece = rows.from();
        int next;
        for (int run = piece; run < rows.to(); run = next) {
            next = rows.runEnd(run);
            boolean alone = next - run > shared;
            if (run > piece && (alone || next - piece > most)) {
                ends.add(run);
                piece = run;
            }
            if (alone) {
                ends.divide(run, next, most);
                piece = next;
            }
        }
        if (piece < rows.to()) {
            ends.add(rows.to());
        }
        return Arrays.copyOf(ends.ends, ends.count);
    }

    private void divide(int from, int to, int most) {
        int rows = to - from;
        int pieces = (rows - 1) / most + 1;
        for (int piece = 1; piece <= pieces; piece++) {
            add(from + (int) ((long) rows * piece / pieces));
        }
    }

    private void add(int end) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count++] = end;
    }
}
