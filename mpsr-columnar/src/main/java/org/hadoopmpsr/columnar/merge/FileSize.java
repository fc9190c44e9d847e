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
package org.hadoopmpsr.columnar.merge;

import org.hadoopmpsr.columnar.parquet.SortedRows;

/**
 * How many records a merged file should have.
 *
 * @param rows the number of records
 */
public record FileSize(long rows) {
    /** A file may have so much more or less, a fraction of it, to end with a value. */
    private static final int TOLERANCE = 8;

    /**
     * Divides records evenly among files.
     *
     * @param rows the number of records that are merged
     * @param bytes the length of the files that they come from
     * @param targetBytes about the length of a file
     */
    public static FileSize of(long rows, long bytes, long targetBytes) {
        long files = Math.max(1, (bytes + targetBytes / 2) / targetBytes);
        return new FileSize(Math.max(1, (rows + files - 1) / files));
    }

    /** How many records the file that is being written should have yet, so that all files are of even length. */
    long wanted(int finishedFiles, long writtenRows) {
        return Math.max(0, (finishedFiles + 1) * rows - writtenRows);
    }

    /**
     * Where a file should end among the next records, exclusive; the end of the records if it should not.
     *
     * @param missing how many records it should have yet
     * @param isEmpty true if it has none
     * @param isLast true if no records come after these
     */
    int cut(SortedRows next, long missing, boolean isEmpty, boolean isLast) {
        long wanted = next.from() + missing;
        if (wanted >= next.to()) {
            return next.to();
        }
        int run = next.from();
        int end = next.runEnd(run);
        while (end < wanted) {
            run = end;
            end = next.runEnd(run);
        }
        long tolerance = rows / TOLERANCE;
        boolean isWhole = end < next.to() || isLast;
        if (end == wanted || isWhole && end - wanted <= tolerance) {
            return end;
        }
        if (wanted - run <= tolerance && (run > next.from() || !isEmpty)) {
            return run;
        }
        return (int) Math.max(next.from() + 1, wanted);
    }
}
