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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.jspecify.annotations.Nullable;

/**
 * What a pass of a merge reads.
 *
 * @param segment the place of the file's segment among those that are merged, from 0; of records of several segments, that of
 *     the last one
 * @param isSorted true if that is known; else it is found out if MPSR has not written the file
 * @param memoryBytes about the memory that reading it takes
 * @param scratch the local file that it is, which an earlier pass has written; null if it is one of the files to merge
 */
record MergeSource(
        MergeInput input,
        int segment,
        boolean isSorted,
        long memoryBytes,
        @Nullable Path scratch) {
    /** A row group that is read takes no more, as long as files are written as MPSR writes them. */
    private static final long MOST_ROW_GROUP_BYTES = 64L << 20;

    /** One of the files to merge. */
    static MergeSource of(MergeInput input, int segment, int columns) throws IOException {
        long bytes = input.file().getLength();
        long pages = Math.min(4 * bytes, (long) columns * ColumnarParquetFile.PAGE_VALUES_BYTES);
        return new MergeSource(input, segment, false, Math.min(bytes, MOST_ROW_GROUP_BYTES) + pages, null);
    }

    MergeSource sorted() {
        return new MergeSource(input, segment, true, memoryBytes, scratch);
    }

    boolean isOriginal() {
        return scratch == null;
    }

    /** Deletes it if an earlier pass has written it. */
    void delete() throws IOException {
        if (scratch != null) {
            Files.deleteIfExists(scratch);
        }
    }
}
