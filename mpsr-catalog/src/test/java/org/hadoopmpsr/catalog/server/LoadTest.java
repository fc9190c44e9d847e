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
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many clients at once, and plans of many files. */
@Tag("long")
class LoadTest {
    private static final String PLAN = "/v1/namespaces/cals/tables/meas/plan";
    private static final int CLIENTS = 200;
    private static final int FILES = 50_000;
    private static final int COMMITS = 10;

    private static Map<String, Long> files(JsonNode page) {
        Map<String, Long> files = new HashMap<>();
        for (JsonNode task : page.path("file-scan-tasks")) {
            JsonNode file = task.get("data-file");
            files.put(file.get("file-path").asText(), file.get("record-count").asLong());
        }
        return files;
    }

    /** Each of the clients gets its plan or is told to come again, and who comes again gets it. */
    @Test
    void twoHundredClientsAtOnceAllGetTheirPlans() throws Exception {
        try (RunningGateway gateway = new RunningGateway(RunningGateway.options(1_000, 8))) {
            HttpClient http = HttpClient.newHttpClient();
            HttpResponse<String> alone = gateway.post(PLAN, "{}");
            Map<String, Long> expected = files(MpsrRestBridge.mapper().readTree(alone.body()));
            List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                HttpRequest request = HttpRequest.newBuilder(gateway.uri().resolve(PLAN))
                        .POST(BodyPublishers.ofString("{\"min-rows-requested\": " + i + "}"))
                        .build();
                asked.add(http.sendAsync(request, BodyHandlers.ofString()));
            }
            int answered = 0;
            for (CompletableFuture<HttpResponse<String>> future : asked) {
                HttpResponse<String> response = future.get();
                if (response.statusCode() == 200) {
                    answered++;
                    assertThat(files(MpsrRestBridge.mapper().readTree(response.body())))
                            .isEqualTo(expected);
                } else {
                    assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
                    assertThat(response.headers().firstValue("Retry-After")).contains("1");
                    assertThat(response.body()).contains("ask again");
                }
            }
            assertThat(answered).isPositive();
            assertThat(gateway.post(PLAN, "{}").statusCode()).isEqualTo(200);
        }
    }

    /** Iceberg's client itself comes again. */
    @Test
    void clientsOfIcebergAskAgainUntilTheyHaveTheirPlans() throws Exception {
        try (RunningGateway gateway = new RunningGateway(RunningGateway.options(3, 2));
                RESTCatalog catalog = gateway.catalog()) {
            Table table = catalog.loadTable(TableIdentifier.of("cals", "meas"));
            Random random = new Random(RunningGateway.SEED);
            List<CompletableFuture<Long>> asked = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String signal = "SIG" + random.nextInt(10);
                Expression filter = Expressions.equal("signal", signal);
                asked.add(CompletableFuture.supplyAsync(() -> {
                    Set<String> files = new HashSet<>();
                    table.newScan()
                            .filter(filter)
                            .planFiles()
                            .forEach(task -> files.add(task.file().location()));
                    return (long) files.size();
                }));
                expected.add(2L);
            }
            for (int i = 0; i < asked.size(); i++) {
                assertThat(asked.get(i).get()).isEqualTo(expected.get(i));
            }
        }
    }

    /** Each file is in one page, and the pages are no larger than they may be. */
    @Test
    void fiftyThousandFilesComeInPages() throws Exception {
        try (RunningGateway gateway = new RunningGateway(
                RunningGateway.options(5_000, 4),
                conf -> conf.set("dfs.mpsr.replica.group.signal.predicates", "signal"))) {
            writeManyFiles(gateway.dataset());
            String tasks = PLAN.replace("meas/plan", "meas$signal/tasks");
            JsonNode page = MpsrRestBridge.mapper()
                    .readTree(gateway.post(PLAN.replace("meas/", "meas$signal/"), "{}")
                            .body());
            Map<String, Long> all = new HashMap<>(files(page));
            int files = all.size();
            int pages = 1;
            while (!page.path("plan-tasks").isEmpty()) {
                String task = page.get("plan-tasks").get(0).asText();
                page = MpsrRestBridge.mapper()
                        .readTree(gateway.post(tasks, "{\"plan-task\": \"" + task + "\"}")
                                .body());
                Map<String, Long> more = files(page);
                assertThat(more.size()).isPositive().isLessThanOrEqualTo(5_000);
                files += more.size();
                all.putAll(more);
                pages++;
            }
            assertThat(all).as("no file comes twice").hasSize(files).hasSizeGreaterThanOrEqualTo(FILES);
            assertThat(pages).isGreaterThan(FILES / 5_000);
            assertThat(all.values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(gateway.dataset().records().size());
        }
    }

    /** Writes {@value #FILES} files of the group {@code signal}. */
    static void writeManyFiles(WrittenDataset dataset) throws Exception {
        Random random = new Random(RunningGateway.SEED);
        for (int commit = 0; commit < COMMITS; commit++) {
            dataset.commitSignals(random, FILES / COMMITS);
        }
    }
}
