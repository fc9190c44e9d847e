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
package org.hadoopmpsr.columnar.read;

import java.io.IOException;
import java.util.Objects;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.jspecify.annotations.Nullable;

/**
 * One nested column of a file, row by row. Parquet's own reader puts the values of a row together, and their form goes to where
 * the caller wants the row. For one thread.
 */
final class NestedStream implements ColumnFile.Stream {
    private final Column column;
    private final Type type;
    private final MessageColumnIO io;
    private final NestedWriter form = new NestedWriter();
    private final Materializer materializer;
    private boolean isPresent;
    private @Nullable RecordReader<Object> rows;

    /**
     * Prepares to read a column.
     *
     * @param path names the file in messages
     * @param ofFile the column in the schema of the file
     * @throws UnsupportedTypeException if the file holds the column in a type that does not fit
     */
    NestedStream(String path, Column column, Type ofFile, MessageType file, String createdBy)
            throws UnsupportedTypeException {
        this.column = column;
        NestedConverters.Made made = new NestedConverters(form)
                .make(column.type(), ofFile, () -> isPresent = true)
                .orElseThrow(() -> PhysicalTypes.misfit(path, column, ofFile));
        if (ofFile.isRepetition(Type.Repetition.REPEATED)) {
            throw PhysicalTypes.misfit(path, column, ofFile);
        }
        type = made.type();
        materializer = new Materializer(made.converter());
        io = new ColumnIOFactory(createdBy).getColumnIO(new MessageType(file.getName(), type), file);
    }

    /** What is read of the column. */
    Type type() {
        return type;
    }

    @Override
    public void startRowGroup(PageReadStore pages) {
        rows = io.getRecordReader(pages, materializer);
    }

    @Override
    public void read(ColumnVector into, int at, int count) throws IOException {
        NestedVector vector = (NestedVector) into;
        RecordReader<Object> reader = Objects.requireNonNull(rows);
        for (int row = at; row < at + count; row++) {
            isPresent = false;
            form.clear();
            reader.read();
            if (isPresent) {
                vector.set(row, vector.dictionary().intern(form.bytes(), 0, form.size()));
            } else if (column.nullable()) {
                vector.setNull(row, 1);
            } else {
                throw new IOException(
                        "column '" + column.name() + "' is not null, but the file has a record without a value for it");
            }
        }
    }

    /** The record is in the form; nothing else is made of it. */
    private static final class Materializer extends RecordMaterializer<Object> {
        private static final Object RECORD = new Object();

        private final GroupConverter root;

        Materializer(Converter column) {
            root = new GroupConverter() {
                @Override
                public Converter getConverter(int field) {
                    return column;
                }

                @Override
                public void start() {}

                @Override
                public void end() {}
            };
        }

        @Override
        public Object getCurrentRecord() {
            return RECORD;
        }

        @Override
        public GroupConverter getRootConverter() {
            return root;
        }
    }
}
