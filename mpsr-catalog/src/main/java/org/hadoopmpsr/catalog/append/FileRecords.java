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
package org.hadoopmpsr.catalog.append;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.catalog.append.AddedFiles.Added;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.columnar.compress.ReaderOptions;
import org.hadoopmpsr.columnar.layout.PartitionFields;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.columnar.read.UnsupportedTypeException;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.StructType;

/**
 * The records of a file that a client of Iceberg has written, by the ids of its fields. A file that cannot be read without doubt is refused.
 * For one thread.
 */
final class FileRecords {
    private static final int CHUNK_ROWS = 4096;

    private final DatasetTable table;
    private final Schema schema;
    private final String path;
    private final DataFile described;
    private final InputFile file;

    FileRecords(DatasetTable table, Added added, FileSystem fs) {
        this.table = table;
        this.schema = table.dataset().schema();
        this.path = added.file().location();
        this.described = added.file();
        this.file = new ParquetInput(fs, added.status());
    }

    /** Work to be done after some records. */
    interface Step {
        void done() throws IOException, AppendException;
    }

    /**
     * Puts all records to a buffer.
     *
     * @param step what is done after each few thousand records; the buffer may be empty afterwards
     */
    void putAll(RecordAppender appender, Step step) throws IOException, AppendException {
        ParquetMetadata footer = footer();
        Map<Integer, String> names = names(footer.getFileMetaData().getSchema().getFields());
        List<Column> columns = new ArrayList<>();
        List<ColumnVector> vectors = new ArrayList<>();
        Map<Integer, ColumnVector> stored = new HashMap<>();
        for (int place = 0; place < schema.columns().size(); place++) {
            Column column = schema.columns().get(place);
            String name = names.get(DatasetTable.fieldId(place));
            if (name == null && !column.nullable()) {
                throw AppendException.wrong("The file " + path + " has no column '" + column.name()
                        + "', which is not null in the dataset; write it");
            }
            if (name != null) {
                if (column.type() instanceof NestedType) {
                    checkWithin(
                            DatasetTable.fieldId(place),
                            footer.getFileMetaData().getSchema().getType(name));
                }
                stored.put(place, add(inFile(name, column), columns, vectors));
            }
        }
        Map<Column, ColumnVector> derived = new HashMap<>();
        table.derived().forEach((id, column) -> {
            String name = names.get(id);
            if (name != null) {
                derived.put(column, add(new Column(name, column.type(), true), columns, vectors));
            }
        });
        try (ColumnFile opened = ColumnFile.open(path, file, footer, columns, vectors)) {
            if (opened.rows() != described.recordCount()) {
                throw AppendException.wrong("The file " + path + " has " + opened.rows() + " records, and "
                        + described.recordCount() + " by its manifest; write it again");
            }
            for (long left = opened.nextRowGroup(); left > 0; left = opened.nextRowGroup()) {
                while (left > 0) {
                    int rows = (int) Math.min(CHUNK_ROWS, left);
                    for (int i = 0; i < columns.size(); i++) {
                        opened.read(i, vectors.get(i), 0, rows);
                    }
                    checkDerived(derived, stored, rows);
                    put(appender, stored, rows);
                    step.done();
                    left -= rows;
                }
            }
        } catch (UnsupportedTypeException e) {
            throw new AppendException(AppendException.Kind.WRONG, e.getMessage(), e);
        } catch (RuntimeException e) { // what Parquet throws for pages that are none
            throw new AppendException(
                    AppendException.Kind.WRONG, "The file " + path + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static ColumnVector add(Column column, List<Column> columns, List<ColumnVector> vectors) {
        ColumnVector vector = ColumnVector.of(column.type());
        vector.reserve(CHUNK_ROWS);
        columns.add(column);
        vectors.add(vector);
        return vector;
    }

    /** A file with the rights of its file system's user. */
    private record ParquetInput(FileSystem fs, FileStatus status) implements InputFile {
        @Override
        public long getLength() {
            return status.getLen();
        }

        @Override
        public SeekableInputStream newStream() throws IOException {
            return HadoopStreams.wrap(fs.open(status.getPath()));
        }
    }

    /** Iceberg has no shorter whole numbers. */
    private static Column inFile(String name, Column column) {
        return new Column(
                name,
                switch (column.type().kind()) {
                    case TINYINT, SMALLINT -> ColumnType.INT;
                    default -> column.type();
                },
                true); // a null that may not be is found as the record ends
    }

    private ParquetMetadata footer() throws IOException, AppendException {
        try (ParquetFileReader reader = ParquetFileReader.open(file, ReaderOptions.ofOneReader())) {
            return reader.getFooter();
        } catch (RuntimeException e) { // what Parquet throws for a file that is none
            throw AppendException.wrong("The file " + path + " cannot be read: " + e.getMessage());
        }
    }

    /** The names that the fields of the file have, by their ids. */
    private Map<Integer, String> names(List<Type> types) throws AppendException {
        Map<Integer, String> names = new HashMap<>();
        Set<String> known = new HashSet<>();
        for (Type type : types) {
            if (type.getId() == null) {
                throw AppendException.wrong("The file " + path + " has no field id for the column '" + type.getName()
                        + "'; let Iceberg's own writers write it");
            }
            int id = type.getId().intValue();
            if (table.column(id).isEmpty()) {
                throw AppendException.wrong("The file " + path + " has the column '" + type.getName()
                        + "' with the field id " + id + ", which the table does not have; load the table anew, and"
                        + " write the file again");
            }
            if (names.put(id, type.getName()) != null
                    || !known.add(type.getName().toLowerCase(Locale.ROOT))) {
                throw AppendException.wrong(
                        "The file " + path + " has the column '" + type.getName() + "' twice, but for upper case");
            }
        }
        checkPartition(names);
        return names;
    }

    /** The fields within a column are read by their names, which must be those that the table has for their ids. */
    private void checkWithin(int fieldId, Type column) throws AppendException {
        Map<Integer, String> names = TypeUtil.indexNameById(
                Types.StructType.of(Objects.requireNonNull(table.schema().findField(fieldId))));
        checkWithin(names, column.asGroupType(), Objects.requireNonNull(names.get(fieldId)));
    }

    private void checkWithin(Map<Integer, String> names, GroupType group, String path) throws AppendException {
        for (Type type : group.getFields()) {
            String name = path;
            if (!type.isRepetition(Type.Repetition.REPEATED) || type.isPrimitive()) { // else a level of a list or a map
                name = path + "." + type.getName();
                if (type.getId() == null || !name.equals(names.get(type.getId().intValue()))) {
                    throw AppendException.wrong("The file " + this.path + " has the field '" + name + "' with "
                            + (type.getId() == null ? "no field id" : "the field id " + type.getId())
                            + ", and the table has another or none of this name; load the table anew, and write the file"
                            + " again, or append with Spark and the extension of MPSR");
                }
            }
            if (!type.isPrimitive()) {
                checkWithin(names, type.asGroupType(), name);
            }
        }
    }

    /** Iceberg asks writers to write the columns that a partition is made of. */
    private void checkPartition(Map<Integer, String> names) throws AppendException {
        for (PartitionField field : Objects.requireNonNull(table.specsById().get(described.specId()))
                .fields()) {
            if (!names.containsKey(field.sourceId())) {
                throw AppendException.wrong("The file " + path + " has no column for the partition field '"
                        + field.name() + "'; Iceberg asks writers to write it into the file, too");
            }
        }
    }

    private void checkDerived(Map<Column, ColumnVector> given, Map<Integer, ColumnVector> stored, int rows)
            throws AppendException {
        if (given.isEmpty()) {
            return;
        }
        IntFunction<ColumnVector> all = place -> stored.computeIfAbsent(place, p -> {
            ColumnVector none = ColumnVector.of(schema.columns().get(p).type());
            none.reserve(CHUNK_ROWS);
            none.setNull(0, CHUNK_ROWS);
            return none;
        });
        PartitionFields fields = new PartitionFields(schema, all, rows);
        for (Map.Entry<Column, ColumnVector> column : given.entrySet()) {
            ColumnVector right = fields.column(
                    table.dataset().groups().defaultGroup(), column.getKey().name());
            for (int row = 0; row < rows; row++) {
                if (!column.getValue().isNull(row) && !same(column.getValue(), right, row)) {
                    throw AppendException.wrong("The file " + path + " has the value " + text(column.getValue(), row)
                            + " in the column '" + column.getKey().name()
                            + "', which the dataset derives from other columns as " + text(right, row)
                            + "; write this value, or null where the table lets you");
                }
            }
        }
    }

    private static boolean same(ColumnVector given, ColumnVector right, int row) {
        return text(given, row).equals(text(right, row));
    }

    private static String text(ColumnVector vector, int row) {
        if (vector.isNull(row)) {
            return "null";
        }
        return vector instanceof StringVector strings
                ? "'" + strings.dictionary().text(strings.ids()[row]) + "'"
                : vector instanceof LongVector longs ? Long.toString(longs.values()[row]) : "?";
    }

    private void put(RecordAppender appender, Map<Integer, ColumnVector> stored, int rows) throws AppendException {
        for (int row = 0; row < rows; row++) {
            appender.begin();
            try {
                for (Map.Entry<Integer, ColumnVector> column : stored.entrySet()) {
                    if (!column.getValue().isNull(row)) {
                        put(appender, column.getKey(), column.getValue(), row);
                    }
                }
                appender.end(0);
            } catch (BadRecordException e) {
                throw new AppendException(
                        AppendException.Kind.WRONG,
                        "A record of the file " + path + " does not fit the dataset: " + e.getMessage(),
                        e);
            }
        }
    }

    private void put(RecordAppender appender, int place, ColumnVector vector, int row) throws BadRecordException {
        ColumnType type = schema.columns().get(place).type();
        if (vector instanceof WideDecimalVector wide) {
            appender.putDecimal(place, new BigDecimal(wide.digits(row), ((DecimalType) type).scale()));
        } else if (vector instanceof StringVector strings) {
            int id = strings.ids()[row];
            byte[] bytes = strings.dictionary().bytes();
            int start = strings.dictionary().start(id);
            int length = strings.dictionary().length(id);
            if (type instanceof NestedType) {
                appender.putNested(place, bytes, start, length);
            } else if (type == ColumnType.STRING) {
                appender.putUtf8(place, bytes, start, length);
            } else {
                appender.putBytes(place, bytes, start, length);
            }
        } else if (vector instanceof LongVector longs) {
            if (type instanceof DecimalType decimal) {
                appender.putDecimal(place, BigDecimal.valueOf(longs.values()[row], decimal.scale()));
            } else {
                appender.putLong(place, longs.values()[row]);
            }
        } else if (vector instanceof DoubleVector doubles) {
            appender.putDouble(place, doubles.values()[row]);
        } else {
            appender.putBoolean(place, ((BooleanVector) vector).values()[row]);
        }
    }

    /** @throws AppendException if records of the dataset cannot be appended yet */
    static void check(Schema schema) throws AppendException {
        for (Column column : schema.columns()) {
            if (column.type() instanceof NestedType && hasShort(column.type())) {
                throw AppendException.unsupported("The column '" + column.name() + "' is of type "
                        + column.type().ddl()
                        + ", and Iceberg has no tinyint and no smallint: a file may hold values that do"
                        + " not fit; append with Spark and the extension of MPSR");
            }
        }
    }

    private static boolean hasShort(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT -> true;
            case LIST -> hasShort(((ListType) type).element());
            case MAP -> hasShort(((MapType) type).key()) || hasShort(((MapType) type).value());
            case STRUCT -> ((StructType) type).fields().stream().anyMatch(field -> hasShort(field.type()));
            default -> false;
        };
    }
}
