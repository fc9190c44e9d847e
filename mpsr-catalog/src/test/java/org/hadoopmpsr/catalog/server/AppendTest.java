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
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
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
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRefType;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Iceberg's own client appends to a dataset through a gateway. */
class AppendTest {
    private static final TableIdentifier MEAS = TableIdentifier.of("cals", "meas");
    private static final String PATH = "/v1/namespaces/cals/tables/meas";
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final Random RANDOM = new Random(RunningGateway.SEED);

    private RunningGateway gateway;
    private RESTCatalog catalog;
    private String user;
    private int files;

    @BeforeEach
    void start() throws Exception {
        gateway = new RunningGateway();
        user = UserGroupInformation.getCurrentUser().getShortUserName();
        catalog = catalog(user);
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

    private RESTCatalog catalog(String as) {
        RESTCatalog made = new RESTCatalog();
        made.setConf(new Configuration(gateway.dfs().getConfiguration(0)));
        made.initialize(
                "mpsr",
                Map.of(
                        "uri",
                        gateway.uri().toString(),
                        "io-impl",
                        HadoopFileIO.class.getName(),
                        "rest.auth.type",
                        "basic",
                        "rest.auth.basic.username",
                        as,
                        "rest.auth.basic.password",
                        "none"));
        return made;
    }

    private static Map<String, Object> record(int day) {
        Map<String, Object> record = new HashMap<>();
        record.put("signal", "SIG" + RANDOM.nextInt(10));
        record.put("device", "DEV" + RANDOM.nextInt(3));
        record.put("timestamp_ns", day * DAY_NS + RANDOM.nextInt(1_000_000));
        record.put("value", RANDOM.nextInt(5) == 0 ? null : (Object) (RANDOM.nextInt(100) / 4.0));
        record.put("quality", RANDOM.nextInt(4) == 0 ? null : (Object) RANDOM.nextInt(3));
        return record;
    }

    private static List<Map<String, Object>> records(int day, int count) {
        List<Map<String, Object>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(record(day));
        }
        return records;
    }

    private DataFile write(Table table, List<Map<String, Object>> records) throws IOException {
        return write(
                table, table.schema(), table.locationProvider().newDataLocation("f" + files++ + ".parquet"), records);
    }

    /** Writes records of one day to a file, as Iceberg's writers do. */
    private static DataFile write(Table table, Schema schema, String location, List<Map<String, Object>> records)
            throws IOException {
        PartitionKey partition = new PartitionKey(table.spec(), table.schema());
        DataWriter<Record> writer = null;
        for (Map<String, Object> values : records) {
            Record row = GenericRecord.create(schema);
            values.forEach((name, value) -> {
                if (schema.findField(name) != null) {
                    row.setField(name, value);
                }
            });
            Record whole = GenericRecord.create(table.schema());
            values.forEach(whole::setField);
            LocalDate day = LocalDate.ofEpochDay((Long) values.get("timestamp_ns") / DAY_NS);
            whole.setField("day", values.getOrDefault("day", day));
            if (schema.findField("day") != null) {
                row.setField("day", whole.getField("day"));
            }
            if (writer == null) {
                partition.partition(new InternalRecordWrapper(table.schema().asStruct()).wrap(whole));
                writer = Parquet.writeData(table.io().newOutputFile(location))
                        .schema(schema)
                        .withSpec(table.spec())
                        .withPartition(partition)
                        .createWriterFunc(GenericParquetWriter::create)
                        .build();
            }
            writer.write(row);
        }
        writer.close();
        return writer.toDataFile();
    }

    /** What a client posts to append a file. */
    private static String request(Snapshot snapshot) {
        return UpdateTableRequestParser.toJson(new UpdateTableRequest(
                List.of(),
                List.of(
                        new MetadataUpdate.AddSnapshot(snapshot),
                        new MetadataUpdate.SetSnapshotRef(
                                "main", snapshot.snapshotId(), SnapshotRefType.BRANCH, null, null, null))));
    }

    private HttpResponse<String> post(URI uri, String body, String as) throws IOException, InterruptedException {
        return gateway.send(HttpRequest.newBuilder(uri.resolve(PATH))
                .header("X-Client-Version", "Apache Iceberg 1.12.0")
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString((as + ":none").getBytes(StandardCharsets.US_ASCII)))
                .POST(BodyPublishers.ofString(body)));
    }

    private List<Map<String, Object>> with(List<Map<String, Object>> more) {
        List<Map<String, Object>> all = new ArrayList<>(gateway.dataset().records());
        all.addAll(more);
        return all;
    }

    /** Each group gives these records. */
    private void check(List<Map<String, Object>> all, String what) throws IOException {
        for (String table : List.of("meas", "meas$time", "meas$signal", "meas$device")) {
            TableChecks.check(
                    catalog.loadTable(TableIdentifier.of("cals", table)).newScan(),
                    Expressions.alwaysTrue(),
                    all,
                    what + " in " + table + ", seed " + RunningGateway.SEED);
        }
    }

    @Test
    void allFilesOfAnAppendAreSeenAtOnceInAllGroups() throws Exception {
        Table table = catalog.loadTable(MEAS);
        List<Map<String, Object>> more = new ArrayList<>();
        var append = table.newAppend();
        List<DataFile> written = new ArrayList<>();
        for (int day = 16_003; day < 16_008; day++) {
            List<Map<String, Object>> ofDay = records(day, 20);
            written.add(write(table, ofDay));
            more.addAll(ofDay);
        }
        written.forEach(append::appendFile);
        check(with(List.of()), "before the commit");
        append.commit();
        TableChecks.check(table.newScan(), Expressions.alwaysTrue(), with(more), "the same client");
        check(with(more), "after the commit");
        try (MpsrClient client = gateway.dataset().client()) {
            assertThat(client.segments("/cals/meas").segments()).hasSize(3);
        }
        for (DataFile file : written) {
            assertThat(table.io().newInputFile(file.location()).exists()).isFalse();
        }
    }

    @Test
    void aRepeatedAppendIsOneAlsoOfAnotherGateway() throws Exception {
        Table table = catalog.loadTable(MEAS);
        List<Map<String, Object>> more = records(16_001, 30);
        String body =
                request(table.newFastAppend().appendFile(write(table, more)).apply());
        Configuration conf = new Configuration(gateway.dfs().getConfiguration(0));
        try (CatalogServer other = CatalogServer.start(conf, gateway.dfs().getURI(), RunningGateway.options(3, 16))) {
            List<Callable<HttpResponse<String>>> posts = new ArrayList<>();
            for (URI uri : List.of(gateway.uri(), other.uri(), gateway.uri(), other.uri())) {
                posts.add(() -> post(uri, body, user));
            }
            ExecutorService pool = Executors.newFixedThreadPool(posts.size());
            for (Future<HttpResponse<String>> answer : pool.invokeAll(posts)) {
                assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
            }
            pool.shutdown();
            check(with(more), "posted four times at once");
            for (URI uri : List.of(gateway.uri(), other.uri())) {
                assertThat(post(uri, body, user).statusCode()).isEqualTo(200);
            }
        }
        table.newAppend().appendFile(write(table, more)).commit();
        List<Map<String, Object>> twice = with(more);
        twice.addAll(more);
        assertThat(post(gateway.uri(), body, user).statusCode()).isEqualTo(200);
        check(twice, "posted again after another append");
    }

    @Test
    void appendsAtTheSameTimeAsASinkAreAllThere() throws Exception {
        List<Map<String, Object>> more = new ArrayList<>();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Table table = catalog.loadTable(MEAS);
            List<Map<String, Object>> own = records(16_000 + i, 25);
            more.addAll(own);
            var append = table.newAppend().appendFile(write(table, own));
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
        Table table = catalog.loadTable(MEAS);
        DataFile good = write(table, records(16_000, 5));
        Map<String, String> refused = new TreeMap<>();
        List<Map<String, Object>> wrongDay = records(16_000, 5);
        wrongDay.forEach(record -> record.put("day", LocalDate.ofEpochDay(15_000)));
        refused.put("derives from other columns", appended(table, write(table, wrongDay)));
        refused.put(
                "has no column 'signal'",
                appended(table, write(table, without(table, "signal"), place(table, "b.parquet"), records(16_000, 5))));
        refused.put(
                "does not have",
                appended(table, write(table, changed(table), place(table, "c.parquet"), records(16_000, 5))));
        refused.put(
                "and that does not fit",
                appended(table, write(table, retyped(table), place(table, "d.parquet"), untyped(records(16_000, 5)))));
        refused.put(
                "does not lie in",
                appended(
                        table,
                        write(table, table.schema(), gateway.dfs().getURI() + "/tmp/e.parquet", records(16_000, 5))));
        refused.put(
                "bytes in HDFS",
                appended(
                        table,
                        DataFiles.builder(table.spec())
                                .copy(good)
                                .withFileSizeInBytes(good.fileSizeInBytes() + 1)
                                .build()));
        refused.put(
                "by its manifest; write it again",
                appended(
                        table,
                        DataFiles.builder(table.spec())
                                .copy(good)
                                .withRecordCount(good.recordCount() + 1)
                                .build()));
        for (Map.Entry<String, String> one : refused.entrySet()) {
            HttpResponse<String> answer = post(gateway.uri(), one.getValue(), user);
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
            HttpResponse<String> answer = post(gateway.uri(), other, user);
            assertThat(answer.body()).contains("'hdfs mpsr dataset'");
            assertThat(answer.statusCode()).isEqualTo(406);
        }
        assertThat(post(gateway.uri(), body.replace("[]", "[{\"type\": \"assert-create\"}]"), user)
                        .statusCode())
                .isEqualTo(409);
        assertThatThrownBy(() -> table.updateProperties().set("a", "b").commit())
                .hasMessageContaining("'hdfs mpsr dataset'");
        assertThatThrownBy(() -> catalog.loadTable(TableIdentifier.of("cals", "meas$signal"))
                        .newAppend()
                        .appendFile(good)
                        .commit())
                .hasMessageContaining("one group of a dataset");
        check(with(List.of()), "after refusals");
        try (MpsrClient client = gateway.dataset().client()) {
            assertThat(client.segments("/cals/meas").segments()).hasSize(2);
        }
    }

    private static String place(Table table, String name) {
        return table.locationProvider().newDataLocation(name);
    }

    private static String appended(Table table, DataFile file) {
        return request(table.newFastAppend().appendFile(file).apply());
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
        try (RESTCatalog ofAnother = catalog("another")) {
            Table table = ofAnother.loadTable(MEAS);
            DataFile file = write(table, records(16_000, 5));
            assertThat(file.location()).contains("/cals/meas/.iceberg-another/data/");
            HttpResponse<String> answer = post(gateway.uri(), appended(table, file), "another");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("another");
            assertThatThrownBy(() -> table.newAppend().appendFile(file).commit())
                    .isInstanceOf(ForbiddenException.class);
            assertThat(post(gateway.uri(), appended(table, file), user).body()).contains("does not lie in");
        }
        check(with(List.of()), "of one who may not");
    }
}
