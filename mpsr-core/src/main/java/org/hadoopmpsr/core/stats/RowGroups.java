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

import java.util.ArrayList;
import java.util.List;

/** The section of a file's statistics that says where row groups lie. */
final class RowGroups {
    /** Shorter files are read as a whole: Spark gives a task no part of a file that is smaller than this, by default. */
    private static final long LEAST_BYTES = 4L << 20;

    /** Each takes some bytes of the NameNode's memory. */
    private static final int MOST = 128;

    private RowGroups() {}

    /** The row groups that are worth their place. */
    static List<RowGroup> kept(long length, FileStatistics statistics) {
        List<RowGroup> all = statistics.rowGroups();
        return length < LEAST_BYTES || all.size() > MOST || !isSound(all, length, statistics.rows()) ? List.of() : all;
    }

    private static boolean isSound(List<RowGroup> groups, long length, long rows) {
        long last = 0;
        long sum = 0;
        for (RowGroup group : groups) {
            if (group.middle() < last || group.middle() >= length || group.rows() < 0 || group.rows() > rows) {
                return false;
            }
            last = group.middle();
            sum += group.rows();
        }
        return sum == rows;
    }

    static void write(CompactWriter out, List<RowGroup> groups) {
        out.number(groups.size());
        long last = 0;
        for (RowGroup group : groups) {
            out.number(group.middle() - last);
            out.number(group.rows());
            last = group.middle();
        }
    }

    static List<RowGroup> read(CompactReader in) {
        if (in.isAtEnd()) {
            return List.of();
        }
        List<RowGroup> groups = new ArrayList<>();
        long middle = 0;
        for (int rest = in.count(); rest > 0; rest--) {
            middle += in.number();
            groups.add(new RowGroup(middle, in.number()));
        }
        return groups;
    }
}
