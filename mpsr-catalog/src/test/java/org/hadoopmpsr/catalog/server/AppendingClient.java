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
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
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
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;

/** Appends to the dataset of a gateway as Iceberg's own client does, step by step. Each makes other records and other files. */
final class AppendingClient {
    static final TableIdentifier MEAS = TableIdentifier.of("cals", "meas");
    private static final String PATH = "/v1/namespaces/cals/tables/meas";
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final Random RANDOM = new Random(RunningGateway.SEED);

    private final RunningGateway gateway;
    private int files;

    AppendingClient(RunningGateway gateway) {
        this.gateway = gateway;
    }

    /** The catalog as a user sees it; to be closed by the caller. */
    RESTCatalog catalog(String as) {
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

    /** Random records of a day. */
    static List<Map<String, Object>> records(int day, int count) {
        List<Map<String, Object>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(record(day));
        }
        return records;
    }

    /** Writes records of one day to a file of the place that the table names. */
    DataFile write(Table table, List<Map<String, Object>> records) throws IOException {
        return write(
                table, table.schema(), table.locationProvider().newDataLocation("f" + files++ + ".parquet"), records);
    }

    /** Writes records of one day to a file, as Iceberg's writers do. */
    static DataFile write(Table table, Schema schema, String location, List<Map<String, Object>> records)
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
    static String request(Snapshot snapshot) {
        return UpdateTableRequestParser.toJson(new UpdateTableRequest(
                List.of(),
                List.of(
                        new MetadataUpdate.AddSnapshot(snapshot),
                        new MetadataUpdate.SetSnapshotRef(
                                "main", snapshot.snapshotId(), SnapshotRefType.BRANCH, null, null, null))));
    }

    /** Sends a commit. */
    HttpResponse<String> post(URI uri, String body, String as) throws IOException, InterruptedException {
        return gateway.send(HttpRequest.newBuilder(uri.resolve(PATH))
                .header("X-Client-Version", "Apache Iceberg 1.12.0")
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString((as + ":none").getBytes(StandardCharsets.US_ASCII)))
                .POST(BodyPublishers.ofString(body)));
    }

    /** The records of the dataset and more. */
    List<Map<String, Object>> with(List<Map<String, Object>> more) {
        List<Map<String, Object>> all = new ArrayList<>(gateway.dataset().records());
        all.addAll(more);
        return all;
    }

    /** Each group gives these records. */
    void check(RESTCatalog catalog, List<Map<String, Object>> all, String what) throws IOException {
        for (String table : List.of("meas", "meas$time", "meas$signal", "meas$device")) {
            TableChecks.check(
                    catalog.loadTable(TableIdentifier.of("cals", table)).newScan(),
                    Expressions.alwaysTrue(),
                    all,
                    what + " in " + table + ", seed " + RunningGateway.SEED);
        }
    }
}
