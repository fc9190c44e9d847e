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
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Iceberg's own client appends to a dataset through a gateway. */
class AppendTest {
    private RunningGateway gateway;
    private AppendingClient client;
    private RESTCatalog catalog;
    private String user;

    @BeforeEach
    void start() throws Exception {
        gateway = new RunningGateway();
        user = UserGroupInformation.getCurrentUser().getShortUserName();
        client = new AppendingClient(gateway);
        catalog = client.catalog(user);
    }

    @AfterEach
    void stop() throws IOException {
        if (catalog != null) {
            catalog.close();
        }
        if (gateway != null) {
            gateway.close();
        }
    }

    private List<Map<String, Object>> with(List<Map<String, Object>> more) {
        return client.with(more);
    }

    private void check(List<Map<String, Object>> all, String what) throws IOException {
        client.check(catalog, all, what);
    }

    @Test
    void allFilesOfAnAppendAreSeenAtOnceInAllGroups() throws Exception {
        Table table = catalog.loadTable(AppendingClient.MEAS);
        List<Map<String, Object>> more = new ArrayList<>();
        var append = table.newAppend();
        List<DataFile> written = new ArrayList<>();
        for (int day = 16_003; day < 16_008; day++) {
            List<Map<String, Object>> ofDay = AppendingClient.records(day, 20);
            written.add(client.write(table, ofDay));
            more.addAll(ofDay);
        }
        written.forEach(append::appendFile);
        check(with(List.of()), "before the commit");
        append.commit();
        TableChecks.check(table.newScan(), Expressions.alwaysTrue(), with(more), "the same client");
        check(with(more), "after the commit");
        try (MpsrClient namenode = gateway.dataset().client()) {
            assertThat(namenode.segments("/cals/meas").segments()).hasSize(3);
        }
        for (DataFile file : written) {
            assertThat(table.io().newInputFile(file.location()).exists()).isFalse();
        }
    }

    @Test
    void aRepeatedAppendIsOneAlsoOfAnotherGateway() throws Exception {
        Table table = catalog.loadTable(AppendingClient.MEAS);
        List<Map<String, Object>> more = AppendingClient.records(16_001, 30);
        String body = AppendingClient.request(
                table.newFastAppend().appendFile(client.write(table, more)).apply());
        Configuration conf = new Configuration(gateway.dfs().getConfiguration(0));
        try (CatalogServer other = CatalogServer.start(conf, gateway.dfs().getURI(), RunningGateway.options(3, 16))) {
            List<Callable<HttpResponse<String>>> posts = new ArrayList<>();
            for (URI uri : List.of(gateway.uri(), other.uri(), gateway.uri(), other.uri())) {
                posts.add(() -> client.post(uri, body, user));
            }
            ExecutorService pool = Executors.newFixedThreadPool(posts.size());
            for (Future<HttpResponse<String>> answer : pool.invokeAll(posts)) {
                assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
            }
            pool.shutdown();
            check(with(more), "posted four times at once");
            for (URI uri : List.of(gateway.uri(), other.uri())) {
                assertThat(client.post(uri, body, user).statusCode()).isEqualTo(200);
            }
        }
        table.newAppend().appendFile(client.write(table, more)).commit();
        List<Map<String, Object>> twice = with(more);
        twice.addAll(more);
        assertThat(client.post(gateway.uri(), body, user).statusCode()).isEqualTo(200);
        check(twice, "posted again after another append");
    }

    @Test
    void appendsAtTheSameTimeAsASinkAreAllThere() throws Exception {
        List<Map<String, Object>> more = new ArrayList<>();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Table table = catalog.loadTable(AppendingClient.MEAS);
            List<Map<String, Object>> own = AppendingClient.records(16_000 + i, 25);
            more.addAll(own);
            var append = table.newAppend().appendFile(client.write(table, own));
            work.add(() -> {
                append.commit();
                return null;
            });
        }
        work.add(() -> {
            gateway.dataset().commit(new Random(RunningGateway.SEED), 50);
            return null;
        });
        ExecutorService pool = Executors.newFixedThreadPool(work.size());
        for (Future<Void> done : pool.invokeAll(work)) {
            done.get();
        }
        pool.shutdown();
        check(with(more), "two appends and a commit of a sink");
    }

    @Test
    void whatDoesNotFitIsRefusedAndNothingIsSeen() throws Exception {
        Table table = catalog.loadTable(AppendingClient.MEAS);
        DataFile good = client.write(table, AppendingClient.records(16_000, 5));
        Map<String, String> refused = new TreeMap<>();
        List<Map<String, Object>> wrongDay = AppendingClient.records(16_000, 5);
        wrongDay.forEach(record -> record.put("day", LocalDate.ofEpochDay(15_000)));
        refused.put("derives from other columns", appended(table, client.write(table, wrongDay)));
        refused.put(
                "has no column 'signal'",
                appended(
                        table,
                        AppendingClient.write(
                                table,
                                without(table, "signal"),
                                place(table, "b.parquet"),
                                AppendingClient.records(16_000, 5))));
        refused.put(
                "does not have",
                appended(
                        table,
                        AppendingClient.write(
                                table, changed(table), place(table, "c.parquet"), AppendingClient.records(16_000, 5))));
        refused.put(
                "and that does not fit",
                appended(
                        table,
                        AppendingClient.write(
                                table,
                                retyped(table),
                                place(table, "d.parquet"),
                                untyped(AppendingClient.records(16_000, 5)))));
        refused.put(
                "does not lie in",
                appended(
                        table,
                        AppendingClient.write(
                                table,
                                table.schema(),
                                gateway.dfs().getURI() + "/tmp/e.parquet",
                                AppendingClient.records(16_000, 5))));
        refused.put(
                "bytes in HDFS",
                appended(
                        table,
                        DataFiles.builder(table.spec())
                                .copy(good)
                                .withFileSizeInBytes(good.fileSizeInBytes() + 1)
                                .build()));
        refused.put(
                "(--append-size of the gateway)",
                appended(table, client.write(table, AppendingClient.records(16_000, 40_000))));
        refused.put(
                "by its manifest; write it again",
                appended(
                        table,
                        DataFiles.builder(table.spec())
                                .copy(good)
                                .withRecordCount(good.recordCount() + 1)
                                .build()));
        for (Map.Entry<String, String> one : refused.entrySet()) {
            HttpResponse<String> answer = client.post(gateway.uri(), one.getValue(), user);
            assertThat(answer.body()).contains(one.getKey());
            assertThat(answer.statusCode()).isEqualTo(400);
        }
        String body = appended(table, good);
        UnaryOperator<String> asOf = operation -> body.replace("\"append\"", "\"" + operation + "\"");
        for (String other : List.of(
                asOf.apply("overwrite"),
                asOf.apply("delete"),
                body.replace("\"main\"", "\"other\""),
                "{\"requirements\": [], \"updates\": [{\"action\": \"set-properties\", \"updates\": {\"a\": \"b\"}}]}",
                "{\"requirements\": [], \"updates\": []}")) {
            HttpResponse<String> answer = client.post(gateway.uri(), other, user);
            assertThat(answer.body()).contains("'hdfs mpsr dataset'");
            assertThat(answer.statusCode()).isEqualTo(406);
        }
        assertThat(client.post(gateway.uri(), body.replace("[]", "[{\"type\": \"assert-create\"}]"), user)
                        .statusCode())
                .isEqualTo(409);
        assertThatThrownBy(() -> table.updateProperties().set("a", "b").commit())
                .hasMessageContaining("'hdfs mpsr dataset'");
        assertThatThrownBy(() -> catalog.loadTable(TableIdentifier.of("cals", "meas$signal"))
                        .newAppend()
                        .appendFile(good)
                        .commit())
                .hasMessageContaining("one group of a dataset; append to '/cals/meas'");
        check(with(List.of()), "after refusals");
        try (MpsrClient namenode = gateway.dataset().client()) {
            assertThat(namenode.segments("/cals/meas").segments()).hasSize(2);
        }
    }

    private static String place(Table table, String name) {
        return table.locationProvider().newDataLocation(name);
    }

    private static String appended(Table table, DataFile file) {
        return AppendingClient.request(table.newFastAppend().appendFile(file).apply());
    }

    private static Schema without(Table table, String column) {
        return new Schema(table.schema().columns().stream()
                .filter(field -> !field.name().equals(column))
                .toList());
    }

    private static Schema changed(Table table) {
        List<Types.NestedField> fields = new ArrayList<>(table.schema().columns());
        fields.add(Types.NestedField.optional(77, "more", Types.StringType.get()));
        return new Schema(fields);
    }

    private static Schema retyped(Table table) {
        return new Schema(table.schema().columns().stream()
                .map(field -> field.name().equals("value")
                        ? Types.NestedField.optional(field.fieldId(), "value", Types.StringType.get())
                        : field)
                .toList());
    }

    private static List<Map<String, Object>> untyped(List<Map<String, Object>> records) {
        records.forEach(record -> record.put("value", "text"));
        return records;
    }

    @Test
    void whoMayNotWriteDoesNotAppend() throws Exception {
        try (RESTCatalog ofAnother = client.catalog("another")) {
            Table table = ofAnother.loadTable(AppendingClient.MEAS);
            DataFile file = client.write(table, AppendingClient.records(16_000, 5));
            assertThat(file.location()).contains("/cals/meas/.iceberg-another/data/");
            HttpResponse<String> answer = client.post(gateway.uri(), appended(table, file), "another");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("another");
            assertThatThrownBy(() -> table.newAppend().appendFile(file).commit())
                    .isInstanceOf(ForbiddenException.class);
            assertThat(client.post(gateway.uri(), appended(table, file), user).body())
                    .contains("does not lie in");
        }
        check(with(List.of()), "of one who may not");
    }
}
