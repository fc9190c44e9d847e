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
package org.hadoopmpsr.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class GroupSpecTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final int BUCKETS = 1_000;
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, system string, at timestamp not null, ns timestamp_ns not null, n bigint, i int, d date,"
                    + " t time_ns, pos struct<x:double,y:array<int>,z:bigint>, tags map<string,bigint>");

    private static ReplicaGroup group(String name, String... predicates) {
        return new ReplicaGroup(
                name, List.of(predicates).stream().map(Predicate::parse).toList(), List.of(), 1, Codec.parse("zstd"));
    }

    private static DatasetTable table(boolean fillsPartitions, ReplicaGroup... groups) {
        ReplicaGroups all = new ReplicaGroups(List.of(groups), groups[0].name());
        return new DatasetTable(new Dataset("/d/m", "m-1", SCHEMA, all, List.of(), List.of()), fillsPartitions);
    }

    private static List<String> fields(DatasetTable table, String group) {
        return table.spec(group).orElseThrow().spec().fields().stream()
                .map(field -> field.fieldId() + " " + field.name() + " " + field.transform() + " of "
                        + table.schema().findColumnName(field.sourceId()))
                .toList();
    }

    @Test
    void eachGroupHasASpecWithFieldsOfItsOwn() {
        DatasetTable table = table(
                true,
                group("time", "day(ns)"),
                group("signal", "bucket(64, signal)"),
                group("device", "system", "day(at)"));
        assertThat(fields(table, "time")).containsExactly("1000 day identity of day");
        assertThat(fields(table, "signal")).containsExactly("1001 signal_bucket bucket[64] of signal");
        assertThat(fields(table, "device"))
                .containsExactly("1002 system identity of system", "1003 day_partition day of at");
    }

    @Test
    void whatIcebergHasNoTransformForIsNoField() {
        DatasetTable table = table(
                false,
                group("time", "day(ns)"),
                group("b", "bucket(8, ns)", "bucket(8, n)"),
                group("h", "hour(at)", "truncate(3, signal)"));
        assertThat(fields(table, "time")).isEmpty();
        assertThat(fields(table, "b")).containsExactly("1001 n_bucket bucket[8] of n");
        assertThat(fields(table, "h"))
                .containsExactly("1003 hour hour of at", "1004 signal_trunc truncate[3] of signal");
    }

    /** A field of a struct is in the files, and what directories say of it is a column of its own. */
    @Test
    void directoriesOfValuesWithinStructsAreAsDerivedOnes() {
        DatasetTable table = table(true, group("i", "pos.z"), group("other", "pos.z", "bucket(4, pos.z)", "n"));
        assertThat(table.schema().findField("pos_z").fieldId()).isEqualTo(9_000);
        assertThat(fields(table, "i")).containsExactly("1000 pos_z identity of pos_z");
        assertThat(fields(table, "other")).containsExactly("1001 n identity of n");
        assertThat(table(false, group("i", "pos.z")).schema().findField("pos_z"))
                .isNull();
    }

    @Test
    void idsFollowFromPlacesAndColumnsOfDirectoriesAreForClientsThatFillThem() {
        ReplicaGroup time = group("time", "day(ns)");
        assertThat(table(true, time).schema().columns().stream().map(field -> field.fieldId() + " " + field.name()))
                .containsExactly(
                        "1 signal", "2 system", "3 at", "4 ns", "5 n", "6 i", "7 d", "9 pos", "10 tags", "9000 day");
        DatasetTable other = table(false, time);
        assertThat(other.schema().findField("day")).isNull();
        assertThat(other.schema().findField("pos.y").fieldId()).isEqualTo(90_001);
        assertThat(other.schema().findField("t"))
                .as("Iceberg's time counts microseconds")
                .isNull();
        assertThat(other.schema().findType("at")).isEqualTo(Types.TimestampType.withZone());
    }

    /** The ids of many columns, and of fields within them, are no others'. */
    @Test
    void allFieldsHaveIdsOfTheirOwn() {
        String columns = IntStream.rangeClosed(1, 40)
                .mapToObj(i -> "c" + i + " struct<day:string,x" + i + ":array<int>>")
                .collect(Collectors.joining(", ", "at timestamp, ", ""));
        ReplicaGroups groups = new ReplicaGroups(List.of(group("time", "day(at)")), "time");
        Dataset dataset = new Dataset("/d/m", "m-1", Schema.parse(columns), groups, List.of(), List.of());
        DatasetTable table = new DatasetTable(dataset, true);
        assertThat(TypeUtil.indexById(table.schema().asStruct())).hasSize(1 + 40 * 4 + 1);
        int within = table.schema().findField("c20.day").fieldId();
        assertThat(table.column(within)).as("no column").isEmpty();
        assertThat(table.columnAround(within)).get().extracting(Column::name).isEqualTo("c20");
        assertThat(table.column(table.schema().findField("day").fieldId()))
                .get()
                .extracting(Column::name)
                .isEqualTo("day");
    }

    /** A client that fills no columns would see none in the default group's files. */
    @Test
    void columnsThatDirectoriesHaveAreForClientsThatFillThem() {
        ReplicaGroup[] groups = {group("place", "system", "day(at)"), group("other", "system")};
        assertThat(fields(table(true, groups), "place"))
                .containsExactly("1000 system identity of system", "1001 day identity of day");
        DatasetTable other = table(false, groups);
        assertThat(other.schema().findField("system")).isNull();
        assertThat(other.schema().findField("signal")).isNotNull();
        assertThat(fields(other, "place")).containsExactly("1000 day day of at");
        assertThat(fields(other, "other")).isEmpty();
    }

    /** A directory stands for null and for the empty string: the default group's readers take it for null, and other groups' files tell. */
    @Test
    void whatDirectoriesDoNotTellFilesDo() {
        DatasetTable table = table(true, group("place", "system"), group("other", "system"));
        String file = "/d/m/system=" + PartitionPath.NULL + "/f.parquet";
        assertThat(table.spec("place").orElseThrow().partition(file))
                .hasValueSatisfying(
                        tuple -> assertThat(tuple.get(0, Object.class)).isNull());
        assertThat(table.spec("other").orElseThrow().partition(file)).isEmpty();
        assertThat(table.specsById().get(table.undivided().specId()).isUnpartitioned())
                .isTrue();
    }

    /** Files of a bucket or another partition are where Iceberg looks for their records. */
    @Test
    void transformsGiveWhatThoseOfIcebergGive() {
        DatasetTable table = table(
                true,
                group("time", "day(at)"),
                group("all", "bucket(16, signal)", "bucket(7, n)", "bucket(5, i)", "truncate(10, i)", "system"));
        GroupSpec spec = table.spec("all").orElseThrow();
        for (int seed = 0; seed < 300; seed++) {
            List<Object> source = List.of(
                    "sig é" + seed,
                    seed * 7_919_000_003L,
                    (long) seed * 31 - 400,
                    (long) seed * 31 - 400,
                    "s" + seed % 5);
            List<Object> tuple = new java.util.ArrayList<>();
            for (int place = 0; place < source.size(); place++) {
                Predicate predicate = spec.group().predicates().get(place);
                tuple.add(predicate.transform().apply(predicate.source(SCHEMA).type(), source.get(place)));
            }
            List<Column> directories = spec.group().partitionFields(SCHEMA);
            var found = spec.partition("/d/m/" + PartitionPath.of(directories, tuple) + "/f.parquet")
                    .orElseThrow();
            for (int place = 0; place < source.size(); place++) {
                PartitionField field = spec.spec().fields().get(place);
                boolean isInt = SCHEMA.find(spec.group().predicates().get(place).column())
                                .orElseThrow()
                                .type()
                        == ColumnType.INT;
                Object value = isInt ? (Object) ((Long) source.get(place)).intValue() : source.get(place);
                Object expected = iceberg(field, table, value);
                assertThat(found.get(place, Object.class))
                        .as("%s of %s", field, value)
                        .isEqualTo(expected);
            }
        }
        assertThat(new PartitionTransform.Time(PartitionTransform.Time.Unit.DAY).apply(ColumnType.TIMESTAMP, -1L))
                .isEqualTo(-1L);
    }

    /** Values of all ages and sizes, of each type, in each transform that both have. */
    @Test
    void everyTransformOfEveryTypeIsIcebergs() {
        Schema schema = Schema.parse("s string, at timestamp, l timestamp_ntz, d date, n bigint, i int, t smallint");
        List<String> predicates = Stream.concat(
                        Stream.of("s", "at", "l", "d", "n", "i", "t")
                                .map(name -> "bucket(" + BUCKETS + ", " + name + ")"),
                        Stream.concat(
                                Stream.of("at", "l", "d")
                                        .flatMap(name -> Stream.of("year", "month", "day", "hour")
                                                .filter(unit -> !(unit + name).equals("hourd"))
                                                .map(unit -> unit + "(" + name + ")")),
                                Stream.of("truncate(3, s)", "truncate(10, n)", "truncate(7, i)", "truncate(7, t)")))
                .toList();
        Random random = new Random(SEED);
        int compared = 0;
        for (String text : predicates) {
            ReplicaGroups groups = new ReplicaGroups(List.of(group("time", "bucket(3, t)"), group("g", text)), "time");
            DatasetTable table =
                    new DatasetTable(new Dataset("/d/m", "m-1", schema, groups, List.of(), List.of()), false);
            GroupSpec spec = table.spec("g").orElseThrow();
            Predicate predicate = Predicate.parse(text);
            assertThat(spec.spec().fields()).as(text).hasSize(1);
            for (int i = 0; i < 500; i++) {
                ColumnType type = predicate.source(schema).type();
                Object value = value(random, type);
                Object ours = predicate.transform().apply(type, value);
                String path = "/d/m/" + PartitionPath.of(spec.directories(), List.of(ours)) + "/f.parquet";
                if (path.contains(PartitionPath.NULL)) {
                    continue; // a directory of the empty text tells nothing
                }
                Object found = spec.partition(path).orElseThrow().get(0, Object.class);
                boolean isInt = type == ColumnType.INT || type == ColumnType.SMALLINT || type == ColumnType.DATE;
                Object expected =
                        iceberg(spec.spec().fields().get(0), table, isInt ? (Object) ((Long) value).intValue() : value);
                assertThat(found).as("seed %d: %s of %s", SEED, text, value).isEqualTo(expected);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(predicates.size() * 400);
    }

    private static Object value(Random random, ColumnType type) {
        long any = random.nextLong() >> random.nextInt(64);
        return switch (type.kind()) {
            case STRING ->
                new String(random.ints(random.nextInt(12), 0, 0x11000)
                        .filter(c -> c > ' ' && (c < 0xd800 || c > 0xdfff))
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append));
            case SMALLINT -> (long) (short) any;
            case INT -> (long) (int) any;
            case DATE -> any % 3_000_000; // years of up to four digits, before and after our era
            case TIMESTAMP, TIMESTAMP_NTZ -> any % 250_000_000_000_000_000L;
            default -> any;
        };
    }

    /** What no sink writes. */
    @Test
    void aDirectoryThatNamesNoMonthIsOfNoPartition() {
        GroupSpec spec = table(false, group("time", "month(at)")).spec("time").orElseThrow();
        assertThat(spec.partition("/d/m/month=2026-11/f.parquet"))
                .hasValueSatisfying(
                        tuple -> assertThat(tuple.get(0, Object.class)).isEqualTo(56 * 12 + 10));
        assertThat(spec.partition("/d/m/month=november/f.parquet")).isEmpty();
    }

    @SuppressWarnings("unchecked")
    private static Object iceberg(PartitionField field, DatasetTable table, Object value) {
        var transform = (org.apache.iceberg.transforms.Transform<Object, Object>) field.transform();
        return transform.bind(table.schema().findType(field.sourceId())).apply(value);
    }
}
