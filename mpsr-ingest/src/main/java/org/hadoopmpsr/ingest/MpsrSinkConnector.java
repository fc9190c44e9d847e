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

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** Writes the records of topics to all replica groups of a dataset, each record exactly once. */
public final class MpsrSinkConnector extends SinkConnector {
    private Map<String, String> properties = Map.of();

    @Override
    public void start(Map<String, String> props) {
        new MpsrSinkConfig(props);
        properties = Map.copyOf(props);
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
        Config config = super.validate(connectorConfigs);
        Map<String, String> problems = MpsrSinkConfig.problems(connectorConfigs);
        for (ConfigValue value : config.configValues()) {
            String problem = problems.get(value.name());
            if (problem != null) {
                value.addErrorMessage(value.name() + " " + problem);
            }
        }
        return config;
    }

    @Override
    public ConfigDef config() {
        return MpsrSinkConfig.DEFINITION;
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
        return IngestVersion.text();
    }
}
