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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plan of a hundred of many files has these files, and takes little longer than the NameNode's answer, which is printed. {@code -Dmpsr.files=200000} for more files. */
@Tag("long")
class PlanTimesTest {
    private static final int PLANNED = 100;
    private static final int OF_COMMIT = 5_000;
    private static final int ROUNDS = 40;

    @Test
    void aHundredOfManyFiles() throws Exception {
        int files = Integer.getInteger("mpsr.files", 20_000);
        int commits = Math.max(1, files / OF_COMMIT);
        try (RunningGateway gateway = new RunningGateway(
                        RunningGateway.options(1_000, 4),
                        conf -> conf.set("dfs.mpsr.replica.group.signal.predicates", "signal"));
                MpsrClient namenode = gateway.dataset().client()) {
            Random random = new Random(RunningGateway.SEED);
            for (int commit = 0; commit < commits; commit++) {
                gateway.dataset().commitSignals(random, OF_COMMIT);
            }
            long[] gatewayNs = new long[ROUNDS];
            long[] namenodeNs = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                List<String> signals = signals(random, Math.max(1, PLANNED / commits));
                long begun = System.nanoTime();
                HttpResponse<String> answer =
                        gateway.post("/v1/namespaces/cals/tables/meas$signal/plan", body(signals));
                gatewayNs[round] = System.nanoTime() - begun;
                begun = System.nanoTime();
                ReadPlan plan = namenode.plan(
                                "/cals/meas", new Filter.In("signal", List.<Object>copyOf(signals)), "signal")
                        .orElseThrow();
                namenodeNs[round] = System.nanoTime() - begun;
                Set<String> expected =
                        plan.files().stream().map(file -> file.path()).collect(Collectors.toCollection(TreeSet::new));
                assertThat(expected).hasSize(signals.size() * commits);
                assertThat(paths(MpsrRestBridge.mapper().readTree(answer.body())))
                        .isEqualTo(expected);
            }
            System.out.printf(
                    "%d of %d files: the gateway takes %.1f ms, the NameNode's answer %.1f ms (medians of %d)%n",
                    PLANNED, commits * OF_COMMIT, median(gatewayNs), median(namenodeNs), ROUNDS);
        }
    }

    private static List<String> signals(Random random, int count) {
        Set<String> signals = new TreeSet<>();
        while (signals.size() < count) {
            signals.add("SIGNAL" + random.nextInt(OF_COMMIT));
        }
        return List.copyOf(signals);
    }

    private static String body(List<String> signals) {
        return "{\"filter\": {\"type\": \"in\", \"term\": \"signal\", \"values\": "
                + signals.stream().map(signal -> '"' + signal + '"').toList() + "}}";
    }

    private static Set<String> paths(JsonNode plan) {
        JsonNode tasks = plan.path("file-scan-tasks");
        return IntStream.range(0, tasks.size())
                .mapToObj(i -> URI.create(
                                tasks.get(i).get("data-file").get("file-path").asText())
                        .getPath())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static double median(long[] ns) {
        long[] sorted = Arrays.stream(ns).sorted().toArray();
        return sorted[sorted.length / 2] / 1e6;
    }
}
