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
package org.hadoopmpsr.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.util.PartitionUtil;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.catalog.Gateway;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Iceberg's own client reads a dataset through a gateway. */
@TestInstance(Lifecycle.PER_CLASS)
class StockClientTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261127);
    private static final TableIdentifier MEAS = TableIdentifier.of("cals", "meas");

    private MiniDFSCluster dfs;
    private WrittenDataset dataset;
    private CatalogServer server;
    private RESTCatalog catalog;

    @BeforeAll
    void start() throws Exception {
        Configuration conf = MiniCluster.stock();
        MiniCluster.addThreeGroups(conf);
        conf.set("dfs.mpsr.replica.group.device.predicates", "device");
        String own = UserGroupInformation.getCurrentUser().getShortUserName();
        conf.set("hadoop.proxyuser." + own + ".hosts", "*");
        conf.set("hadoop.proxyuser." + own + ".groups", "*");
        ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
        dfs = MiniCluster.start(MiniCluster.builder(conf, 3, 3));
        dataset = new WrittenDataset(dfs, "/cals/meas");
        Random random = new Random(SEED);
        dataset.commit(random, 300);
        try (MpsrClient client = dataset.client()) {
            client.tag("/cals/meas", null, "first", null);
        }
        dataset.commit(random, 200);
        server = CatalogServer.start(
                new Configuration(dfs.getConfiguration(0)),
                dfs.getURI(),
                new Gateway.Options("127.0.0.1", 0, 3, 1 << 20));
        catalog = new RESTCatalog();
        catalog.setConf(new Configuration(dfs.getConfiguration(0)));
        catalog.initialize(
                "mpsr",
                Map.of(
                        "uri",
                        server.uri().toString(),
                        "io-impl",
                        HadoopFileIO.class.getName(),
                        "rest.auth.type",
                        "none"));
    }

    @AfterAll
    void stop() throws IOException {
        if (catalog != null) {
            catalog.close();
        }
        if (server != null) {
            server.close();
        }
        if (dfs != null) {
            dfs.shutdown(true);
        }
    }

    @Test
    void datasetsAreTablesOfTheirDirectories() {
        assertThat(catalog.listNamespaces()).containsExactly(Namespace.of("cals"));
        assertThat(catalog.listTables(Namespace.of("cals"))).containsExactly(MEAS);
        assertThat(catalog.tableExists(MEAS)).isTrue();
        assertThat(catalog.tableExists(TableIdentifier.of("cals", "other"))).isFalse();
        assertThatThrownBy(() -> catalog.loadTable(TableIdentifier.of("cals", "meas$none")))
                .isInstanceOf(NoSuchTableException.class)
                .hasMessageContaining("replica groups [time, signal, device]");
        assertThatThrownBy(() -> catalog.dropTable(MEAS)).hasMessageContaining("does not support");
        Table table = catalog.loadTable(MEAS);
        assertThat(table.schema().columns().stream().map(field -> field.name()))
                .containsExactly("signal", "device", "timestamp_ns", "value", "quality", "day");
        assertThat(table.specs()).as("one of each group, and one of none").hasSize(4);
        assertThat(table.currentSnapshot().sequenceNumber()).isPositive();
    }

    @Test
    void eachFilterReadsTheCheapestGroupAndGivesTheRightRecords() throws IOException {
        Table table = catalog.loadTable(MEAS);
        assertThat(groups(table, Expressions.equal("signal", "SIG3"))).containsExactly("signal");
        assertThat(groups(table, Expressions.equal("day", "2013-10-22"))).containsExactly("time");
        Random random = new Random(SEED);
        for (int i = 0; i < 60; i++) {
            Expression filter = filter(random, 2);
            check(table.newScan().filter(filter), filter, dataset.records(), "seed " + SEED + ", " + filter);
        }
    }

    @Test
    void aNameOfAGroupReadsThisGroup() throws IOException {
        for (String name : List.of("time", "signal", "device")) {
            Table table = catalog.loadTable(TableIdentifier.of("cals", "meas$" + name));
            assertThat(groups(table, Expressions.equal("signal", "SIG3"))).containsExactly(name);
            check(table.newScan(), Expressions.alwaysTrue(), dataset.records(), name);
        }
    }

    @Test
    void aSnapshotIsAnEarlierState() throws IOException {
        Table table = catalog.loadTable(MEAS);
        check(
                table.newScan().useRef("first"),
                Expressions.alwaysTrue(),
                dataset.records().subList(0, 300),
                "the first commit");
        assertThatThrownBy(() -> read(table.newScan().useRef("second"), null)).hasMessageContaining("second");
    }

    @Test
    void aFilterThatDoesNotFitIsExplained() {
        Table table = catalog.loadTable(MEAS);
        assertThatThrownBy(() -> groups(table, Expressions.equal("missing", 3))).hasMessageContaining("missing");
    }

    /** The groups whose files are read, each with its own spec, but for files whose directory may be that of null. */
    private static Set<String> groups(Table table, Expression filter) throws IOException {
        List<String> all = List.of(table.properties().get("mpsr.groups").split(","));
        Set<String> groups = new HashSet<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().filter(filter).planFiles()) {
            tasks.forEach(task -> {
                String path = URI.create(task.file().location()).getPath();
                String group = path.startsWith("/cals/meas/") ? all.get(0) : path.split("/")[4];
                int spec = path.contains(PartitionPath.NULL) ? all.size() : all.indexOf(group);
                assertThat(task.file().specId()).as(path).isEqualTo(spec);
                groups.add(group);
            });
        }
        return groups;
    }

    private void check(TableScan scan, Expression filter, List<Map<String, Object>> all, String what)
            throws IOException {
        List<String> expected = new ArrayList<>();
        Evaluator passes = new Evaluator(scan.table().schema().asStruct(), filter);
        for (Map<String, Object> record : all) {
            Record row = GenericRecord.create(scan.table().schema());
            record.forEach(row::setField);
            row.setField("day", (int) ((Long) record.get("timestamp_ns") / 86_400_000_000_000L));
            if (passes.eval(row)) {
                expected.add(text(row, row.getField("day")));
            }
        }
        assertThat(read(scan, passes)).as(what).containsExactlyInAnyOrderElementsOf(expected);
    }

    private List<String> read(TableScan scan, Evaluator passes) throws IOException {
        List<String> rows = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
            for (FileScanTask task : tasks) {
                read(scan.table(), task, passes, rows);
            }
        }
        return rows;
    }

    private static void read(Table table, FileScanTask task, Evaluator passes, List<String> rows) {
        Map<Integer, Object> constants = new HashMap<>(PartitionUtil.constantsMap(task, (type, value) -> value));
        try (CloseableIterable<Record> records = Parquet.read(
                        table.io().newInputFile(task.file().location()))
                .project(table.schema())
                .withNameMapping(NameMappingParser.fromJson(table.properties().get("schema.name-mapping.default")))
                .createReaderFunc(type -> GenericParquetReaders.buildReader(table.schema(), type, constants))
                .build()) {
            Predicate<Record> kept = row -> {
                Record plain = row.copy();
                if (row.getField("day") instanceof java.time.LocalDate day) {
                    plain.setField("day", (int) day.toEpochDay());
                }
                return passes.eval(plain);
            };
            for (Record row : records) {
                if (kept.test(row)) {
                    Object day = row.getField("day");
                    rows.add(text(
                            row, day instanceof java.time.LocalDate date ? (Object) (int) date.toEpochDay() : day));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Record row, Object day) {
        return row.getField("signal") + " " + row.getField("device") + " " + row.getField("timestamp_ns") + " "
                + row.getField("value") + " " + row.getField("quality") + " " + day;
    }

    private static Expression filter(Random random, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            Expression left = filter(random, depth - 1);
            Expression right = filter(random, depth - 1);
            return switch (random.nextInt(5)) {
                case 0, 1, 2 -> Expressions.and(left, right);
                case 3 -> Expressions.or(left, right);
                default -> Expressions.not(left);
            };
        }
        String signal = "SIG" + random.nextInt(11);
        return switch (random.nextInt(12)) {
            case 0 -> Expressions.equal("signal", signal);
            case 1 -> Expressions.in("signal", signal, "SIG" + random.nextInt(10));
            case 2 -> Expressions.notIn("device", "DEV" + random.nextInt(3));
            case 3 -> Expressions.startsWith("device", "DEV" + random.nextInt(4));
            case 4 -> Expressions.notStartsWith("signal", signal);
            case 5 -> Expressions.lessThan("value", random.nextInt(100) / 4.0);
            case 6 -> Expressions.greaterThanOrEqual("value", random.nextInt(100) / 4.0);
            case 7 -> Expressions.isNull(random.nextBoolean() ? "value" : "quality");
            case 8 -> Expressions.notNull("quality");
            case 9 -> Expressions.notEqual("quality", random.nextInt(3));
            case 10 -> Expressions.greaterThan("day", "2013-10-2" + (2 + random.nextInt(5)));
            default -> Expressions.equal("device", "DEV" + random.nextInt(3));
        };
    }
}
