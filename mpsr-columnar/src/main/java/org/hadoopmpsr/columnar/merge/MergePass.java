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
import java.io.InterruptedIOException;
import java.util.List;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.merge.RecordMerger.UncheckedFilesException;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted files whose readers fit into memory together. Immutable, and safe for use by several threads.
 *
 * @param keys the key columns; none if all records are kept
 * @param mostRows how many rows a row group may have
 */
record MergePass(
        GroupFileWriter writer,
        MergeColumns columns,
        Schema schema,
        List<@Nullable Object> partition,
        List<String> keys,
        MergeLimits limits,
        int mostRows) {

    /**
     * Runs it.
     *
     * @param firstNumber the number of the first file, which is part of its name
     * @throws UncheckedFilesException if it is not known whether all files are sorted; nothing is written then
     */
    MergeResult run(List<MergeSource> sources, MergeTarget target, String segment, int firstNumber, FileSize size)
            throws IOException, UncheckedFilesException {
        MergeBatch batch = new MergeBatch(columns, limits.batchBytes());
        try (RecordMerger merger = merger(sources, columns, batch);
                MergedFiles files = files(batch, target, segment, firstNumber, size)) {
            StringMemory strings = new StringMemory(batch, limits.batchBytes());
            KeptRecords kept = new KeptRecords(batch, columns, schema, keys);
            do {
                checkInterrupt();
                merger.fill();
                write(batch, kept, files, merger.isDone());
                strings.trim(files, merger.open());
            } while (!merger.isDone());
            return new MergeResult(files.files(), merger.read(), files.content(), kept.leftOut());
        }
    }

    /** @param as how the files are sorted */
    RecordMerger merger(List<MergeSource> sources, MergeColumns as, MergeBatch batch)
            throws IOException, UncheckedFilesException {
        return new RecordMerger(
                sources,
                as,
                batch,
                kind -> new RowHasher(kind, batch.vectors(), as, schema, writer.group(), partition),
                chunkRows(sources.size()));
    }

    MergedFiles files(MergeBatch batch, MergeTarget target, String segment, int firstNumber, FileSize size) {
        return new MergedFiles(
                writer, batch, target, partition, segment, segment, firstNumber, size, mostRows, HashKind.CURRENT);
    }

    private void write(MergeBatch batch, KeptRecords kept, MergedFiles files, boolean isLast) throws IOException {
        kept.decide(isLast);
        if (kept.decided() == 0 && !isLast) {
            throw new IOException("more than " + batch.rows() + " records have equal sort columns, so that records with"
                    + " equal keys cannot be found within " + limits.memoryBytes()
                    + " bytes of memory; give the merge more memory, or sort the group by more key columns");
        }
        kept.remove(files.write(kept.order(), kept.size(), isLast));
    }

    /** So many records of each file are read ahead. */
    private int chunkRows(int files) {
        long rowBytes = 16L * Math.max(1, columns.sort().size());
        return (int) Math.max(64, Math.min(8192, limits.batchBytes() / 8 / Math.max(1, files) / rowBytes));
    }

    private static void checkInterrupt() throws InterruptedIOException {
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the merge was interrupted");
        }
    }
}
