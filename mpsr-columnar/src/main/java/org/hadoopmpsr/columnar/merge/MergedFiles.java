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
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.file.GroupFileWriter.WrittenFile;
import org.hadoopmpsr.columnar.merge.MergeResult.MergedFile;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentSum;
import org.hadoopmpsr.core.hash.HashKind;
import org.jspecify.annotations.Nullable;

/**
 * The files that a merge writes, one after the other, each with a share of the records: as far as that can be, a file ends
 * with the last record of a value of the first sort column. For one thread.
 */
public final class MergedFiles implements AutoCloseable {
    private final GroupFileWriter writer;
    private final MergeBatch batch;
    private final MergeTarget target;
    private final List<@Nullable Object> partition;
    private final String segment;
    private final String stem;
    private final int firstNumber;
    private final FileSize size;
    private final int mostRows;
    private final HashKind kind;
    private final List<FileColumn> columns;
    private final List<MergedFile> files = new ArrayList<>();
    private @Nullable ColumnarParquetFile open;
    private String path = "";
    private ContentSum content;
    private long written;

    /**
     * @param stem what the files' names start with
     * @param firstNumber the number of the first file, which is part of its name
     * @param kind how the records are hashed whose hashes the batch has
     */
    public MergedFiles(
            GroupFileWriter writer,
            MergeBatch batch,
            MergeTarget target,
            List<@Nullable Object> partition,
            String segment,
            String stem,
            int firstNumber,
            FileSize size,
            int mostRows,
            HashKind kind) {
        this.writer = writer;
        this.batch = batch;
        this.target = target;
        this.partition = partition;
        this.segment = segment;
        this.stem = stem;
        this.firstNumber = firstNumber;
        this.size = size;
        this.mostRows = mostRows;
        this.kind = kind;
        content = new ContentSum(kind);
        columns = writer.columns(batch);
    }

    /**
     * Writes records of the batch.
     *
     * @param count how many, the first ones of the order
     * @param isLast true if there are no more
     * @return how many were written, the first ones; the others begin a row group that is not full
     */
    public int write(int[] order, int count, boolean isLast) throws IOException {
        int done = 0;
        while (done < count) {
            SortedRows left = writer.rows(batch, order, done, count);
            int cut = size.cut(left, size.wanted(files.size(), written), open == null, isLast);
            done = writeRowGroups(left.slice(done, cut), isLast || cut < count);
            if (done < cut) {
                return done;
            }
            if (cut < count || size.wanted(files.size(), written) == 0) {
                finish();
            }
        }
        if (isLast) {
            finish();
        }
        return done;
    }

    /** @param isEnd true if the file ends with these rows; else the last row group is left out, unless it is the only one */
    private int writeRowGroups(SortedRows some, boolean isEnd) throws IOException {
        ColumnarParquetFile file = open;
        if (file == null) {
            path = writer.relativePath(partition, stem, firstNumber + files.size());
            file = writer.begin(target.create(path), columns, segment);
            open = file;
        }
        int start = some.from();
        int[] ends = file.rowGroupEnds(some, mostRows, size.rows());
        for (int i = 0; i < ends.length; i++) {
            if (!isEnd && i > 0 && i == ends.length - 1) {
                return start;
            }
            file.writeRowGroup(some.slice(start, ends[i]));
            for (int row = start; row < ends[i]; row++) {
                content.add(batch.high()[some.order()[row]], batch.low()[some.order()[row]]);
            }
            written += ends[i] - start;
            start = ends[i];
        }
        return start;
    }

    /** Ends the file that is being written, if there is one. */
    void finish() throws IOException {
        ColumnarParquetFile file = open;
        if (file == null) {
            return;
        }
        try (file) {
            open = null;
            WrittenFile written = writer.finish(file, columns, partition, content.result(), segment);
            files.add(new MergedFile(path, written.statistics(), written.bytes()));
        }
        content = new ContentSum(kind);
    }

    /** True if no file is being written: strings may get other numbers. */
    boolean isBetweenFiles() {
        return open == null;
    }

    /** The files that are finished. */
    public List<MergedFile> files() {
        return files;
    }

    /** The content hash of all records that were written. */
    ContentHash content() {
        return files.stream().map(file -> file.statistics().content()).reduce(ContentHash.EMPTY, ContentHash::plus);
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
