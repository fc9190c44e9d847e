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
package org.hadoopmpsr.client.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.wire.WorkloadWire;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.AskedShape.Measured;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.Term;
import org.hadoopmpsr.core.workload.WorkloadLog;
import org.junit.jupiter.api.Test;

class WorkloadJsonTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);

    private static WorkloadReport random(Random random) {
        WorkloadLog log = new WorkloadLog(100);
        for (int i = 0; i < 200; i++) {
            List<Measured> terms = new ArrayList<>();
            for (int t = random.nextInt(4); t > 0; t--) {
                String column = "c " + random.nextInt(3);
                terms.add(
                        switch (random.nextInt(3)) {
                            case 0 -> Measured.values(column, 1 + random.nextInt(200));
                            case 1 ->
                                Measured.range(
                                        column,
                                        Term.Operator.RANGE,
                                        random.nextInt(4) == 0 ? Double.NaN : random.nextDouble());
                            default -> Measured.without(new Term(List.of(column, "ä\"\n"), Term.Operator.OTHER, 0));
                        });
            }
            List<String> columns = random.nextBoolean() ? null : List.of("c 1", "value");
            log.asked(
                    "d",
                    "form",
                    new Asked(
                            AskedShape.of(terms, columns),
                            random.nextInt(5) == 0 ? null : "signal",
                            new Amount(random.nextInt(9), random.nextDouble() * 1e12, random.nextInt(3) - 1),
                            new Amount(9, 1e13, 1e9),
                            List.of(new Candidate("signal", 1, 5, 0.25, random.nextBoolean(), 0, null)),
                            random.nextBoolean() ? "c = 'secret'" : null),
                    i * 1_000L);
        }
        return new WorkloadReport(
                7_000, 100, log.evicted(), List.of(new WorkloadReport.OfDataset("/a b/ö", "time", log.classes("d"))));
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        WorkloadReport report = random(new Random(SEED));
        assertThat(report.datasets().get(0).queries()).isPositive();
        String text = Json.text(WorkloadJson.of(report));
        String again = Json.text(WorkloadJson.of(WorkloadJson.read(text)));
        assertThat(again).as("-Dmpsr.seed=%s", SEED).isEqualTo(text);
    }

    @Test
    void messagesTellAllButReports() {
        WorkloadReport report = random(new Random(SEED + 1));
        for (QueryClass one : report.datasets().get(0).classes()) {
            QueryClass again = WorkloadWire.queries(WorkloadWire.of(one));
            assertThat(again.shape()).isEqualTo(one.shape());
            assertThat(again.tally().groups()).isEqualTo(one.tally().groups());
            assertThat(again.tally().planned()).isEqualTo(one.tally().planned());
            for (int i = 0; i < one.shape().terms().size(); i++) {
                assertThat(again.tally().measure(i)).isCloseTo(one.tally().measure(i), offset(1e-9));
            }
        }
    }

    @Test
    void otherTextsAreRefused() {
        assertThatThrownBy(() -> WorkloadJson.read("{\"a\": 1}")).hasMessageContaining("it has no list 'datasets'");
        assertThatThrownBy(() -> WorkloadJson.read("{\"a\": ")).hasMessageContaining("it is no JSON");
        assertThatThrownBy(() -> WorkloadJson.read("{} {}")).hasMessageContaining("goes on");
        assertThatThrownBy(() -> WorkloadJson.read("[".repeat(600) + "]".repeat(600)))
                .hasMessageContaining("too deep");
        assertThatThrownBy(() -> WorkloadJson.read(
                        "{\"since\": \"2026-11-28T14:00:00Z\", \"datasets\": [{\"classes\": [{\"queries\": 1, \"terms\":"
                                + " [{\"columns\": [\"a\"], \"operator\": \"NEAR\"}]}]}]}"))
                .hasMessageContaining("the operator 'NEAR'");
    }
}
