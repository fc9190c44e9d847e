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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.compress.ReaderOptions;
import org.hadoopmpsr.columnar.parquet.RowGroupPlaces;
import org.hadoopmpsr.columnar.transform.ValueBits;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.stats.RowGroup;
import org.hadoopmpsr.core.transform.PhysicalColumn;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.hadoopmpsr.core.transform.TransformedColumn;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file whose columns are read apart from each other, each row once, row group by row group. A column that the
 * file lacks has no values: schemas grow at their end. For one thread.
 */
public final class ColumnFile implements Closeable {
    /** One column of the file, row by row. */
    interface Stream {
        /** Starts a row group. */
        void startRowGroup(PageReadStore pages) throws IOException;

        /** Decodes the next rows of the row group to consecutive rows, which must be reserved. */
        void read(ColumnVector into, int at, int rows) throws IOException;
    }

    private final String path;
    private final ParquetFileReader reader;
    private final List<@Nullable Stream> streams = new ArrayList<>();

    private ColumnFile(String path, ParquetFileReader reader) {
        this.path = path;
        this.reader = reader;
    }

    /**
     * Opens a file.
     *
     * @param path names the file in messages
     * @param columns the columns to read
     * @param vectors for each column one that its values go to, or one of its class that shares the dictionary
     * @throws IOException if the file cannot be read, or holds a column in a type that does not fit
     */
    public static ColumnFile open(String path, InputFile file, List<Column> columns, List<ColumnVector> vectors)
            throws IOException {
        return open(path, ParquetFileReader.open(file, ReaderOptions.ofOneReader()), columns, vectors);
    }

    /**
     * Opens a file whose footer is known, which is not read again.
     *
     * @param path names the file in messages
     * @param columns the columns to read
     * @param vectors for each column one that its values go to, or one of its class that shares the dictionary
     * @throws IOException if the file cannot be read, or holds a column in a type that does not fit
     */
    public static ColumnFile open(
            String path, InputFile file, ParquetMetadata footer, List<Column> columns, List<ColumnVector> vectors)
            throws IOException {
        SeekableInputStream stream = file.newStream(); // the reader closes it
        try {
            return open(
                    path, ParquetFileReader.open(file, footer, ReaderOptions.ofOneReader(), stream), columns, vectors);
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private static ColumnFile open(
            String path, ParquetFileReader reader, List<Column> columns, List<ColumnVector> vectors)
            throws IOException {
        ColumnFile opened = new ColumnFile(path, reader);
        try {
            opened.select(columns, vectors);
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.reader.close();
            throw e;
        }
    }

    private void select(List<Column> columns, List<ColumnVector> vectors) throws IOException {
        MessageType schema = reader.getFileMetaData().getSchema();
        List<Type> read = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            Type type = find(schema, column.name());
            if (type == null && addTransformed(schema, column, read)) {
                continue;
            }
            if (type == null) {
                if (!column.nullable()) {
                    throw new IOException(path + " lacks the column '" + column.name() + "', which is not null");
                }
                streams.add(null);
                continue;
            }
            if (column.type() instanceof NestedType) {
                NestedStream stream = new NestedStream(
                        path, column, type, schema, reader.getFileMetaData().getCreatedBy());
                streams.add(stream);
                read.add(stream.type());
                continue;
            }
            PhysicalTypes.check(path, column, type);
            ColumnDescriptor descriptor = schema.getColumnDescription(new String[] {type.getName()});
            streams.add(new ColumnStream(descriptor, vectors.get(i), !column.nullable()));
            read.add(type);
        }
        reader.setRequestedSchema(new MessageType(schema.getName(), read));
    }

    /**
     * Reads a column that the file holds in a transform.
     *
     * @param read gets what is read for it
     * @return false if the file holds it in none
     */
    private boolean addTransformed(MessageType schema, Column column, List<Type> read) throws IOException {
        String name = transformOf(column.name());
        if (name == null) {
            return false;
        }
        TransformedColumn transform;
        try {
            transform = TransformRegistry.of(TransformName.parse(name), column.type());
        } catch (IllegalArgumentException e) {
            throw new UnsupportedTypeException(
                    path + " holds the column '" + column.name() + "' as " + name + ": " + e.getMessage());
        }
        List<ColumnDescriptor> descriptors = new ArrayList<>();
        for (PhysicalColumn part : transform.columns()) {
            Column physical = part.of(column);
            Type type = find(schema, physical.name());
            if (type == null) {
                throw new IOException(path + " lacks the column '" + physical.name() + "', which holds a part of '"
                        + column.name() + "'; the file is damaged");
            }
            PhysicalTypes.check(path, physical, type);
            descriptors.add(schema.getColumnDescription(new String[] {type.getName()}));
            read.add(type);
        }
        streams.add(new TransformedStream(column, transform, descriptors));
        return true;
    }

    /** The transform by which the file holds a column; null if it has none. */
    private @Nullable String transformOf(String column) {
        return reader.getFileMetaData().getKeyValueMetaData().entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(ValueBits.METADATA + column))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Type find(MessageType schema, String name) {
        return schema.getFields().stream()
                .filter(field -> field.getName().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    /** The number of records. */
    public long rows() {
        return reader.getRecordCount();
    }

    /** Where its row groups lie by the footer, in the order of the file. */
    public List<RowGroup> rowGroups() {
        return RowGroupPlaces.of(reader.getRowGroups());
    }

    /** True if MPSR wrote the file, which is sorted then. */
    public boolean isOfCommit() {
        return reader.getFileMetaData().getKeyValueMetaData().containsKey("mpsr.commit");
    }

    /**
     * Goes to the next row group; what is left of the one before is skipped.
     *
     * @return the number of records in it; 0 after the last one
     */
    public long nextRowGroup() throws IOException {
        PageReadStore pages = reader.readNextRowGroup();
        while (pages != null && pages.getRowCount() == 0) {
            pages = reader.readNextRowGroup();
        }
        if (pages == null) {
            return 0;
        }
        for (Stream stream : streams) {
            if (stream != null) {
                stream.startRowGroup(pages);
            }
        }
        return pages.getRowCount();
    }

    /** Decodes the next rows of a column, which must lie in the row group, to consecutive rows, which must be reserved. */
    public void read(int column, ColumnVector into, int at, int rows) throws IOException {
        Stream stream = streams.get(column);
        try {
            if (stream == null) {
                into.setNull(at, rows);
            } else {
                stream.read(into, at, rows);
            }
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    /** Marks the strings of a column's shared dictionary that rows to come may need; none for a place after the columns. */
    public void markUsed(int column, BitSet used) {
        if (column < streams.size()
                && streams.get(column) instanceof ColumnStream stream
                && stream.decoder() instanceof StringDecoder strings) {
            strings.markUsed(used);
        }
    }

    /** The strings of a column's shared dictionary have other numbers now, as {@link ByteDictionary#retain} says. */
    public void renumber(int column, int[] byOldNumber) {
        if (column < streams.size()
                && streams.get(column) instanceof ColumnStream stream
                && stream.decoder() instanceof StringDecoder strings) {
            strings.renumber(byOldNumber);
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
