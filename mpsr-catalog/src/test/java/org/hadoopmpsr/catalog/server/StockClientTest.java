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
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Iceberg's own client reads a dataset through a gateway. */
@TestInstance(Lifecycle.PER_CLASS)
class StockClientTest {
    private static final long SEED = RunningGateway.SEED;
    private static final TableIdentifier MEAS = TableIdentifier.of("cals", "meas");

    private RunningGateway gateway;
    private WrittenDataset dataset;
    private RESTCatalog catalog;

    @BeforeAll
    void start() throws Exception {
        gateway = new RunningGateway();
        dataset = gateway.dataset();
        catalog = gateway.catalog();
    }

    @AfterAll
    void stop() throws IOException {
        if (catalog != null) {
            catalog.close();
        }
        if (gateway != null) {
            gateway.close();
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
            Expression filter = TableChecks.filter(random, 2);
            TableChecks.check(
                    table.newScan().filter(filter), filter, dataset.records(), "seed " + SEED + ", " + filter);
        }
    }

    @Test
    void aNameOfAGroupReadsThisGroup() throws IOException {
        for (String name : List.of("time", "signal", "device")) {
            for (String mark : List.of("$", "__")) {
                Table table = catalog.loadTable(TableIdentifier.of("cals", "meas" + mark + name));
                assertThat(groups(table, Expressions.equal("signal", "SIG3"))).containsExactly(name);
                TableChecks.check(table.newScan(), Expressions.alwaysTrue(), dataset.records(), name);
            }
        }
        for (String name : List.of("meas__none", "meas__", "__signal", "meas__signal__time", "meas$__signal")) {
            assertThatThrownBy(() -> catalog.loadTable(TableIdentifier.of("cals", name)))
                    .as(name)
                    .isInstanceOf(NoSuchTableException.class);
        }
    }

    @Test
    void aSnapshotIsAnEarlierState() throws IOException {
        Table table = catalog.loadTable(MEAS);
        TableChecks.check(
                table.newScan().useRef("first"),
                Expressions.alwaysTrue(),
                dataset.records().subList(0, RunningGateway.FIRST),
                "the first commit");
        assertThatThrownBy(() -> TableChecks.read(table.newScan().useRef("second"), null))
                .hasMessageContaining("second");
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
}
