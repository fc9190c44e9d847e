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

import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.RunEnds;

/**
 * Where the row groups of a file and the pages of a row group end: with the last row of a value of the lead column, as
 * far as that can be. A reader that asks for a value then reads as little of its neighbours as possible.
 */
final class PieceEnds {
    /** So many values of a file have a row group of their own at most: each costs a part of the footer. */
    private static final int ROW_GROUPS = 32;

    private PieceEnds() {}

    /**
     * The places in the order where pages end, exclusive, the last at the end of the rows. The rows of a value lie in
     * one page, or, when they are too many for that, in pages of their own and of even length.
     */
    static int[] ofPages(SortedRows rows) {
        return RunEnds.of(rows.from(), rows.to(), rows::runEnd, FileStatistics.PAGE_ROWS, FileStatistics.PAGE_ROWS);
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
        return RunEnds.of(
                rows.from(),
                rows.to(),
                rows::runEnd,
                (int) Math.min(most, Math.max(FileStatistics.PAGE_ROWS, part)),
                most);
    }
}
