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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Iceberg's own client appends values within values. */
class NestedAppendTest {
    private static final TableIdentifier DEEP = TableIdentifier.of("cals", "deep");
    private static final String COLUMNS =
            "signal string not null, device string not null, timestamp_ns timestamp_ns not null, ";
    private static final String NESTED =
            "pos struct<x:double,tags:array<string>>, points array<struct<n:int,price:decimal(10,2)>>, notes map<string,bigint>";
    private static final long DAY_NS = 86_400_000_000_000L;

    private final Random random = new Random(RunningGateway.SEED);
    private RunningGateway gateway;
    private RESTCatalog catalog;

    @BeforeEach
    void start() throws Exception {
        gateway = new RunningGateway();
        catalog = new AppendingClient(gateway)
                .catalog(UserGroupInformation.getCurrentUser().getShortUserName());
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

    private Table create(String name, String nested) throws IOException {
        try (MpsrClient namenode = gateway.dataset().client()) {
            namenode.createDataset("/cals/" + name, org.hadoopmpsr.core.schema.Schema.parse(COLUMNS + nested));
        }
        return catalog.loadTable(TableIdentifier.of("cals", name));
    }

    private Map<String, Object> record(Schema schema) {
        Map<String, Object> record = new HashMap<>();
        record.put("signal", "SIG" + random.nextInt(5));
        record.put("device", "DEV" + random.nextInt(3));
        record.put("timestamp_ns", 16_000 * DAY_NS + random.nextInt(1_000_000));
        record.put(
                "pos",
                random.nextInt(4) == 0 ? null : pos(schema.findType("pos").asStructType()));
        List<Object> points = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            Record point =
                    GenericRecord.create(schema.findType("points.element").asStructType());
            point.set(0, random.nextInt(9));
            point.set(1, random.nextInt(3) == 0 ? null : BigDecimal.valueOf(random.nextInt(999), 2));
            points.add(random.nextInt(4) == 0 ? null : point);
        }
        record.put("points", points);
        record.put("notes", random.nextInt(3) == 0 ? Map.of() : Map.of("k" + random.nextInt(3), random.nextLong()));
        return record;
    }

    private Record pos(Types.StructType type) {
        Record pos = GenericRecord.create(type);
        pos.set(0, random.nextInt(3) == 0 ? null : (Object) random.nextDouble());
        pos.set(1, random.nextInt(3) == 0 ? null : List.of("a", "b" + random.nextInt(3)));
        return pos;
    }

    private static void append(Table table, Schema schema, List<Map<String, Object>> records) throws IOException {
        String location = table.locationProvider().newDataLocation(records.size() + ".parquet");
        table.newAppend()
                .appendFile(AppendingClient.write(table, schema, location, records))
                .commit();
    }

    @Test
    void valuesWithinValuesAreInAllGroups() throws Exception {
        Table table = create("deep", NESTED);
        List<Map<String, Object>> all = new ArrayList<>();
        for (int commit = 0; commit < 2; commit++) {
            List<Map<String, Object>> records = new ArrayList<>();
            for (int i = 0; i < 60 + commit; i++) {
                records.add(record(table.schema()));
            }
            append(table, table.schema(), records);
            all.addAll(records);
        }
        for (String name : List.of("deep", "deep$time", "deep$signal", "deep$device")) {
            TableChecks.check(
                    catalog.loadTable(TableIdentifier.of("cals", name)).newScan(),
                    Expressions.alwaysTrue(),
                    all,
                    name + ", seed " + RunningGateway.SEED);
        }
    }

    /** A field that is read by its name would have no values. */
    @Test
    void aFieldOfAnotherNameIsRefused() throws Exception {
        Table table = create("deep", NESTED);
        List<Types.NestedField> fields = new ArrayList<>();
        for (Types.NestedField field : table.schema().columns()) {
            fields.add(
                    field.name().equals("pos")
                            ? Types.NestedField.optional(
                                    field.fieldId(), "pos", renamed(field.type().asStructType()))
                            : field);
        }
        List<Map<String, Object>> records = List.of(record(table.schema()), record(table.schema()));
        assertThatThrownBy(() -> append(table, new Schema(fields), records))
                .hasMessageContaining("has the field 'pos.z' with the field id")
                .hasMessageContaining("load the table anew");
        TableChecks.check(catalog.loadTable(DEEP).newScan(), Expressions.alwaysTrue(), List.of(), "after a refusal");
    }

    private static Types.StructType renamed(Types.StructType type) {
        Types.NestedField first = type.fields().get(0);
        return Types.StructType.of(
                Types.NestedField.optional(first.fieldId(), "z", first.type()),
                type.fields().get(1));
    }

    @Test
    void shortNumbersWithinAreRefused() throws Exception {
        Table table = create("deep", "pos struct<x:double,tags:array<smallint>>");
        assertThatThrownBy(() -> append(
                        table,
                        table.schema(),
                        List.of(Map.of("signal", "S", "device", "D", "timestamp_ns", 16_000 * DAY_NS))))
                .hasMessageContaining("'pos' is of type struct<x:double,tags:array<smallint>>");
    }
}
