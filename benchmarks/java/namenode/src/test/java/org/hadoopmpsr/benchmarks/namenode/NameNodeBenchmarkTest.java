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
package org.hadoopmpsr.benchmarks.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The short form of all parts: fails where an answer is wrong, and never because it was slow. */
class NameNodeBenchmarkTest {
    @Test
    @Tag("long")
    void theShortFormMeasuresAllParts(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("namenode.json");

        assertThat(new CommandLine(new NameNodeBenchmark()).execute("--quick", "--json", json.toString()))
                .isZero();

        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.get("suite").asText()).isEqualTo("namenode");
        assertThat(report.get("scale").asText()).isEqualTo("quick");
        JsonNode figures = report.get("figures");
        for (String operation : new String[] {"create", "open", "delete", "rename", "fileStatus"}) {
            for (String where : new String[] {"stock", "outside", "inside"}) {
                assertThat(figure(figures, "throughput." + operation + "." + where))
                        .isPositive();
            }
        }
        for (String placement : new String[] {
            "1.stock", "1.group", "1.segment", "1.outside", "3.stock", "3.group", "3.segment", "3.outside"
        }) {
            assertThat(figure(figures, "placement." + placement)).isPositive();
        }
        assertThat(figure(figures, "scatter.30.day.1.rebuild")).isCloseTo(1, within(1e-9));
        assertThat(figure(figures, "scatter.30.day.all.rebuild")).isBetween(8.0, 10.0);
        assertThat(figure(figures, "durability.30.2.read")).isBetween(1.9, 2.1);
        for (String layout : new String[] {"hdfs", "1", "2.16runs", "all"}) {
            assertThat(figure(figures, "durability.30." + layout + ".loss.0.04"))
                    .isBetween(1e-12, 1e-3);
        }
        assertThat(figure(figures, "publish.files")).isEqualTo(60);
        for (String change : new String[] {"publish", "rewrite", "rebuild"}) {
            assertThat(figure(figures, change + ".longestHold")).isPositive();
        }
        for (String operation : new String[] {"blockReport", "replication"}) {
            assertThat(figure(figures, "throughput." + operation + ".stock")).isPositive();
            assertThat(figure(figures, "throughput." + operation + ".outside")).isPositive();
        }
        // the staging directory, two to prepare, the others' targets, the commit point, the others' moves
        assertThat(figure(figures, "publish.numberOfHolds")).isEqualTo(6);
        assertThat(figure(figures, "heap.files")).isEqualTo(1_002);
        assertThat(figure(figures, "year.1.files")).isBetween(1_000.0, 100_000.0);
        assertThat(figure(figures, "year.1.heap")).isPositive();
        assertThat(figure(figures, "planning.files")).isEqualTo(2_004);
        for (String what : new String[] {"signal", "day", "device", "both", "all", "stock"}) {
            assertThat(figure(figures, "planning." + what)).isPositive();
        }
        for (String call : new String[] {"Open", "List", "Status", "OpenOther", "ListOther", "StatusOther"}) {
            assertThat(figure(figures, "throughput.reader" + call + ".stock")).isPositive();
            assertThat(figure(figures, "throughput.reader" + call + ".dataset")).isPositive();
        }
        assertThat(report.get("runs")).isNotEmpty();
    }

    @Tag("long")
    @Test
    void partsAreMeasuredAlone(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("namenode.json");

        assertThat(new CommandLine(new NameNodeBenchmark())
                        .execute("--quick", "--only", "publish,planning", "--json", json.toString()))
                .isZero();

        JsonNode figures = new ObjectMapper().readTree(json.toFile()).get("figures");
        assertThat(figure(figures, "publish.numberOfHolds")).isEqualTo(6);
        assertThat(figure(figures, "planning.files")).isEqualTo(2_004);
        assertThat(figures.has("heap.files")).isFalse();
    }

    private static double figure(JsonNode figures, String name) {
        assertThat(figures.has(name)).as(name).isTrue();
        return figures.get(name).get("value").asDouble();
    }

    @Test
    void aMedianIsBetweenTheTwoInTheMiddle() {
        assertThat(Report.median(5, 1, 3)).isEqualTo(3);
        assertThat(Report.median(5, 1, 3, 2)).isEqualTo(2.5);
    }

    @Test
    void aGoalSaysWhetherItIsMet() {
        assertThat(Goal.atMost(20).text(20)).isEqualTo("≤ 20.0: met");
        assertThat(Goal.atLeast(0.97).text(0.96)).isEqualTo("≥ 0.97: missed");
        assertThat(Goal.NONE.text(1)).isEmpty();
    }
}
