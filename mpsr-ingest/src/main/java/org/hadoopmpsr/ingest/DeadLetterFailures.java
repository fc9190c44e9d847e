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

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * How many records Connect could not send to the dead letter queue, as Connect's own metric says. Connect's reporter
 * does not tell a task of a record that the producer refuses at once, such as one that is too large. 0 where Connect's
 * metrics are not in JMX. Thread-safe.
 */
final class DeadLetterFailures implements LongSupplier {
    private static final String METRIC = "deadletterqueue-produce-failures";

    /** Values that Kafka does not quote. */
    private static final Pattern PLAIN = Pattern.compile("[\\w-%\\. \t]*");

    private final ObjectName tasks;
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /**
     * Counts the records of this task. Where Connect does not say which task this is, counts those of all tasks of the
     * connector on this worker.
     */
    DeadLetterFailures(String connector, SinkTaskContext context) {
        try {
            tasks = new ObjectName(
                    "kafka.connect:type=task-error-metrics,connector=" + inName(connector) + ",task=" + task(context));
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("no metric can have the name of the connector '" + connector + "'", e);
        }
    }

    /** Written as Kafka writes values in the names of metrics. */
    private static String inName(String value) {
        return PLAIN.matcher(value).matches() ? value : ObjectName.quote(value);
    }

    private static String task(SinkTaskContext context) {
        try {
            PluginMetrics metrics = context.pluginMetrics();
            return metrics == null
                    ? "*"
                    : metrics.metricName("task", "", new LinkedHashMap<>())
                            .tags()
                            .getOrDefault("task", "*");
        } catch (NoSuchMethodError | NoClassDefFoundError e) {
            return "*"; // Connect before 4.1
        }
    }

    @Override
    public long getAsLong() {
        double failures = 0;
        for (ObjectName task : server.queryNames(tasks, null)) {
            try {
                failures += ((Number) server.getAttribute(task, METRIC)).doubleValue();
            } catch (JMException e) {
                continue; // the task has just ended
            }
        }
        return (long) failures;
    }
}
