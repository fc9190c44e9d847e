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
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.commit.LocalTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * What must stay secret of a configuration is in no line of the logs, of any library at any level, and in no message of
 * an exception, whatever goes wrong. Every secret has the word SECRET in it.
 */
class SecretsTest {
    private static final String SECRET = "SECRET";
    private static final String JAAS = "consumer.override.sasl.jaas.config";
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    @TempDir
    private Path dir;

    private AllLogs logs;
    private final SinkTaskContext context = (SinkTaskContext) Proxy.newProxyInstance(
            SinkTaskContext.class.getClassLoader(), new Class<?>[] {SinkTaskContext.class}, (p, method, args) -> null);

    @BeforeEach
    void start() {
        logs = AllLogs.start();
    }

    @AfterEach
    void close() {
        logs.close();
    }

    /** All that is a password to Kafka's clients, keys that nobody knows, and a Hadoop configuration with passwords. */
    private Map<String, String> properties() throws IOException {
        Map<String, String> properties = new TreeMap<>(Map.of(
                "topics", "t",
                "mpsr.dataset", "/cals/meas",
                "mpsr.format", "json",
                "mpsr.fs.uri", "hdfs://127.0.0.1:" + closedPort(),
                "mpsr.hadoop.conf.dir", hadoopConf().toString()));
        AdminClientConfig.configDef().configKeys().values().stream()
                .filter(key -> key.type == ConfigDef.Type.PASSWORD)
                .forEach(key -> properties.put("consumer.override." + key.name, "SECRET-" + key.name));
        assertThat(properties).containsKeys(JAAS, "consumer.override.ssl.keystore.password");
        properties.put(JAAS, jaas("username=\"sink\" password=\"SECRET-password\";"));
        properties.put("consumer.override.bootstrap.servers", "127.0.0.1:" + closedPort());
        properties.put("consumer.override.security.protocol", "SASL_PLAINTEXT");
        properties.put("consumer.override.sasl.mechanism", "PLAIN");
        properties.put("consumer.override.request.timeout.ms", "200");
        properties.put("consumer.override.default.api.timeout.ms", "400");
        properties.put("consumer.override.some.plugins.token", "SECRET-of-a-plugin");
        return properties;
    }

    private static String jaas(String options) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required " + options;
    }

    private Path hadoopConf() throws IOException {
        StringBuilder xml = new StringBuilder("<configuration>");
        Map.of(
                        "ipc.client.connect.max.retries", "0",
                        "ssl.client.truststore.password", "SECRET-truststore",
                        "hadoop.security.group.mapping.ldap.bind.password", "SECRET-ldap",
                        "fs.s3a.secret.key", "SECRET-s3a")
                .forEach((key, value) ->
                        xml.append("<property><name>%s</name><value>%s</value></property>".formatted(key, value)));
        Files.writeString(dir.resolve("core-site.xml"), xml.append("</configuration>"));
        return dir;
    }

    /** A port that nobody listens on. */
    private static int closedPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Throwable failure(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isNotNull();
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain(SECRET);
        return failure;
    }

    private void nothingIsTold() {
        assertThat(logs.lines()).isNotEmpty().noneMatch(line -> line.contains(SECRET));
        LoggerFactory.getLogger("some.library").trace("SECRET");
        assertThat(logs.lines()).as("the logs are seen").contains("TRACE some.library: SECRET");
    }

    @Test
    void aTaskThatCannotReachHdfs() throws Exception {
        Map<String, String> properties = properties();
        MpsrSinkTask task = new MpsrSinkTask();
        task.initialize(context);
        task.start(properties);
        task.open(List.of(PARTITION));
        task.stop();
        assertThat(logs.lines())
                .anyMatch(line -> line.contains("the dataset /cals/meas waits") && line.contains("cannot open it"));
        assertThat(logs.lines()).anyMatch(line -> line.contains("MpsrSinkConfig values"));
        nothingIsTold();
    }

    @Test
    void aTaskThatCannotReachKafka() throws Exception {
        Map<String, String> properties = properties();
        readsAfterAGap(properties);
        assertThat(logs.lines()).anyMatch(line -> line.contains("cannot ask Kafka for the id of the topic t"));
        assertThat(logs.lines()).anyMatch(line -> line.contains("sasl.jaas.config = [hidden]"));
        nothingIsTold();
    }

    /** Kafka's own message names a word of the password when that is not in quotes. */
    @Test
    void loginsThatKafkaCannotRead() throws Exception {
        for (String login : List.of(
                jaas("username=sink password=my SECRET;"),
                jaas("username=sink password=SECRET"),
                "SECRET SECRET SECRET;",
                "SECRET")) {
            Map<String, String> properties = properties();
            properties.put(JAAS, login);
            assertThat(failure(() -> readsAfterAGap(properties)))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining(JAAS);
        }
        nothingIsTold();
    }

    @Test
    void otherMistakesOfTheClientAreTold() throws Exception {
        Map<String, String> properties = properties();
        properties.put("consumer.override.retries", "many");
        assertThat(failure(() -> readsAfterAGap(properties)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("below consumer.override.")
                .rootCause()
                .hasMessageContaining("Invalid value many for configuration retries");
        nothingIsTold();
    }

    /** One task from its start to its end; the dataset is committed up to 2, and Kafka's next record is 5. */
    private void readsAfterAGap(Map<String, String> properties) throws IOException {
        Schema schema = Schema.parse("id bigint not null");
        ReplicaGroup group = new ReplicaGroup(
                "id", List.of(Predicate.parse("bucket(2, id)")), SortKey.of(List.of("id")), 1, Codec.parse("none"));
        MpsrSinkConfig config = new MpsrSinkConfig(properties);
        LocalTarget target = new LocalTarget(dir, schema, new ReplicaGroups(List.of(group), "id"));
        target.offsets.put("t-0", new CommittedOffset("t", 0, 2, "t-0-0-2"));
        try (SinkSessions sessions =
                new SinkSessions(config, context, new DatasetWriters(config, context, path -> target)::make)) {
            sessions.open(List.of(PARTITION));
            Map<String, Object> value = Map.of("id", 5L);
            List<SinkRecord> records =
                    List.of(new SinkRecord("t", 0, null, null, null, value, 5, 0L, TimestampType.CREATE_TIME));
            sessions.put(records); // may have been fetched before the task has sought its offset
            sessions.put(records);
        }
    }

    @Test
    void aConnectorWithKeysThatAreNotUnderstood() throws Exception {
        Map<String, String> properties = properties();
        properties.put("mpsr.topic.t.kafka.sasl.jaas.config", "SECRET-of-a-topic");
        MpsrSinkConnector connector = new MpsrSinkConnector();
        assertThat(failure(() -> connector.start(properties)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mpsr.topic.t.kafka.sasl.jaas.config");
        Map<String, String> other = new HashMap<>(properties);
        other.put("mpsr.flush.records", "-1");
        assertThat(connector.validate(other).configValues())
                .anyMatch(value -> !value.errorMessages().isEmpty())
                .noneMatch(value -> value.toString().contains(SECRET));
        nothingIsTold();
    }
}
