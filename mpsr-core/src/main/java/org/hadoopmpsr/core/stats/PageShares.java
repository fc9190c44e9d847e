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
package org.hadoopmpsr.core.stats;

import java.util.Collection;
import java.util.Map;

/** The section of a file's statistics that says which share of the pages may hold a value of a column: an octet for each column. */
final class PageShares {
    /** Larger shares are not worth their place: about all of the file is read. */
    private static final double MOST = 0.75;

    private PageShares() {}

    private static boolean isKept(ColumnStatistics column) {
        return column.pageShare() > 0 && column.pageShare() <= MOST;
    }

    /** Whether a share is worth its place. */
    static boolean areKept(Collection<ColumnStatistics> columns) {
        return columns.stream().anyMatch(PageShares::isKept);
    }

    static void write(CompactWriter out, Collection<ColumnStatistics> columns) {
        columns.forEach(c -> out.octet(isKept(c) ? ColumnShares.step(c.pageShare()) : ColumnShares.UNKNOWN));
    }

    static void read(CompactReader in, Map<String, ColumnStatistics> columns) {
        columns.replaceAll((name, column) -> {
            int step = in.octet();
            return step == ColumnShares.NONE || step == ColumnShares.UNKNOWN
                    ? column
                    : column.withPageShare(ColumnShares.share(step));
        });
    }
}
