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
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.IncrementalAppendScan;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Iceberg's own planning, which reads manifests, finds the files of the default group, or of the group that the table's name says. */
class ClientPlansTest {
    private static final TableIdentifier MEAS = TableIdentifier.of("cals", "meas");

    private RunningGateway gateway;
    private Configuration conf;

    @BeforeEach
    void start() throws Exception {
        gateway = new RunningGateway();
        conf = new Configuration(gateway.dfs().getConfiguration(0));
    }

    @AfterEach
    void stop() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
    }

    /** The table, for a client that does not let the server plan. */
    private Table table(TableIdentifier name) throws IOException {
        try (RESTCatalog catalog = gateway.catalog()) {
            return new BaseTable(new Fixed(metadata(catalog.loadTable(name)), new HadoopFileIO(conf)), name.toString());
        }
    }

    private static TableMetadata metadata(Table table) {
        return ((HasTableOperations) table).operations().current();
    }

    private record Fixed(TableMetadata current, FileIO io) implements TableOperations {
        @Override
        public TableMetadata refresh() {
            return current;
        }

        @Override
        public void commit(TableMetadata base, TableMetadata metadata) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String metadataFileLocation(String fileName) {
            throw new UnsupportedOperationException();
        }

        @Override
        public LocationProvider locationProvider() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void eachFilterGivesTheRightRecordsOfEachGroup() throws Exception {
        Random random = new Random(RunningGateway.SEED);
        for (String group : List.of("", "$signal", "$device")) {
            Table table = table(TableIdentifier.of("cals", "meas" + group));
            String root = group.isEmpty() ? "/cals/meas/day=" : "/" + group.substring(1) + "/";
            for (FileScanTask task : tasks(table, Expressions.alwaysTrue())) {
                assertThat(task.file().location()).contains(root);
            }
            for (int i = 0; i < 20; i++) {
                Expression filter = TableChecks.filter(random, 2);
                String what = "seed " + RunningGateway.SEED + ", " + filter + " of " + group;
                TableChecks.check(
                        table.newScan().filter(filter),
                        filter,
                        gateway.dataset().records(),
                        what);
            }
        }
    }

    @Test
    void partitionsLeaveOutFiles() throws Exception {
        Expression day = Expressions.equal("day", "2013-10-22");
        Table table = table(MEAS);
        assertThat(tasks(table, day))
                .hasSizeLessThan(tasks(table, Expressions.alwaysTrue()).size());
        assertThat(tasks(table, day)).allMatch(task -> task.file().location().contains("/day=2013-10-22/"));
    }

    /** Clients that are not Iceberg's Java, such as DuckDB, get tables without the columns of directories alone, and manifests of these. */
    @Test
    void manifestsHaveTheSpecsOfTheTableThatTheirClientKnows() throws Exception {
        for (String group : List.of("", "$signal", "__device")) {
            String body = gateway.get("/v1/namespaces/cals/tables/meas" + group.replace("$", "%24"))
                    .body();
            String metadata =
                    MpsrRestBridge.mapper().readTree(body).get("metadata").toString();
            Table table = new BaseTable(
                    new Fixed(TableMetadataParser.fromJson(metadata), new HadoopFileIO(conf)), "meas" + group);
            assertThat(table.schema().findField("day")).isNull();
            for (ManifestFile manifest : table.currentSnapshot().dataManifests(table.io())) {
                assertThat(manifest.partitions())
                        .as(group)
                        .hasSameSizeAs(
                                table.specs().get(manifest.partitionSpecId()).fields());
            }
            assertThat(tasks(table, Expressions.alwaysTrue()).stream()
                            .mapToLong(task -> task.file().recordCount())
                            .sum())
                    .isEqualTo(gateway.dataset().records().size());
        }
    }

    private static List<FileScanTask> tasks(Table table, Expression filter) throws IOException {
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().filter(filter).planFiles()) {
            List<FileScanTask> found = new ArrayList<>();
            tasks.forEach(found::add);
            return found;
        }
    }

    @Test
    void aSnapshotIsAnEarlierState() throws Exception {
        Table before = table(MEAS);
        gateway.dataset().commit(new Random(RunningGateway.SEED), 70);
        List<Map<String, Object>> all = gateway.dataset().records();
        TableChecks.check(
                table(MEAS).newScan().useRef("first"),
                Expressions.alwaysTrue(),
                all.subList(0, RunningGateway.FIRST),
                "the first commit");
        TableChecks.check(before.newScan(), Expressions.alwaysTrue(), all.subList(0, 500), "before the last commit");
        TableChecks.check(table(MEAS).newScan(), Expressions.alwaysTrue(), all, "now");
    }

    /** A dataset that does not count its changes has the present state alone. */
    @Test
    void theOnlyStateOfADatasetIsRead() throws Exception {
        WrittenDataset plain = new WrittenDataset(gateway.dfs(), "/cals/plain");
        Random random = new Random(RunningGateway.SEED);
        plain.commit(random, 100);
        TableIdentifier name = TableIdentifier.of("cals", "plain");
        Table before = table(name);
        TableChecks.check(before.newScan(), Expressions.alwaysTrue(), plain.records(), "the first commit");
        Table unread = table(TableIdentifier.of("cals", "plain$signal"));
        plain.commit(random, 50);
        TableChecks.check(table(name).newScan(), Expressions.alwaysTrue(), plain.records(), "both commits");
        assertThatThrownBy(() -> tasks(unread, Expressions.alwaysTrue()))
                .rootCause()
                .hasMessageContaining("refresh the table");
    }

    @Test
    void appendsAreReadOnce() throws Exception {
        gateway.dataset().commit(new Random(RunningGateway.SEED), 70);
        gateway.dataset().commit(new Random(RunningGateway.SEED), 30);
        Table table = table(MEAS);
        assertThat(added(table.newIncrementalAppendScan().fromSnapshotExclusive(0)))
                .isEqualTo(300);
        assertThat(added(table.newIncrementalAppendScan()
                        .fromSnapshotExclusive(1)
                        .toSnapshot(2)))
                .isEqualTo(70);
        assertThat(added(table.newIncrementalAppendScan().fromSnapshotExclusive(2)))
                .isEqualTo(30);
    }

    private static long added(IncrementalAppendScan scan) throws IOException {
        long records = 0;
        try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
            for (FileScanTask task : tasks) {
                records += task.file().recordCount();
            }
        }
        return records;
    }

    /** A client may read the list from one gateway, and a manifest from another one. */
    @Test
    void allGatewaysHaveTheSameBytes() throws Exception {
        Table table = table(MEAS);
        String list = table.currentSnapshot().manifestListLocation();
        String manifest =
                table.currentSnapshot().dataManifests(table.io()).get(0).path();
        try (CatalogServer other = CatalogServer.start(conf, gateway.dfs().getURI(), RunningGateway.options(3, 16))) {
            UnaryOperator<String> there = location -> location.replace(
                    ":" + gateway.uri().getPort() + "/", ":" + other.uri().getPort() + "/");
            assertThat(read(there.apply(manifest))).isEqualTo(read(manifest)).hasSize((int) length(manifest));
            // it names the gateway that its manifests are read from
            assertThat(read(there.apply(list))).hasSize(read(list).length).hasSize((int) length(list));
        }
    }

    private long length(String location) throws IOException {
        return FileSystem.get(URI.create(location), conf)
                .getFileStatus(new Path(location))
                .getLen();
    }

    private byte[] read(String location) throws IOException {
        try (FSDataInputStream in = FileSystem.get(URI.create(location), conf).open(new Path(location))) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatIsNoManifestIsExplained() throws Exception {
        String list = table(MEAS).currentSnapshot().manifestListLocation();
        assertThatThrownBy(() -> read(list.replace("list.avro", "0123456789abcdef.avro")))
                .hasMessageContaining("plan the scan again");
        assertThatThrownBy(() -> read(list.replace("/1/list.avro", "/77/list.avro")))
                .hasMessageContaining("77");
        assertThatThrownBy(() -> read(list.replace("/time/", "/none/"))).hasMessageContaining("time, signal, device");
        assertThatThrownBy(() -> read(list.replace("/.manifests/", "/files/"))).hasMessageContaining("no manifest");
        assertThat(gateway.get("/webhdfs/v1/cals/meas?op=LISTSTATUS").body()).contains("GETFILESTATUS, OPEN");
        assertThat(gateway.get(URI.create(list).getPath().replaceAll("^", "/webhdfs/v1") + "?op=OPEN&offset=-1")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void nobodyReadsTheManifestsOfADatasetThatHdfsWouldNotShow() throws Exception {
        String list = "/webhdfs/v1"
                + URI.create(table(MEAS).currentSnapshot().manifestListLocation())
                        .getPath();
        assertThat(gateway.get(list + "?op=OPEN&user.name=anna").statusCode()).isEqualTo(200);
        gateway.dfs().getFileSystem().setPermission(new Path("/cals/meas"), new FsPermission("700"));
        HttpResponse<String> refused = gateway.get(list + "?op=OPEN&user.name=anna");
        assertThat(refused.statusCode()).as(refused.body()).isIn(403, 404);
        assertThat(refused.body()).doesNotContain("day=");
    }
}
