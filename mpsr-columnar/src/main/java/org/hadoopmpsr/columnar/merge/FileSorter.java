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
import java.util.List;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.layout.StableSort;
import org.hadoopmpsr.columnar.merge.RecordMerger.UncheckedFilesException;
import org.hadoopmpsr.core.hash.ContentHash;

/**
 * Sorts files that are not sorted as their group says. Immutable.
 *
 * @param pass how the sorted files are written
 */
record FileSorter(MergePass pass, MergeColumns columns, MergeLimits limits) {
    private static final int CHUNK_ROWS = 4096;

    /** True if the file is sorted. Reads the columns that it should be sorted by. */
    boolean isSorted(MergeSource source) throws IOException {
        try (InputCursor cursor = new InputCursor(0, source.input(), columns, new MergeBatch(columns, 0), CHUNK_ROWS)) {
            while (cursor.nextChunk()) {
                // the next one
            }
            return true;
        } catch (UnsortedFileException e) {
            return false;
        }
    }

    /** Sorts as many records as fit into memory at a time, each time to a file of its own. */
    MergeResult sort(MergeSource source, MergeTarget target, String segment) throws IOException {
        MergeColumns inFileOrder = columns.unsorted();
        MergeBatch batch = new MergeBatch(inFileOrder, limits.batchBytes());
        try (RecordMerger reader = pass.merger(List.of(source.sorted()), inFileOrder, batch);
                MergedFiles files = pass.files(batch, target, segment, 0, new FileSize(1L << 40))) {
            StringMemory strings = new StringMemory(batch, limits.batchBytes());
            do {
                reader.fill();
                files.write(order(batch), batch.rows(), true);
                batch.removeFirst(batch.rows());
                strings.trim(files, reader.open());
            } while (!reader.isDone());
            return new MergeResult(files.files(), reader.read(), files.content(), ContentHash.EMPTY);
        } catch (UncheckedFilesException e) {
            throw new IllegalStateException("a file whose order does not matter", e);
        }
    }

    private int[] order(MergeBatch batch) {
        int[] order = IntStream.range(0, batch.rows()).toArray();
        for (int i = columns.sort().size() - 1; i >= 0; i--) {
            MergeColumns.Key key = columns.sort().get(i);
            order = StableSort.byColumn(
                    key.values(batch.vectors()).vector(batch.rows()),
                    batch.ranks(columns.all().get(key.place()).name()),
                    order);
        }
        return order;
    }
}
