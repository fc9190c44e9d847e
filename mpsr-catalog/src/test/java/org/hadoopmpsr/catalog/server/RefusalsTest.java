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

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Random;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are wrong, hostile or too large get an answer of the protocol that says why. */
@TestInstance(Lifecycle.PER_CLASS)
class RefusalsTest {
    private static final String MEAS = "/v1/namespaces/cals/tables/meas";
    private static final String PLAN = MEAS + "/plan";
    private static final String TASKS = MEAS + "/tasks";

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

    private static ErrorResponse error(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        ErrorResponse error = ErrorResponseParser.fromJson(response.body());
        assertThat(error.code()).isEqualTo(status);
        assertThat(error.type()).isNotEmpty();
        assertThat(error.message()).isNotEmpty();
        return error;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "3",
                "\"text\"",
                "{\"filter\":",
                "{\"filter\": null}",
                "{\"filter\": 3}",
                "{\"filter\": {}}",
                "{\"filter\": {\"type\": \"eq\"}}",
                "{\"filter\": {\"type\": \"none\", \"term\": \"signal\"}}",
                "{\"filter\": {\"type\": \"eq\", \"term\": \"signal\"}}",
                "{\"filter\": {\"type\": \"eq\", \"term\": 3, \"value\": 3}}",
                "{\"filter\": {\"type\": \"eq\", \"term\": \"signal\", \"value\": [3]}}",
                "{\"filter\": {\"type\": \"eq\", \"term\": \"missing\", \"value\": 3}}",
                "{\"filter\": {\"type\": \"eq\", \"term\": \"quality\", \"value\": \"text\"}}",
                "{\"filter\": {\"type\": \"eq\", \"term\": \"value\", \"value\": true}}",
                "{\"filter\": {\"type\": \"in\", \"term\": \"signal\", \"values\": 3}}",
                "{\"filter\": {\"type\": \"not\"}}",
                "{\"filter\": {\"type\": \"starts-with\", \"term\": \"quality\", \"value\": \"1\"}}",
                "{\"filter\": {\"type\": \"eq\", \"value\": 3, \"term\":"
                        + " {\"type\": \"transform\", \"transform\": \"bucket[0]\", \"term\": \"signal\"}}}",
                "{\"filter\": {\"type\": \"eq\", \"value\": 3, \"term\":"
                        + " {\"type\": \"transform\", \"transform\": \"unheard\", \"term\": \"signal\"}}}",
                "{\"filter\": {\"type\": \"eq\", \"value\": 3, \"term\":"
                        + " {\"type\": \"transform\", \"transform\": \"day\", \"term\": \"signal\"}}}",
                "{\"select\": 3}",
                "{\"select\": [3]}",
                "{\"select\": [\"missing\"]}",
                "{\"snapshot-id\": \"x\"}",
                "{\"snapshot-id\": -1}",
                "{\"snapshot-id\": 100}",
                "{\"snapshot-id\": 1.5}",
                "{\"start-snapshot-id\": 1}",
                "{\"end-snapshot-id\": 1}",
                "{\"start-snapshot-id\": 1, \"end-snapshot-id\": 100}",
                "{\"start-snapshot-id\": 2, \"end-snapshot-id\": 1}",
                "{\"snapshot-id\": 1, \"start-snapshot-id\": 1, \"end-snapshot-id\": 2}",
                "{\"case-sensitive\": \"maybe\"}",
                "{\"min-rows-requested\": \"few\"}"
            })
    void aWrongScanIsRefused(String body) throws Exception {
        ErrorResponse error = error(gateway.post(PLAN, body), 400);
        assertThat(error.message()).doesNotContain("Exception", "\tat ");
    }

    @Test
    void whatNobodyKnowsIsLeftAside() throws Exception {
        assertThat(gateway.post(PLAN, "{\"unheard\": {\"of\": 3}}").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 2_000, 100_000})
    void aDeepFilterIsReadOrRefused(int depth) throws Exception {
        String leaf = "{\"type\": \"eq\", \"term\": \"quality\", \"value\": 1}";
        String and = "{\"type\": \"and\", \"right\": " + leaf + ", \"left\": ";
        String not = "{\"type\": \"not\", \"child\": ";
        for (String level : new String[] {and, not}) {
            int levels = Math.min(depth, (RunningGateway.BODY_BYTES - 200) / (level.length() + 1));
            String filter = level.repeat(levels) + leaf + "}".repeat(levels);
            HttpResponse<String> response = gateway.post(PLAN, "{\"filter\": " + filter + "}");
            if (levels < 500) {
                assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            } else {
                assertThat(error(response, 400).message()).contains("depth");
            }
        }
    }

    /** A wide filter is no deep one. */
    @Test
    void thousandsOfValuesAreAFilter() throws Exception {
        String values = String.join(",", Collections.nCopies(20_000, "\"SIG3\""));
        assertThat(gateway.post(
                                PLAN,
                                "{\"filter\": {\"type\": \"in\", \"term\": \"signal\", \"values\": [" + values + "]}}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aBodyOf100MegabytesIsRefused() throws Exception {
        byte[] chunk = new byte[1 << 20];
        Arrays.fill(chunk, (byte) ' ');
        var known = BodyPublishers.fromPublisher(
                BodyPublishers.ofByteArrays(Collections.nCopies(100, chunk)), 100L * chunk.length);
        var unknown = BodyPublishers.ofByteArrays(Collections.nCopies(100, chunk));
        for (var body : new HttpRequest.BodyPublisher[] {known, unknown}) {
            HttpResponse<String> response = gateway.send(
                    HttpRequest.newBuilder(gateway.uri().resolve(PLAN)).POST(body));
            assertThat(error(response, 413).message()).contains(Integer.toString(RunningGateway.BODY_BYTES), "--body");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "null",
                "{\"updates\": 3}",
                "{\"updates\": [null], \"requirements\": []}",
                "{\"updates\": [{\"action\": \"unheard\"}], \"requirements\": []}",
                "{\"updates\": [{\"action\": \"add-snapshot\"}], \"requirements\": []}",
                "{\"updates\": [{\"action\": \"add-snapshot\", \"snapshot\": {}}], \"requirements\": []}",
                "{\"updates\": [], \"requirements\": [{\"type\": \"assert-view-uuid\", \"uuid\": \"x\"}]}",
                "{\"updates\": [], \"requirements\": [null]}",
                "{\"updates\": [], \"requirements\": []}",
                "{\"updates\": [{\"action\": \"set-snapshot-ref\", \"ref-name\": \"main\", \"type\": \"branch\","
                        + " \"snapshot-id\": 3}], \"requirements\": []}",
                "{\"updates\": [{\"action\": \"add-snapshot\", \"snapshot\": {\"snapshot-id\": 3, \"timestamp-ms\": 3,"
                        + " \"sequence-number\": 9, \"summary\": {\"operation\": \"append\"}, \"schema-id\": 0,"
                        + " \"manifest-list\": \"/etc/passwd\"}}, {\"action\": \"set-snapshot-ref\", \"ref-name\": \"main\","
                        + " \"type\": \"branch\", \"snapshot-id\": 3}], \"requirements\": []}"
            })
    void aWrongCommitIsRefused(String body) throws Exception {
        HttpResponse<String> answer = gateway.post(MEAS, body);
        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 406);
        assertThat(error(answer, answer.statusCode()).message()).doesNotContain("\tat ");
    }

    private String firstTask() throws Exception {
        HttpResponse<String> response = gateway.post(PLAN, "{}");
        return MpsrRestBridge.mapper()
                .readTree(response.body())
                .get("plan-tasks")
                .get(0)
                .asText();
    }

    private static String task(String token) {
        return "{\"plan-task\": \"" + token + "\"}";
    }

    @Test
    void aForgedForeignOrStrangeTaskIsNoTask() throws Exception {
        String task = firstTask();
        assertThat(gateway.post(TASKS, task(task)).statusCode()).isEqualTo(200);
        byte[] signed = Base64.getUrlDecoder().decode(task);
        Random random = new Random(RunningGateway.SEED);
        for (int i = 0; i < 20; i++) {
            byte[] forged = signed.clone();
            forged[random.nextInt(forged.length)] ^= (byte) (1 + random.nextInt(255));
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
            assertThat(error(gateway.post(TASKS, task(text)), 404).type())
                    .as("seed %d", RunningGateway.SEED)
                    .isEqualTo("NoSuchPlanTaskException");
        }
        HttpRequest.Builder asAnother = HttpRequest.newBuilder(gateway.uri().resolve(TASKS))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString("another:".getBytes(StandardCharsets.US_ASCII)));
        error(gateway.send(asAnother.POST(BodyPublishers.ofString(task(task)))), 404);
        error(gateway.post("/v1/namespaces/cals/tables/meas$time/tasks", task(task)), 404);
        for (String body : new String[] {"", "{}", "null", "{\"plan-task\": 3}", "{\"plan-task\": null}"}) {
            error(gateway.post(TASKS, body), 400);
        }
        error(gateway.post(TASKS, task("")), 404);
        error(gateway.post(TASKS, task("é")), 404);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/namespaces/none, NoSuchNamespaceException",
        "/v1/namespaces/%1F, NoSuchNamespaceException",
        "/v1/namespaces/cals%1F/tables, NoSuchNamespaceException",
        "/v1/namespaces/%2E%2E/tables, NoSuchNamespaceException",
        "/v1/namespaces/a%2Fb/tables, NoSuchNamespaceException",
        "/v1/namespaces/a%01b, NoSuchNamespaceException",
        "/v1/namespaces?parent=none, NoSuchNamespaceException",
        "/v1/namespaces?parent=a%00, NoSuchNamespaceException",
        "/v1/namespaces/cals/tables/none, NoSuchTableException",
        "/v1/namespaces/cals/tables/a%2Fb, NoSuchTableException",
        "/v1/namespaces/cals/tables/%2E, NoSuchTableException",
        "/v1/namespaces/cals/tables/none$time, NoSuchTableException",
        "/v1/namespaces/cals/tables/$time, NoSuchTableException",
        "/v1/namespaces/cals/tables/meas/plan/3, NoSuchPlanIdException",
        "/v1/none, NotFoundException",
        "/v1, NotFoundException",
        "/v1/, NotFoundException"
    })
    void whatIsNotThereIsNotFound(String path, String type) throws Exception {
        assertThat(error(gateway.get(path), 404).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/namespaces",
        "DELETE, /v1/namespaces/cals",
        "POST, /v1/namespaces/cals/properties",
        "POST, /v1/namespaces/cals/tables",
        "POST, /v1/namespaces/cals/register",
        "DELETE, /v1/namespaces/cals/tables/meas",
        "POST, /v1/tables/rename",
        "POST, /v1/transactions/commit",
        "GET, /v1/namespaces/cals/views",
        "PATCH, /v1/namespaces"
    })
    void writesAreRefused(String method, String path) throws Exception {
        ErrorResponse error = error(
                gateway.send(HttpRequest.newBuilder(gateway.uri().resolve(path))
                        .method(method, BodyPublishers.ofString("{}"))),
                406);
        assertThat(error.message()).contains("This catalog reads");
    }

    @Test
    void whoSaysNobodyKnowsWhatIsNobody() throws Exception {
        for (String header : new String[] {"Bearer x", "Bearer", "bearer x", "Basic ***", "Basic"}) {
            error(
                    gateway.send(HttpRequest.newBuilder(gateway.uri().resolve(MEAS))
                            .header("Authorization", header)
                            .GET()),
                    401);
        }
    }
}
