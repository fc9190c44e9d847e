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
package org.hadoopmpsr.ingest.parquet;

import java.util.Arrays;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * Where the pages of a row group end. The rows of one value of the lead column lie in one page, or, when they are too
 * many for that, in pages of their own and of even length: a reader that asks for a value reads as little of its
 * neighbours as possible.
 */
final class PageEnds {
    private int[] ends = new int[16];
    private int count;

    private PageEnds() {}

    /** The places in the order where pages end, exclusive, the last at the end of the rows. */
    static int[] of(SortedRows rows) {
        PageEnds ends = new PageEnds();
        int page = rows.from();
        int next;
        for (int run = page; run < rows.to(); run = next) {
            next = rows.runEnd(run);
            if (next - page > FileStatistics.PAGE_ROWS && run > page) {
                ends.add(run);
                page = run;
            }
            if (next - page > FileStatistics.PAGE_ROWS) {
                ends.divide(page, next);
                page = next;
            }
        }
        if (page < rows.to()) {
            ends.add(rows.to());
        }
        return Arrays.copyOf(ends.ends, ends.count);
    }

    private void divide(int from, int to) {
        int rows = to - from;
        int pages = (rows + FileStatistics.PAGE_ROWS - 1) / FileStatistics.PAGE_ROWS;
        for (int page = 1; page <= pages; page++) {
            add(from + (int) ((long) rows * page / pages));
        }
    }

    private void add(int end) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count++] = end;
    }
}
