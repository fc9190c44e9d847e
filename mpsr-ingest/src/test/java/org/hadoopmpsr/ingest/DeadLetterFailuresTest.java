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
package org.hadoopmpsr.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.Test;

/** Connect's metrics as Connect registers them. */
class DeadLetterFailuresTest {
    private static SinkTaskContext context(PluginMetrics metrics) {
        return (SinkTaskContext) Proxy.newProxyInstance(
                SinkTaskContext.class.getClassLoader(),
                new Class<?>[] {SinkTaskContext.class},
                (proxy, method, args) -> method.getName().equals("pluginMetrics") ? metrics : null);
    }

    @Test
    void areThoseOfTheTask() throws Exception {
        try (Metrics worker = new Metrics(
                        new MetricConfig(),
                        List.of(new JmxReporter()),
                        Time.SYSTEM,
                        new KafkaMetricsContext("kafka.connect"));
                PluginMetricsImpl second = new PluginMetricsImpl(worker, Map.of("connector", "a:b", "task", "1"))) {
            DeadLetterFailures ofTask = new DeadLetterFailures("a:b", context(second));
            DeadLetterFailures ofConnector = new DeadLetterFailures("a:b", context(null));
            assertThat(ofTask.getAsLong()).as("no metric yet").isZero();
            for (int task = 0; task < 3; task++) {
                double failures = task + 1;
                worker.addMetric(
                        worker.metricName(
                                "deadletterqueue-produce-failures",
                                "task-error-metrics",
                                "",
                                Map.of("connector", "a:b", "task", String.valueOf(task))),
                        (config, now) -> failures);
            }
            assertThat(ofTask.getAsLong()).isEqualTo(2);
            assertThat(ofConnector.getAsLong()).isEqualTo(6);
            assertThat(new DeadLetterFailures("other", context(null)).getAsLong())
                    .isZero();
        }
    }
}
