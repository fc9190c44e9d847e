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

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.util.SnapshotUtil;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans of earlier states and between them, while the dataset changes. */
class SnapshotsTest {
    private static final String PLAN = "/v1/namespaces/cals/tables/meas/plan";
    private static final String TASKS = "/v1/namespaces/cals/tables/meas/tasks";
    private static final TableIdentifier MEAS = TableIdentifier.of("cals", "meas");

    private RunningGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new RunningGateway();
    }

    @AfterEach
    void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
    }

    private static JsonNode json(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return MpsrRestBridge.mapper().readTree(response.body());
    }

    /** The files of a plan, by all of its pages, with the number of their records. */
    private long records(JsonNode first, Set<String> files) throws Exception {
        long records = 0;
        for (JsonNode page = first; page != null; page = next(page)) {
            for (JsonNode task : page.path("file-scan-tasks")) {
                assertThat(files.add(task.get("data-file").get("file-path").asText()))
                        .isTrue();
                records += task.get("data-file").get("record-count").asLong();
            }
        }
        return records;
    }

    private JsonNode next(JsonNode page) throws Exception {
        JsonNode tasks = page.path("plan-tasks");
        return tasks.isEmpty()
                ? null
                : json(gateway.post(TASKS, "{\"plan-task\": \"" + tasks.get(0).asText() + "\"}"));
    }

    private static String range(long after, long to) {
        return "{\"start-snapshot-id\": " + after + ", \"end-snapshot-id\": " + to + "}";
    }

    @Test
    void aScanBetweenSnapshotsReadsWhatAppendsAdded() throws Exception {
        Random random = new Random(RunningGateway.SEED);
        gateway.dataset().commit(random, 70);
        gateway.dataset().commit(random, 30);
        assertThat(records(json(gateway.post(PLAN, range(0, 1))), new HashSet<>()))
                .isEqualTo(200);
        assertThat(records(json(gateway.post(PLAN, range(1, 3))), new HashSet<>()))
                .isEqualTo(100);
        assertThat(records(json(gateway.post(PLAN, range(2, 3))), new HashSet<>()))
                .isEqualTo(30);
        assertThat(records(json(gateway.post(PLAN, range(2, 2))), new HashSet<>()))
                .isZero();
        Set<String> files = new HashSet<>();
        String filtered = range(0, 3)
                .replace("}", ", \"filter\": {\"type\": \"eq\", \"term\": \"signal\", \"value\": \"SIG3\"}}");
        records(json(gateway.post(PLAN, filtered)), files);
        assertThat(files).isNotEmpty().allMatch(file -> file.contains("/signal/"));
        rollBack();
        assertThat(gateway.post(PLAN, range(0, 4)).body()).contains("change 4").contains("appends alone");
        assertThat(gateway.post(PLAN, range(0, 4)).statusCode()).isEqualTo(400);
        assertThat(records(json(gateway.post(PLAN, range(1, 3))), new HashSet<>()))
                .as("files of replaced segments are kept")
                .isEqualTo(100);
    }

    /** Takes away what was added after the tag. */
    private void rollBack() throws Exception {
        try (MpsrClient client = gateway.dataset().client()) {
            PlannedRollback plan = client.planRollback("/cals/meas", "first");
            String id = client.getDataset("/cals/meas").id();
            assertThat(plan.restores()).isEmpty();
            client.beginCommit("/cals/meas", id, "rollback-1").require();
            PublishResult result = client.rollback("/cals/meas", id, "rollback-1", plan, "first", List.of());
            assertThat(result.outcome()).as(result.reason()).isEqualTo(PublishResult.Outcome.COMMITTED);
        }
    }

    /** Clients find the snapshot of a time in the log of the table. */
    @Test
    void aTimeNamesASnapshot() throws Exception {
        gateway.dataset().commit(new Random(RunningGateway.SEED), 70);
        try (RESTCatalog catalog = gateway.catalog()) {
            Table table = catalog.loadTable(MEAS);
            List<HistoryEntry> log = table.history();
            assertThat(log.stream().map(HistoryEntry::snapshotId)).containsExactly(0L, 1L, 2L);
            assertThat(SnapshotUtil.snapshotIdAsOfTime(table, log.get(1).timestampMillis()))
                    .isEqualTo(1);
            assertThat(SnapshotUtil.snapshotIdAsOfTime(table, log.get(2).timestampMillis() - 1))
                    .isEqualTo(1);
            assertThat(SnapshotUtil.snapshotIdAsOfTime(table, System.currentTimeMillis()))
                    .isEqualTo(2);
        }
        assertThat(records(json(gateway.post(PLAN, "{\"snapshot-id\": 1}")), new HashSet<>()))
                .isEqualTo(500);
    }

    /** The state that was planned can still be read. */
    @Test
    void pagesOfAPlanSurviveAChange() throws Exception {
        Random random = new Random(RunningGateway.SEED);
        for (String body : List.of("{}", "{\"snapshot-id\": 1}", range(0, 1))) {
            List<Object> before = new ArrayList<>(gateway.dataset().records());
            JsonNode first = json(gateway.post(PLAN, body));
            assertThat(first.path("plan-tasks")).isNotEmpty();
            Set<String> expected = new HashSet<>();
            long records = records(first, expected);
            gateway.dataset().commit(random, 20);
            Set<String> found = new HashSet<>();
            assertThat(records(first, found)).as(body).isEqualTo(records);
            assertThat(found).as(body).isEqualTo(expected);
            if (body.equals("{}")) {
                assertThat(records).isEqualTo(before.size());
            }
        }
    }

    /** Files that came without a commit belong to no state that is kept. */
    @Test
    void pagesOfAPlanWithFilesOfOthersEndWithAChange() throws Exception {
        FileSystem fs = gateway.dfs().getFileSystem();
        String file = null;
        for (JsonNode task : json(gateway.post("/v1/namespaces/cals/tables/meas$time/plan", "{}"))
                .path("file-scan-tasks")) {
            file = URI.create(task.get("data-file").get("file-path").asText()).getPath();
        }
        Path copy = new Path(new Path(file).getParent(), "other.parquet");
        try (var in = fs.open(new Path(file));
                var out = fs.create(copy)) {
            in.transferTo(out);
        }
        JsonNode first = json(gateway.post(PLAN, "{}"));
        Set<String> files = new HashSet<>();
        assertThat(records(first, files)).isGreaterThan(500);
        assertThat(files).anyMatch(path -> path.endsWith("/other.parquet"));
        gateway.dataset().commit(new Random(RunningGateway.SEED), 20);
        HttpResponse<String> gone = gateway.post(
                TASKS, "{\"plan-task\": \"" + first.get("plan-tasks").get(0).asText() + "\"}");
        assertThat(gone.statusCode()).as(gone.body()).isEqualTo(404);
        assertThat(gone.body()).contains("NoSuchPlanTaskException", "plan the scan again");
    }
}
