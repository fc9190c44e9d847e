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
package org.hadoopmpsr.benchmarks.ingest;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** The plain sink that the benchmark compares with: see {@link ParquetSinkTask}. */
public final class ParquetSinkConnector extends SinkConnector {
    private Map<String, String> properties = Map.of();

    @Override
    public String version() {
        return "benchmark";
    }

    @Override
    public void start(Map<String, String> props) {
        properties = Map.copyOf(props);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return ParquetSinkTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return Collections.nCopies(maxTasks, properties);
    }

    @Override
    public ConfigDef config() {
        return ParquetSinkConfig.DEFINITION;
    }

    @Override
    public void stop() {
        // holds nothing
    }
}
