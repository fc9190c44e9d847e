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
import java.io.IOException;
import java.net.URI;
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
    private static final int PLANS = 4;
    /** All the memory that a gateway has for its objects. */
    private static final String HEAP = "-Xmx200m";

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
            HttpResponse<String> alone = gateway.post(PLAN, "{}");
            Map<String, Long> expected = files(MpsrRestBridge.mapper().readTree(alone.body()));
            planAtOnce(gateway.uri().resolve(PLAN), expected);
            assertThat(gateway.post(PLAN, "{}").statusCode()).isEqualTo(200);
        }
    }

    /** @param expected the files of the first page, with their records */
    private static void planAtOnce(URI plan, Map<String, Long> expected) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            HttpRequest request = HttpRequest.newBuilder(plan)
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

    /**
     * Each file is in one page, the pages are no larger than they may be, and a gateway with little memory answers many clients at once
     * who plan all of the files.
     */
    @Test
    void fiftyThousandFilesComeInPagesOfAGatewayWithLittleMemory() throws Exception {
        try (RunningGateway gateway = new RunningGateway(
                        RunningGateway.options(5_000, PLANS),
                        conf -> conf.set("dfs.mpsr.replica.group.signal.predicates", "signal"));
                OtherGateway small = new OtherGateway(gateway, 5_000, PLANS, HEAP, "-XX:+ExitOnOutOfMemoryError")) {
            writeManyFiles(gateway.dataset());
            URI plan = small.uri().resolve(PLAN.replace("meas/", "meas$signal/"));
            URI tasks = small.uri().resolve(PLAN.replace("meas/plan", "meas$signal/tasks"));
            JsonNode page = json(plan, "{}");
            Map<String, Long> first = files(page);
            Map<String, Long> all = new HashMap<>(first);
            int files = all.size();
            int pages = 1;
            while (!page.path("plan-tasks").isEmpty()) {
                page = json(
                        tasks,
                        "{\"plan-task\": \"" + page.get("plan-tasks").get(0).asText() + "\"}");
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
            planAtOnce(plan, first);
            assertThat(small.isAlive()).as("it has had enough memory").isTrue();
            assertThat(files(json(plan, "{}"))).isEqualTo(first);
        }
    }

    private static JsonNode json(URI uri, String body) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return MpsrRestBridge.mapper().readTree(response.body());
    }

    /** Writes {@value #FILES} files of the group {@code signal}. */
    static void writeManyFiles(WrittenDataset dataset) throws Exception {
        Random random = new Random(RunningGateway.SEED);
        for (int commit = 0; commit < COMMITS; commit++) {
            dataset.commitSignals(random, FILES / COMMITS);
        }
    }
}
