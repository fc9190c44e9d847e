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
package org.hadoopmpsr.columnar.nested;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.columnar.read.UnsupportedTypeException;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NestedColumnsTest {
    private static final Schema SCHEMA = Schema.parse(
            "pos struct<x:double,y:double,at:timestamp>, id bigint not null,"
                    + " samples array<float>, tags map<string,int>,"
                    + " deep array<struct<name:string,parts:array<array<bigint>>,by:map<date,struct<ok:boolean,d:decimal(38,3),e:decimal(7,2)>>>>");
    private static final int ROWS = 800;

    @TempDir
    Path dir;

    private List<List<Object>> records(long seed) {
        List<List<Object>> records = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            Random random = new Random(seed * ROWS + row);
            random.nextInt();
            List<Object> record = new ArrayList<>();
            for (Column column : SCHEMA.columns()) {
                boolean isNull = column.nullable() && random.nextInt(5) == 0;
                record.add(isNull ? null : NestedTrees.random(column.type(), random));
            }
            records.add(record);
        }
        return records;
    }

    private static RecordBuffer buffer(List<List<Object>> records) throws Exception {
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RecordAppender appender = new RecordAppender(buffer);
        NestedWriter form = new NestedWriter();
        for (List<Object> record : records) {
            appender.begin();
            for (int i = 0; i < record.size(); i++) {
                if (record.get(i) instanceof Long number) {
                    appender.putLong(i, number);
                } else if (record.get(i) != null) {
                    form.clear();
                    NestedTrees.write(SCHEMA.columns().get(i).type(), record.get(i), form);
                    appender.putNested(i, form);
                }
            }
            appender.end(0);
        }
        return buffer;
    }

    /** Parquet's own reader reads what is written, and so does ours, in row groups and in any order of rows. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void readsBackWhatItWrites(long seed) throws Exception {
        List<List<Object>> records = records(seed);
        RecordBuffer buffer = buffer(records);
        int[] order = IntStream.range(0, ROWS).map(i -> ROWS - 1 - i).toArray();
        List<FileColumn> columns = new ArrayList<>();
        for (int i = 0; i < SCHEMA.columns().size(); i++) {
            columns.add(new FileColumn(SCHEMA.columns().get(i), buffer.vector(i), () -> new int[0], false));
        }
        Path path = dir.resolve("ours.parquet");
        ColumnarParquetFile.Written written;
        try (ColumnarParquetFile file = ColumnarParquetFile.begin(
                new LocalOutputFile(path), columns, List.of(SortKey.of("id")), Codecs.parse("zstd:1"), Map.of())) {
            file.writeAll(new SortedRows(order, 0, ROWS, null), 1000);
            written = file.finish();
        }

        try (ParquetFileReader reader = ParquetRows.open(path)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            int row = ROWS;
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                RecordReader<Group> rows = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
                for (long i = 0; i < pages.getRowCount(); i++) {
                    Group group = rows.read();
                    row--;
                    for (int c = 0; c < SCHEMA.columns().size(); c++) {
                        Column column = SCHEMA.columns().get(c);
                        assertThat(NestedTrees.get(column.type(), group, column.name()))
                                .as("column %s of row %s", column.name(), row)
                                .isEqualTo(records.get(row).get(c));
                    }
                }
            }
            assertThat(row).isZero();
            indexes(reader);
        }
        for (int c = 0; c < SCHEMA.columns().size(); c++) {
            int place = c;
            ColumnStatistics statistics = written.columns().get(c);
            assertThat(statistics.nullCount())
                    .isEqualTo(
                            records.stream().filter(r -> r.get(place) == null).count());
            assertThat(statistics.bytes()).isPositive();
        }
        assertThat(sortingColumn(path)).isEqualTo(3); // behind the three of the struct
        compare(path, records, order);
    }

    private static int sortingColumn(Path path) throws Exception {
        byte[] bytes = java.nio.file.Files.readAllBytes(path);
        int length = java.nio.ByteBuffer.wrap(bytes)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getInt(bytes.length - 8);
        return org.apache.parquet.format.Util.readFileMetaData(
                        new java.io.ByteArrayInputStream(bytes, bytes.length - 8 - length, length))
                .getRow_groups()
                .get(0)
                .getSorting_columns()
                .get(0)
                .getColumn_idx();
    }

    /** Readers skip pages by rows: each page begins with one. */
    private static void indexes(ParquetFileReader reader) throws Exception {
        for (BlockMetaData block : reader.getRowGroups()) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                OffsetIndex index = reader.readOffsetIndex(chunk);
                assertThat(index).as(chunk.getPath().toString()).isNotNull();
                assertThat(index.getFirstRowIndex(0)).isZero();
                assertThat(reader.readColumnIndex(chunk))
                        .as(chunk.getPath().toString())
                        .isNotNull();
            }
        }
    }

    /** Ours reads what Parquet's own writer makes, of both versions. */
    @ParameterizedTest
    @ValueSource(strings = {"PARQUET_1_0", "PARQUET_2_0"})
    void readsWhatOthersWrite(WriterVersion version) throws Exception {
        List<List<Object>> records = records(7);
        MessageType type = new MessageType(
                "record", SCHEMA.columns().stream().map(ParquetTypes::of).toList());
        Path path = write(type, version, ROWS, (group, row) -> {
            for (int i = 0; i < SCHEMA.columns().size(); i++) {
                Column column = SCHEMA.columns().get(i);
                if (records.get(row).get(i) != null) {
                    NestedTrees.add(column.type(), records.get(row).get(i), group, column.name());
                }
            }
        });
        compare(path, records, IntStream.range(0, ROWS).toArray());
    }

    private Path write(MessageType type, WriterVersion version, int rows, BiConsumer<Group, Integer> fill)
            throws Exception {
        Path path = dir.resolve("others.parquet");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(path))
                .withConf(new PlainParquetConfiguration())
                .withType(type)
                .withWriterVersion(version)
                .withPageSize(2000)
                .withRowGroupSize(32 << 10)
                .build()) {
            for (int row = 0; row < rows; row++) {
                Group group = new SimpleGroup(type);
                fill.accept(group, row);
                writer.write(group);
            }
        }
        return path;
    }

    private static void compare(Path path, List<List<Object>> records, int[] order) throws Exception {
        for (int c = 0; c < SCHEMA.columns().size(); c++) {
            Column column = SCHEMA.columns().get(c);
            if (column.name().equals("id")) {
                continue;
            }
            NestedVector vector = read(path, column);
            for (int row = 0; row < order.length; row++) {
                Object expected = records.get(order[row]).get(c);
                assertThat(form(vector, row))
                        .as("column %s of row %s", column.name(), row)
                        .isEqualTo(expected == null ? null : form(column.type(), expected));
            }
        }
    }

    private static NestedVector read(Path path, Column column) throws Exception {
        NestedVector vector = (NestedVector) ColumnVector.of(column.type());
        try (ColumnFile file =
                ColumnFile.open("f", new LocalInputFile(path), List.of(column), List.of((ColumnVector) vector))) {
            vector.reserve((int) file.rows());
            int at = 0;
            for (long rows = file.nextRowGroup(); rows > 0; rows = file.nextRowGroup()) {
                int some = (int) rows / 3;
                file.read(0, vector, at, some);
                file.read(0, vector, at + some, (int) rows - some);
                at += (int) rows;
            }
            assertThat(at).isEqualTo((int) file.rows());
        }
        return vector;
    }

    private static ByteBuffer form(NestedVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        ByteDictionary all = vector.dictionary();
        int id = vector.ids()[row];
        return ByteBuffer.wrap(Arrays.copyOfRange(all.bytes(), all.start(id), all.end(id)));
    }

    private static ByteBuffer form(ColumnType type, Object value) {
        NestedWriter out = new NestedWriter();
        NestedTrees.write(type, value, out);
        return ByteBuffer.wrap(Arrays.copyOf(out.bytes(), out.size()));
    }

    /** The examples of the rules in Parquet's specification, with the elements 1 and 2. */
    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "array<int>|optional group c (LIST) { repeated int32 element; }",
                "array<int>|optional group c (LIST) { repeated group list { optional int32 item; } }",
                "array<int>|optional group c (LIST) { repeated group bag { optional int32 array_element; } }",
                "array<struct<x:int>>|optional group c (LIST) { repeated group array { required int32 x; } }",
                "array<struct<x:int>>|optional group c (LIST) { repeated group c_tuple { required int32 x; } }",
                "array<struct<x:int>>|optional group c (LIST) { repeated group element { required int32 x; required int32 y; } }",
                "array<struct<x:int>>|optional group c (LIST) { repeated group list { required group element { required int32 x; } } }",
                "map<int,int>|optional group c (MAP) { repeated group map { required int32 key; optional int32 value; } }",
                "map<int,int>|optional group c (MAP_KEY_VALUE) { repeated group map { required int32 key; required int32 value; } }",
                "struct<x:bigint>|optional group c { required int32 y; optional int32 X; }",
            })
    void readsTheListsOfOldWriters(String ddl, String type) throws Exception {
        MessageType schema = MessageTypeParser.parseMessageType("message m { " + type + " }");
        Path path = write(schema, WriterVersion.PARQUET_1_0, 3, (group, row) -> {
            if (row == 1) {
                return;
            }
            Group c = group.addGroup("c");
            for (int element = 1; row == 2 && element <= 2; element++) {
                fill(c, element);
                if (ddl.startsWith("struct")) {
                    break;
                }
            }
            if (row == 0 && ddl.startsWith("struct")) {
                c.add("y", 7);
            }
        });
        Column column = Schema.parse("c " + ddl).columns().get(0);
        NestedVector vector = read(path, column);
        Object both = ddl.startsWith("array<struct")
                ? List.of(Map.of("x", 1L), Map.of("x", 2L))
                : ddl.startsWith("array")
                        ? List.of(1L, 2L)
                        : ddl.startsWith("map") ? List.of(List.of(1L, 1L), List.of(2L, 2L)) : Map.of("x", 1L);
        Object none = ddl.startsWith("struct") ? Map.of() : List.of();
        assertThat(form(vector, 0)).isEqualTo(form(column.type(), none));
        assertThat(vector.isNull(1)).isTrue();
        assertThat(form(vector, 2)).isEqualTo(form(column.type(), both));
    }

    /** Sets all numbers within the next element, down to the last level. */
    private static void fill(Group group, int element) {
        for (var field : group.getType().getFields()) {
            if (field.isPrimitive()) {
                group.add(field.getName(), element);
            } else {
                fill(group.addGroup(field.getName()), element);
            }
        }
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "array<int>|repeated int32 c",
                "array<int>|optional int32 c",
                "array<int>|optional group c { optional int32 element; }",
                "array<int>|optional group c (LIST) { repeated int64 element; }",
                "array<timestamp>|optional group c (LIST) { repeated int96 element; }",
                "map<int,int>|optional group c (MAP) { repeated group map { required int32 key; } }",
                "map<int,int>|optional group c (MAP) { repeated group map { required int32 key; repeated int32 value; } }",
                "array<int>|optional group c (LIST) { repeated group list { repeated int32 element; } }",
                "struct<x:int>|optional group c { required int32 y; }",
                "struct<x:int>|optional group c { repeated int32 x; }",
                "struct<x:int>|optional int32 c",
            })
    void refusesTypesThatDoNotFit(String ddl, String type) throws Exception {
        String field = type.endsWith("}") ? type : type + ";";
        MessageType schema = MessageTypeParser.parseMessageType("message m { " + field + " }");
        Path path = write(schema, WriterVersion.PARQUET_1_0, 0, (group, row) -> {});
        Column column = Schema.parse("c " + ddl).columns().get(0);
        assertThatThrownBy(() -> read(path, column))
                .isInstanceOf(UnsupportedTypeException.class)
                .hasMessageContaining("and that does not fit; write the file anew with " + ddl);
    }

    /** A longer list in one row than a page takes. */
    @Test
    void aRowMayTakeMoreThanAPage() throws Exception {
        Column column = Schema.parse("c array<bigint>").columns().get(0);
        List<Object> longList = new ArrayList<>();
        new Random(3).longs(150_000).forEach(longList::add);
        NestedVector vector = new NestedVector();
        vector.reserve(3);
        NestedWriter form = new NestedWriter();
        List<Object> values = List.of(List.of(1L), longList, List.of());
        for (int row = 0; row < 3; row++) {
            form.clear();
            NestedTrees.write(column.type(), values.get(row), form);
            vector.set(row, vector.dictionary().intern(form.bytes(), 0, form.size()));
        }
        Path path = dir.resolve("long.parquet");
        try (ColumnarParquetFile file = ColumnarParquetFile.begin(
                new LocalOutputFile(path),
                List.of(new FileColumn(column, vector, () -> new int[0], false)),
                List.of(),
                Codecs.parse("none"),
                Map.of())) {
            file.writeAll(new SortedRows(new int[] {0, 1, 2}, 0, 3, null), 1000);
            file.finish();
        }
        NestedVector found = read(path, column);
        for (int row = 0; row < 3; row++) {
            assertThat(form(found, row)).isEqualTo(form(column.type(), values.get(row)));
        }
    }
}
