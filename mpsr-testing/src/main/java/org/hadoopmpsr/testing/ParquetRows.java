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
package org.hadoopmpsr.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads Parquet files with parquet-java's own record reader, to values as columns hold them; but binary values are byte buffers, and
 * decimals in bytes the digits without the point.
 */
public final class ParquetRows {

    private ParquetRows() {}

    /** Opens a file. */
    public static ParquetFileReader open(Path file) throws IOException {
        return ParquetFileReader.open(new LocalInputFile(file), options());
    }

    /** The columns that the footer says each row group is sorted by; null where it says nothing. */
    public static List<@Nullable List<String>> sortedBy(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
        FileMetaData meta = Util.readFileMetaData(new ByteArrayInputStream(bytes, bytes.length - 8 - length, length));
        List<@Nullable List<String>> groups = new ArrayList<>();
        for (RowGroup group : meta.getRow_groups()) {
            List<String> names = null;
            for (SortingColumn column :
                    group.isSetSorting_columns() ? group.getSorting_columns() : List.<SortingColumn>of()) {
                names = names == null ? new ArrayList<>() : names;
                names.add(meta.getSchema().get(1 + column.getColumn_idx()).getName()
                        + (column.isDescending() ? " desc" : "")
                        + (column.isNulls_first() ? "" : " nulls last"));
            }
            groups.add(names);
        }
        return groups;
    }

    /** All rows, in their order. */
    public static List<Map<String, Object>> read(Path file) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (ParquetFileReader reader = open(file)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                RecordReader<Group> records = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
                for (long i = 0; i < pages.getRowCount(); i++) {
                    rows.add(row(schema, records.read()));
                }
            }
        }
        return rows;
    }

    private static Map<String, Object> row(MessageType schema, Group group) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (Type type : schema.getFields()) {
            String name = type.getName();
            row.put(
                    name,
                    group.getFieldRepetitionCount(name) == 0
                            ? null
                            : switch (type.asPrimitiveType().getPrimitiveTypeName()) {
                                case BINARY ->
                                    type.getLogicalTypeAnnotation() == null
                                            ? ByteBuffer.wrap(
                                                    group.getBinary(name, 0).getBytes())
                                            : group.getString(name, 0);
                                case FIXED_LEN_BYTE_ARRAY ->
                                    new BigInteger(group.getBinary(name, 0).getBytes());
                                case INT32 -> (long) group.getInteger(name, 0);
                                case INT64 -> group.getLong(name, 0);
                                case FLOAT -> (double) group.getFloat(name, 0);
                                case DOUBLE -> group.getDouble(name, 0);
                                case BOOLEAN -> group.getBoolean(name, 0);
                                default -> throw new IllegalStateException(name);
                            });
        }
        return row;
    }

    /** Of one reader alone: they hold decompressors. Parquet's default reads Hadoop's configuration files for each file that is opened. */
    private static ParquetReadOptions options() {
        return ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    }
}
