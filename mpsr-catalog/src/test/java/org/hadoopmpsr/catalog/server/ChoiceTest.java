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
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Which group a scan reads, and where that is told. */
@TestInstance(Lifecycle.PER_CLASS)
class ChoiceTest {
    private static final String PLAN = "/v1/namespaces/cals/tables/meas/plan";
    private static final String SIG3 = "{\"filter\": {\"type\": \"eq\", \"term\": \"signal\", \"value\": \"SIG3\"}}";

    private RunningGateway gateway;

    @BeforeAll
    void start() throws Exception {
        gateway = new RunningGateway();
    }

    @AfterAll
    void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
    }

    private static String header(HttpResponse<String> response, String name) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void theAnswerTellsTheGroupWhyAndWhatOthersWouldCost() throws Exception {
        HttpResponse<String> answer = gateway.post(PLAN, SIG3);
        assertThat(header(answer, ScanService.GROUP_HEADER)).isEqualTo("signal");
        assertThat(header(answer, ScanService.REASON_HEADER)).isNotEmpty();
        assertThat(header(answer, ScanService.CANDIDATES_HEADER)).contains("signal: 2 files", "time: ", "device: ");
        HttpResponse<String> forced = gateway.post(PLAN.replace("meas", "meas$device"), SIG3);
        assertThat(header(forced, ScanService.GROUP_HEADER)).isEqualTo("device");
    }

    @Test
    void metricsTellPlansFilesAndBytesOfEachGroup() throws Exception {
        long plans = metric("plans");
        long refused = metric("refused");
        JsonNode planned = MpsrRestBridge.mapper()
                .readTree(gateway.post(PLAN.replace("meas", "meas$time"), "{}").body());
        String task = planned.get("plan-tasks").get(0).asText();
        assertThat(gateway.post(PLAN.replace("/plan", "$time/tasks"), "{\"plan-task\": \"" + task + "\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(gateway.post(PLAN, "{\"filter\": 3}").statusCode()).isEqualTo(400);
        assertThat(metric("plans")).isEqualTo(plans + 1);
        assertThat(metric("refused")).isEqualTo(refused + 1);
        assertThat(metric("pages")).isPositive();
        String prom = gateway.get("/prom").body();
        assertThat(prom)
                .contains("mpsr_catalog_plans", "mpsr_catalog_plan_avg_time", "mpsr_catalog_group_group_bytes")
                .containsPattern("mpsr_catalog_group_group_files\\{[^}]*group=\"time\"[^}]*\\} [1-9]");
    }

    private long metric(String name) throws Exception {
        Matcher found = Pattern.compile("mpsr_catalog_" + name + "\\{[^}]*\\} ([0-9]+)")
                .matcher(gateway.get("/prom").body());

        assertThat(found.find()).as(name).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void metricsAreAmongThoseOfTheWebServer() throws Exception {
        JsonNode beans = MpsrRestBridge.mapper()
                .readTree(gateway.get("/jmx?qry=Hadoop:service=*,name=MpsrCatalog*")
                        .body())
                .get("beans");
        assertThat(beans).hasSize(1);
        assertThat(beans.get(0).has("Plans")).isTrue();
        assertThat(gateway.get("/stacks").statusCode()).isEqualTo(200);
    }

    @Test
    void theMetricsThatAreDocumentedAreThere() throws Exception {
        assertThat(gateway.post(PLAN, "{}").statusCode()).isEqualTo(200);
        String page = Files.readString(Path.of("../docs/metrics.md"));
        List<String> documented = Pattern.compile("(?m)^\\| `(mpsr_catalog_\\w+)` \\|")
                .matcher(page)
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(documented).hasSizeGreaterThan(7);
        assertThat(gateway.get("/prom").body()).contains(documented);
    }

    /** The planner does not know buckets; the gateway finds the group that has them. */
    @Test
    void aBucketInAFilterReadsTheGroupThatIsDividedSo() throws Exception {
        Set<String> files = new HashSet<>();
        long records = 0;
        try (RESTCatalog catalog = gateway.catalog()) {
            Table table = catalog.loadTable(TableIdentifier.of("cals", "meas"));
            for (int bucket = 0; bucket < 4; bucket++) {
                Expression filter = Expressions.equal(Expressions.bucket("signal", 4), bucket);
                try (var tasks = table.newScan().filter(filter).planFiles()) {
                    for (var task : tasks) {
                        assertThat(task.file().location()).contains("/signal/signal_bucket=" + bucket + "/");
                        assertThat(files.add(task.file().location())).isTrue();
                        records += task.file().recordCount();
                    }
                }
            }
        }
        assertThat(records).isEqualTo(gateway.dataset().records().size());
    }
}
