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
package org.hadoopmpsr.core.degraded;

import java.util.Optional;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.RowGroup;

/**
 * Records of a file, by their places in it.
 *
 * @param from the place of the first one, from 0
 * @param to the place after the last one
 */
public record RowRange(long from, long to) {
    /** The number of records. */
    public long rows() {
        return to - from;
    }

    /** True if these are all records of the file. */
    public boolean isAllOf(DataFile file) {
        return from == 0 && to == file.statistics().rows();
    }

    /**
     * The records that a reader of Parquet gives for a part of a file: those of the row groups whose middle lies in the part.
     *
     * @param start the offset of the part's first byte
     * @param length the number of the part's bytes
     * @return empty if nothing tells where the row groups of the file lie
     */
    public static Optional<RowRange> of(DataFile file, long start, long length) {
        long end = start + length;
        if (start <= 0 && end >= file.length()) {
            return Optional.of(new RowRange(0, file.statistics().rows()));
        }
        if (file.statistics().rowGroups().isEmpty()) {
            return Optional.empty();
        }
        long from = 0;
        long to = 0;
        for (RowGroup group : file.statistics().rowGroups()) {
            if (group.middle() < start) {
                from += group.rows();
            }
            if (group.middle() < end) {
                to += group.rows();
            }
        }
        return Optional.of(new RowRange(from, Math.max(from, to)));
    }
}
