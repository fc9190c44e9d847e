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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A file whose footer says by which columns the rows of each row group are sorted, which Parquet's own writer has no way
 * to say. What comes after {@link #beginFooter} is held back until the file is closed, and the footer in it is completed.
 */
final class SortedFile implements OutputFile {
    /** The footer's length and the mark of the format, which end each file. */
    private static final int TAIL_BYTES = 8;

    private final OutputFile file;
    private final List<SortingColumn> sorting;
    private @Nullable HeldStream stream;

    private SortedFile(OutputFile file, List<SortingColumn> sorting) {
        this.file = file;
        this.sorting = sorting;
    }

    /**
     * Wraps a file.
     *
     * @param sortedBy what the rows are sorted by, nulls first
     */
    static SortedFile of(OutputFile file, List<FileColumn> columns, List<SortKey> sortedBy) {
        List<SortingColumn> sorting = new ArrayList<>();
        for (SortKey key : sortedBy) {
            if (!key.isColumn()) {
                break; // Parquet knows columns only
            }
            String name = key.column();
            int index = indexOf(ColumnPath.root(name), columns);
            if (index < 0 || columns.get(index).transform() != null || isFloating(name, columns.get(index))) {
                break; // of floating point numbers Parquet's order is another one than ours
            }
            sorting.add(
                    new SortingColumn(firstLeaf(index, columns) + leafWithin(name, columns.get(index)), false, true));
        }
        return new SortedFile(file, sorting);
    }

    /** The footer counts the columns of Parquet, of which a nested column has several. */
    private static int firstLeaf(int index, List<FileColumn> columns) {
        return columns.subList(0, index).stream()
                .flatMap(column -> column.physical().stream())
                .mapToInt(column -> ParquetTypes.leaves(column.type()))
                .sum();
    }

    private static int leafWithin(String name, FileColumn column) {
        return ParquetTypes.leavesBefore(new Schema(List.of(column.column())), name);
    }

    private static boolean isFloating(String name, FileColumn column) {
        Schema schema = new Schema(List.of(column.column()));
        return schema.find(name).orElseThrow().type().isFloating();
    }

    private static int indexOf(String name, List<FileColumn> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).column().name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The place of the column by which the rows are sorted first; -1 if the footer names none. */
    int leadColumn() {
        return sorting.isEmpty() ? -1 : sorting.get(0).getColumn_idx();
    }

    /** All row groups are written. */
    void beginFooter() {
        if (stream != null && !sorting.isEmpty()) {
            stream.held = new ByteArrayOutputStream();
        }
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
        return open(file.create(blockSizeHint));
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
        return open(file.createOrOverwrite(blockSizeHint));
    }

    private PositionOutputStream open(PositionOutputStream out) {
        HeldStream opened = new HeldStream(out);
        stream = opened;
        return opened;
    }

    @Override
    public boolean supportsBlockSize() {
        return file.supportsBlockSize();
    }

    @Override
    public long defaultBlockSize() {
        return file.defaultBlockSize();
    }

    @Override
    public String getPath() {
        return file.getPath();
    }

    /** The end of a file, with the sort order in its footer. */
    private byte[] completed(byte[] end) throws IOException {
        int footerBytes = ByteBuffer.wrap(end, end.length - TAIL_BYTES, Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        int footer = end.length - TAIL_BYTES - footerBytes;
        FileMetaData meta = Util.readFileMetaData(new ByteArrayInputStream(end, footer, footerBytes));
        meta.getRow_groups().forEach(group -> group.setSorting_columns(sorting));
        ByteArrayOutputStream out = new ByteArrayOutputStream(end.length);
        out.write(end, 0, footer);
        Util.writeFileMetaData(meta, out);
        out.write(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(out.size() - footer)
                .array());
        out.write(end, end.length - Integer.BYTES, Integer.BYTES);
        return out.toByteArray();
    }

    private final class HeldStream extends PositionOutputStream {
        private final PositionOutputStream out;
        private @Nullable ByteArrayOutputStream held;

        HeldStream(PositionOutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos() + (held == null ? 0 : held.size());
        }

        @Override
        public void write(int b) throws IOException {
            if (held == null) {
                out.write(b);
            } else {
                held.write(b);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (held == null) {
                out.write(bytes, offset, length);
            } else {
                held.write(bytes, offset, length);
            }
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            try (out) {
                if (held != null) {
                    byte[] end = held.toByteArray();
                    held = null;
                    out.write(end.length > TAIL_BYTES ? completed(end) : end);
                }
            }
        }
    }
}
