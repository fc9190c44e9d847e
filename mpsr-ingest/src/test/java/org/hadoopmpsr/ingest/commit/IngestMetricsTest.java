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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tasks of a worker share one registry. */
class IngestMetricsTest {
    private final Metrics worker = new Metrics();

    @AfterEach
    void close() {
        worker.close();
    }

    @Test
    void aTaskThatReplacesOneThatHangsStartsAndHasMetricsOnceThatHasEnded() throws IOException {
        PluginMetricsImpl hanging = task("0");
        new IngestMetrics(hanging, "/cals/meas").committed(commit(7), 1, 1);

        IngestMetrics next = new IngestMetrics(task("0"), "/cals/meas");
        next.committed(commit(5), 10, 1);
        assertThat(value("records-total", "0")).isEqualTo(7);

        hanging.close();
        next.committed(commit(6), 20, 1);
        assertThat(value("records-total", "0")).isEqualTo(11);
        assertThat(value("stage-time-ms-max", "0")).isEqualTo(20);
    }

    @Test
    void tasksOfAWorkerMeasureTheirOwnTimesAndEndAlone() throws IOException {
        PluginMetricsImpl first = task("0");
        IngestMetrics second = new IngestMetrics(task("1"), "/cals/meas");
        new IngestMetrics(first, "/cals/meas").committed(commit(1), 1000, 1);
        second.committed(commit(1), 10, 1);
        assertThat(value("stage-time-ms-max", "0")).isEqualTo(1000);
        assertThat(value("stage-time-ms-max", "1")).isEqualTo(10);

        first.close();
        second.committed(commit(1), 30, 1);
        assertThat(value("stage-time-ms-max", "1")).isEqualTo(30);
    }

    private PluginMetricsImpl task(String number) {
        return new PluginMetricsImpl(worker, Map.of("connector", "c", "task", number));
    }

    private static PendingCommit commit(int records) {
        return new PendingCommit("t-0-0-1-a", List.of(), List.of(), records);
    }

    private double value(String name, String task) {
        KafkaMetric metric = worker.metric(
                worker.metricName(name, "plugins", Map.of("connector", "c", "task", task, "dataset", "/cals/meas")));
        return ((Number) metric.metricValue()).doubleValue();
    }
}
