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

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Connect calls on a task after something of it failed; what it throws then hides the reason. */
class MpsrSinkTaskTest {
    private static final List<TopicPartition> PARTITIONS = List.of(new TopicPartition("t", 0));

    @TempDir
    private Path dir;

    private final MpsrSinkTask task = new MpsrSinkTask();
    private final Map<String, String> properties = new HashMap<>(Map.of(
            "topics", "t", "mpsr.dataset", "/cals/meas", "mpsr.format", "json", "mpsr.fs.uri", "hdfs://nn:8020"));

    private void assertEnds() {
        assertThatCode(() -> {
                    task.close(PARTITIONS);
                    task.stop();
                    task.close(PARTITIONS);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void endsAfterAStartThatFailed() {
        properties.put("mpsr.flush.records", "0");
        assertThatThrownBy(() -> task.start(properties)).isInstanceOf(ConfigException.class);
        assertEnds();
    }

    @Test
    void endsAfterAnOpenThatFailedAndTellsNothingOfTheFile() throws Exception {
        Files.writeString(dir.resolve("core-site.xml"), "SECRET");
        properties.put("mpsr.hadoop.conf.dir", dir.toString());
        task.initialize((SinkTaskContext) Proxy.newProxyInstance(
                SinkTaskContext.class.getClassLoader(), new Class<?>[] {SinkTaskContext.class}, (p, m, args) -> null));
        task.start(properties);
        assertThatThrownBy(() -> task.open(PARTITIONS))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("cannot read the Hadoop configuration '" + dir.resolve("core-site.xml"))
                .hasMessageNotContaining("SECRET")
                .hasNoCause();
        assertEnds();
    }
}
