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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/** Writes the records of topics to all replica groups of their datasets, each record exactly once. */
public final class MpsrSinkConnector extends SinkConnector {
    private static final Logger LOG = PrintableLog.of(MpsrSinkConnector.class);
    private static final String ISOLATION = ConsumerOverrides.PREFIX + "isolation.level";

    private Map<String, String> properties = Map.of();

    @Override
    public void start(Map<String, String> props) {
        MpsrSinkConfig config = new MpsrSinkConfig(props);
        properties = Map.copyOf(props);
        if (config.kafkaClient().isEmpty()) {
            LOG.warn(
                    "{} is not set, so the sink cannot ask Kafka: offsets that a transformation, a converter, compaction"
                            + " or a transaction leaves out end the task, and a topic that is deleted and made anew can"
                            + " be taken for the old one. Set it to the brokers that the worker has in"
                            + " bootstrap.servers.",
                    ConsumerOverrides.BOOTSTRAP);
        }
        if (!props.containsKey(ISOLATION)) {
            LOG.warn(
                    "{} is not set: where the worker does not set consumer.isolation.level, records of aborted"
                            + " transactions are stored too. Set it to read_committed for topics that are written in"
                            + " transactions, else to read_uncommitted.",
                    ISOLATION);
        }
    }

    @Override
    public Class<? extends Task> taskClass() {
        return MpsrSinkTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return Collections.nCopies(maxTasks, properties);
    }

    @Override
    public Config validate(Map<String, String> connectorConfigs) {
        List<ConfigValue> values =
                new ArrayList<>(super.validate(connectorConfigs).configValues());
        TopicConfig.problems(connectorConfigs)
                .forEach((key, problem) -> values.stream()
                        .filter(value -> value.name().equals(key))
                        .findAny()
                        .orElseGet(() -> added(values, new ConfigValue(key)))
                        .addErrorMessage(key + " " + problem));
        return new Config(values);
    }

    private static ConfigValue added(List<ConfigValue> values, ConfigValue value) {
        values.add(value);
        return value;
    }

    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<TopicPartition, Long> offsets) {
        MpsrSinkConfig config = new MpsrSinkConfig(connectorConfig);
        new OffsetChanges(config, DatasetWriters.hdfs(config)).require(offsets);
        return true;
    }

    @Override
    public ConfigDef config() {
        return SinkKeys.DEFINITION;
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
        return IngestVersion.text();
    }
}
