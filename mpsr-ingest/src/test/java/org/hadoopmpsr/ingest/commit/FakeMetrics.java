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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;

/** The metrics of one task, on Kafka's own registry. */
public final class FakeMetrics implements PluginMetrics {
    private final Metrics metrics = new Metrics();

    /** The value of a metric as a number. */
    double value(String name) {
        return value(name, "/cals/meas");
    }

    /** The same of a dataset. */
    public double value(String name, String dataset) {
        return ((Number) metrics.metric(metricName(name, "", new LinkedHashMap<>(Map.of("dataset", dataset))))
                        .metricValue())
                .doubleValue();
    }

    /** The names of all that a task has. */
    List<String> names() {
        return metrics.metrics().keySet().stream()
                .filter(metric -> metric.group().equals("plugins"))
                .map(MetricName::name)
                .toList();
    }

    @Override
    public MetricName metricName(String name, String description, LinkedHashMap<String, String> tags) {
        return metrics.metricName(name, "plugins", description, Map.copyOf(tags));
    }

    @Override
    public void addMetric(MetricName name, MetricValueProvider<?> provider) {
        metrics.addMetric(name, provider);
    }

    @Override
    public void removeMetric(MetricName name) {
        metrics.removeMetric(name);
    }

    @Override
    public Sensor addSensor(String name) {
        return metrics.sensor(name);
    }

    @Override
    public void removeSensor(String name) {
        metrics.removeSensor(name);
    }
}
