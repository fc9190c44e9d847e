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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder;
import org.hadoopmpsr.ingest.decode.file.AllowedPaths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpsrSinkConfigTest {
    private static final Map<String, String> GOOD = Map.of(
            "mpsr.dataset", "/cals/meas",
            "mpsr.fs.uri", "hdfs://nn:8020",
            "mpsr.protobuf.descriptor", "/x.desc",
            "mpsr.protobuf.message", "t.Reading");

    private static Map<String, String> with(String... pairs) {
        Map<String, String> properties = new HashMap<>(GOOD);
        for (int i = 0; i < pairs.length; i += 2) {
            properties.put(pairs[i], pairs[i + 1]);
        }
        return properties;
    }

    @Test
    void hasDefaultsForAllThatIsNotNamed() {
        MpsrSinkConfig config = new MpsrSinkConfig(GOOD);
        assertThat(config.topic("any").dataset()).isEqualTo("/cals/meas");
        assertThat(config.topic("any").format()).isEqualTo(TopicConfig.Format.PROTOBUF);
        assertThat(config.topic("any").avroEncoding()).isEqualTo(AvroDecoder.Encoding.BINARY);
        assertThat(config.flushRecords()).isEqualTo(10_000_000);
        assertThat(config.flushBytes()).isEqualTo(512L << 20);
        assertThat(config.flushIntervalMs()).isEqualTo(300_000);
        assertThat(config.skipsGaps()).isFalse();
        assertThat(config.workerBufferBytes()).isLessThan(Runtime.getRuntime().maxMemory());
        assertThat(config.kafkaClient()).isEmpty();
    }

    @Test
    void asksKafkaAsTheConsumerDoesAndOutsideOfItsGroup() {
        MpsrSinkConfig config = new MpsrSinkConfig(with(
                "consumer.override.bootstrap.servers",
                "k:9092",
                "consumer.override.security.protocol",
                "SSL",
                "consumer.override.isolation.level",
                "read_committed",
                "consumer.override.group.instance.id",
                "one",
                "consumer.override.interceptor.classes",
                "org.example.Interceptor",
                "mpsr.offset.gap",
                "Skip"));
        assertThat(config.kafkaClient())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "bootstrap.servers", "k:9092",
                        "security.protocol", "SSL",
                        "isolation.level", "read_committed"));
        assertThat(new MpsrSinkConfig(with("consumer.override.security.protocol", "SSL")).kafkaClient())
                .isEmpty();
        assertThat(config.skipsGaps()).isTrue();
    }

    @Test
    void warnsAtTheStartOfWhatOnlyAnOperatorCanSet() {
        assertThat(warnings(GOOD))
                .hasSize(2)
                .anyMatch(line -> line.contains("consumer.override.bootstrap.servers is not set")
                        && line.contains("Set it to the brokers that the worker has in bootstrap.servers"))
                .anyMatch(line -> line.contains("consumer.override.isolation.level is not set")
                        && line.contains("records of aborted transactions are stored too")
                        && line.contains("Set it to read_committed"));
        assertThat(warnings(with(
                        "consumer.override.bootstrap.servers",
                        "k:9092",
                        "consumer.override.isolation.level",
                        "read_uncommitted")))
                .isEmpty();
    }

    private static List<String> warnings(Map<String, String> properties) {
        try (AllLogs logs = AllLogs.start()) {
            new MpsrSinkConnector().start(properties);
            return logs.lines().stream()
                    .filter(line -> line.startsWith("WARN " + MpsrSinkConnector.class.getName()))
                    .toList();
        }
    }

    @Test
    void givesATopicWhatIsSaidOfIt() {
        MpsrSinkConfig config = new MpsrSinkConfig(with(
                "mpsr.dataset",
                "/cals/${topic}",
                "mpsr.topic.beam.loss.dataset",
                "/cals/meas",
                "mpsr.topic.beam.loss.format",
                "avro",
                "mpsr.topic.beam.loss.avro.schemas",
                "/x.avsc",
                "mpsr.topic.beam.loss.columns",
                "signal=name"));
        assertThat(config.topic("fills").dataset()).isEqualTo("/cals/fills");
        assertThat(config.topic("fills").format()).isEqualTo(TopicConfig.Format.PROTOBUF);
        TopicConfig loss = config.topic("beam.loss");
        assertThat(loss.dataset()).isEqualTo("/cals/meas");
        assertThat(loss.format()).isEqualTo(TopicConfig.Format.AVRO);
        assertThat(loss.avroSchemas()).containsExactly("/x.avsc");
        assertThat(loss.protobufMessage()).isEqualTo("t.Reading");
    }

    @Test
    void needsTheFormatOfThoseTopicsOnlyThatItReads() {
        Map<String, String> properties =
                with("topics", "a, b", "mpsr.topic.a.format", "json", "mpsr.topic.b.format", "json");
        properties.remove("mpsr.protobuf.message");
        assertThat(new MpsrSinkConfig(properties).topic("b").format()).isEqualTo(TopicConfig.Format.JSON);
        properties.put("mpsr.topic.b.format", "avro");
        assertThatThrownBy(() -> new MpsrSinkConfig(properties))
                .hasMessageContaining("mpsr.avro.schemas: must be set when mpsr.format of the topic b is avro");
        properties.put("mpsr.topic.b.format", "json");
        properties.put("topics", "a,b,c");
        assertThatThrownBy(() -> new MpsrSinkConfig(properties))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mpsr.protobuf.message: must be set when mpsr.format of the topic c is protobuf");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mpsr.dataset             | cals/meas   | must be an absolute path without scheme",
                "mpsr.dataset             | /cals/      | must be an absolute path without scheme",
                "mpsr.dataset             | /cals/a\u202eb | holds a control character",
                "mpsr.avro.schemas        | a.avsc      | is 'a.avsc': it is not an absolute path",
                "mpsr.fs.uri              | ''          | is not the address of an HDFS; write hdfs://namenode:8020",
                "mpsr.fs.uri              | nn:8020     | is not the address of an HDFS; write hdfs://namenode:8020",
                "mpsr.fs.uri              | file:///x   | is not the address of an HDFS; write hdfs://namenode:8020",
                "mpsr.fs.uri              | hdfs://a b  | is no URI (Illegal character in authority",
                "mpsr.fs.uri              | hdfs://nn/x | names a path, which belongs into mpsr.dataset",
                "mpsr.flush.record        | 5           | is no key of this connector; did you mean"
                        + " mpsr.flush.records?",
                "mpsr.topc.x.format       | json        | is no key of this connector",
                "mpsr.nothing.like.it.at.all | 5        | is no key of this connector; the keys are"
                        + " mpsr.avro.encoding, ",
                "mpsr.kafka.sasl.mechanism | PLAIN      | is not a key any more; set"
                        + " consumer.override.sasl.mechanism, which Connect checks by the worker's"
                        + " connector.client.config.override.policy",
                "mpsr.hadoop.conf.dir     | /none/such  | is '/none/such', and there is no such directory on this"
                        + " worker",
                "mpsr.format              | xml         | String must be one of",
                "mpsr.protobuf.message    | ''          | must be set when mpsr.format is protobuf",
                "mpsr.flush.records       | 0           | Value must be at least 1",
                "mpsr.flush.bytes         | 1000        | Value must be at least 65536",
                "mpsr.flush.interval.ms   | soon        | Not a number of type LONG",
                "mpsr.writer.threads      | 1000        | Value must be no more than 256",
                "mpsr.offset.gap          | ignore      | String must be one of",
                "mpsr.avro.encoding       | json        | String must be one of",
                "mpsr.topic.x.format      | xml         | String must be one of",
                "mpsr.topic.x.dataset     | cals        | must be an absolute path without scheme",
                "mpsr.topic.x.flush.bytes | 9           | is not of the form mpsr.topic.TOPIC.KEY, with one of the"
                        + " keys dataset",
                "mpsr.topic.dataset       | /cals       | is not of the form mpsr.topic.TOPIC.KEY, with one of the"
                        + " keys dataset",
                "mpsr.worker.buffer.bytes | -1          | Value must be at least 0",
                "mpsr.columns             | a           | is not of the form column=path [as unit] [default value]",
                "mpsr.columns             | a=b as hour | is not a unit of time"
            })
    void refusesBadValuesWithKeyAndReason(String key, String value, String reason) {
        assertThatThrownBy(() -> new MpsrSinkConfig(with(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(reason);
    }

    @Test
    void refusesKeysOfTopicsThatTheConnectorDoesNotRead() {
        for (String[] of : new String[][] {{"topics", "a,c"}, {"topics.regex", "[ac].*"}}) {
            assertThatThrownBy(() -> new MpsrSinkConfig(with(of[0], of[1], "mpsr.topic.b.format", "json")))
                    .hasMessageContaining(
                            "mpsr.topic.b.format: is for the topic 'b', and the connector does not read it");
            assertThat(new MpsrSinkConfig(with(of[0], of[1], "mpsr.topic.a.format", "json"))
                            .topic("a")
                            .format())
                    .isEqualTo(TopicConfig.Format.JSON);
        }
        assertThat(new MpsrSinkConfig(with("topics.regex", "(", "mpsr.topic.b.format", "json"))
                        .topic("b")
                        .format())
                .isEqualTo(TopicConfig.Format.JSON);
    }

    @Test
    void needsAReadableFileInTheConfigurationDirectory(@TempDir Path dir) throws IOException {
        assertThatThrownBy(() -> new MpsrSinkConfig(with("mpsr.hadoop.conf.dir", dir.toString())))
                .hasMessageContaining("this worker can read neither core-site.xml nor hdfs-site.xml there");
        Files.writeString(dir.resolve("hdfs-site.xml"), "<configuration/>");
        assertThat(new MpsrSinkConfig(with("mpsr.hadoop.conf.dir", dir.toString())).hadoopConfDir())
                .isEqualTo(dir.toString());
    }

    @Test
    void namesFilesOnlyWhereTheWorkerAllowsIt() {
        Map<String, String> properties = with("mpsr.hadoop.conf.dir", "/etc", "mpsr.topic.x.avro.schemas", "/x.avsc");
        properties.put("topics", "x");
        String before = System.setProperty(AllowedPaths.PROPERTY, "");
        try {
            List<ConfigValue> values =
                    new MpsrSinkConnector().validate(properties).configValues();
            for (String key :
                    List.of("mpsr.hadoop.conf.dir", "mpsr.protobuf.descriptor", "mpsr.topic.x.avro.schemas")) {
                assertThat(values)
                        .anySatisfy(value -> assertThat(value.toString())
                                .contains(key, "this worker lets connectors read no files", AllowedPaths.PROPERTY));
            }
        } finally {
            System.setProperty(AllowedPaths.PROPERTY, before);
        }
    }

    @Test
    void reportsAllProblemsToConnect() {
        Map<String, String> properties = with("mpsr.format", "avro", "mpsr.flush.records", "-1");
        Map<String, List<String>> errors = new HashMap<>();
        for (ConfigValue value : new MpsrSinkConnector().validate(properties).configValues()) {
            if (!value.errorMessages().isEmpty()) {
                errors.put(value.name(), value.errorMessages());
            }
        }
        assertThat(errors).containsOnlyKeys("mpsr.avro.schemas", "mpsr.flush.records");
        assertThat(errors.get("mpsr.avro.schemas"))
                .containsExactly("mpsr.avro.schemas must be set when mpsr.format is avro");
        properties.put("mpsr.topic.x.format", "xml");
        assertThat(new MpsrSinkConnector().validate(properties).configValues())
                .anyMatch(v -> v.name().equals("mpsr.topic.x.format")
                        && v.errorMessages().get(0).contains("String must be one of"));
        properties.remove("mpsr.dataset");
        assertThat(new MpsrSinkConnector().validate(properties).configValues())
                .anyMatch(v ->
                        v.name().equals("mpsr.dataset") && !v.errorMessages().isEmpty());
    }

    @Test
    void documentsEveryKey() {
        assertThat(SinkKeys.DEFINITION.configKeys().values()).allSatisfy((ConfigDef.ConfigKey key) -> {
            assertThat(key.name).startsWith("mpsr.");
            assertThat(key.documentation).hasSizeGreaterThan(20);
        });
    }

    /** Written anew with {@code -Dmpsr.write=true}. */
    @Test
    void theReferenceInTheDocsIsCurrent() throws IOException {
        Path page = Path.of("../docs/ingest.md");
        String text = Files.readString(page);
        int from = text.indexOf("<!-- keys -->");
        int to = text.indexOf("<!-- end of keys -->");
        String current = text.substring(0, from) + "<!-- keys -->\n" + reference() + text.substring(to);
        if (Boolean.getBoolean("mpsr.write")) {
            Files.writeString(page, current);
        }
        assertThat(page).hasContent(current);
    }

    private static String reference() {
        StringBuilder table = new StringBuilder("| key | default | meaning |\n|---|---|---|\n");
        for (ConfigDef.ConfigKey key : new TreeMap<>(SinkKeys.DEFINITION.configKeys()).values()) {
            String preset = key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : "*needed*";
            String allowed = key.validator instanceof ConfigDef.Range ? " " + key.validator + "." : "";
            table.append("| `%s` | %s | %s%s |\n".formatted(key.name, preset, key.documentation, allowed));
        }
        return table.toString();
    }

    @Test
    void givesEveryTaskTheSameConfiguration() {
        MpsrSinkConnector connector = new MpsrSinkConnector();
        connector.start(GOOD);
        assertThat(connector.taskConfigs(3)).hasSize(3).containsOnly(GOOD);
        assertThat(connector.taskClass()).isEqualTo(MpsrSinkTask.class);
        assertThat(connector.version()).isNotEqualTo("unknown").doesNotContain("$");
    }
}
