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

import static org.hadoopmpsr.ingest.SinkKeys.AVRO_ENCODING;
import static org.hadoopmpsr.ingest.SinkKeys.AVRO_SCHEMAS;
import static org.hadoopmpsr.ingest.SinkKeys.FORMAT;
import static org.hadoopmpsr.ingest.SinkKeys.OF_TOPICS;
import static org.hadoopmpsr.ingest.SinkKeys.PROTOBUF_DESCRIPTOR;
import static org.hadoopmpsr.ingest.SinkKeys.PROTOBUF_MESSAGE;
import static org.hadoopmpsr.ingest.SinkKeys.TOPIC_PREFIX;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigValue;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder;

/** Where the records of a topic go, and in which form they come: the keys of the topic before those of all. Immutable. */
public final class TopicConfig extends AbstractConfig {
    private static final String PREFIX = "mpsr.";
    private static final String TOPIC_PLACE = "${topic}";

    private final String topic;

    /** The forms that messages may have. */
    public enum Format {
        PROTOBUF,
        JSON,
        AVRO,
        CONNECT
    }

    TopicConfig(Map<String, String> properties, String topic) {
        super(SinkKeys.DEFINITION, resolve(properties, topic));
        this.topic = topic;
    }

    /** What is wrong with the names of keys, the keys of topics, and keys that depend on each other, by key. */
    static Map<String, String> problems(Map<String, String> properties) {
        Map<String, String> problems = new TreeMap<>(KeyProblems.of(properties));
        SortedSet<String> topics = new TreeSet<>();
        properties.keySet().stream().filter(key -> key.startsWith(TOPIC_PREFIX)).forEach(key -> {
            Optional<String> of = keyOfTopic(key);
            if (of.isPresent() && isSubscribed(properties, topicOf(key, of.get()))) {
                topics.add(topicOf(key, of.get()));
            } else if (of.isPresent()) {
                problems.put(
                        key,
                        "is for the topic '" + topicOf(key, of.get())
                                + "', and the connector does not read it; check topics and topics.regex");
            } else {
                problems.put(
                        key,
                        "is not of the form " + TOPIC_PREFIX + "TOPIC.KEY, with one of the keys "
                                + String.join(
                                        ", ",
                                        OF_TOPICS.stream()
                                                .map(TopicConfig::suffix)
                                                .toList()));
            }
        });
        List<String> listed = listed(properties);
        topics.addAll(listed.isEmpty() ? List.of("") : listed);
        topics.forEach(topic -> problems(properties, topic).forEach(problems::put));
        return problems;
    }

    private static List<String> listed(Map<String, String> properties) {
        return Arrays.stream(properties.getOrDefault("topics", "").split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Whether the connector reads a topic, as far as what it says of that can be understood. */
    private static boolean isSubscribed(Map<String, String> properties, String topic) {
        List<String> listed = listed(properties);
        String regex = properties.getOrDefault("topics.regex", "");
        if (!listed.isEmpty() || regex.isBlank()) {
            return listed.isEmpty() || listed.contains(topic);
        }
        try {
            return Pattern.matches(regex, topic);
        } catch (PatternSyntaxException e) {
            return true; // Connect says what is wrong with it
        }
    }

    private static Map<String, String> problems(Map<String, String> properties, String topic) {
        Map<String, String> resolved = resolve(properties, topic);
        Map<String, String> problems = new TreeMap<>();
        for (ConfigValue value : SinkKeys.DEFINITION.validate(resolved)) {
            String key = place(properties, topic, value.name());
            if (!key.equals(value.name()) && !value.errorMessages().isEmpty()) {
                problems.put(key, String.join("; ", value.errorMessages()));
            }
        }
        if (Format.PROTOBUF.name().equalsIgnoreCase(resolved.getOrDefault(FORMAT, "protobuf"))) {
            for (String key : List.of(PROTOBUF_DESCRIPTOR, PROTOBUF_MESSAGE)) {
                if (resolved.getOrDefault(key, "").isBlank()) {
                    problems.put(place(properties, topic, key), mustBeSet(topic, "protobuf"));
                }
            }
        }
        if (Format.AVRO.name().equalsIgnoreCase(resolved.get(FORMAT))
                && !"container".equalsIgnoreCase(resolved.get(AVRO_ENCODING))
                && resolved.getOrDefault(AVRO_SCHEMAS, "").isBlank()) {
            problems.put(place(properties, topic, AVRO_SCHEMAS), mustBeSet(topic, "avro"));
        }
        return problems;
    }

    private static String mustBeSet(String topic, String format) {
        return "must be set when " + FORMAT + (topic.isEmpty() ? "" : " of the topic " + topic) + " is " + format;
    }

    /** The key where the value that counts for a topic stands. */
    private static String place(Map<String, String> properties, String topic, String key) {
        String own = TOPIC_PREFIX + topic + "." + suffix(key);
        return OF_TOPICS.contains(key) && properties.containsKey(own) ? own : key;
    }

    private static Map<String, String> resolve(Map<String, String> properties, String topic) {
        Map<String, String> resolved = new HashMap<>(properties);
        for (String key : OF_TOPICS) {
            String value = properties.get(place(properties, topic, key));
            if (value != null) {
                resolved.put(key, value);
            }
        }
        return resolved;
    }

    private static Optional<String> keyOfTopic(String key) {
        return OF_TOPICS.stream()
                .filter(of -> key.endsWith("." + suffix(of))
                        && key.length() > TOPIC_PREFIX.length() + suffix(of).length() + 1)
                .findAny();
    }

    private static String topicOf(String key, String of) {
        return key.substring(TOPIC_PREFIX.length(), key.length() - suffix(of).length() - 1);
    }

    private static String suffix(String key) {
        return key.substring(PREFIX.length());
    }

    /** The path of the dataset. */
    public String dataset() {
        return getString(SinkKeys.DATASET).replace(TOPIC_PLACE, topic);
    }

    public Format format() {
        return Format.valueOf(getString(FORMAT).toUpperCase(Locale.ROOT));
    }

    public String protobufDescriptor() {
        return getString(PROTOBUF_DESCRIPTOR);
    }

    public String protobufMessage() {
        return getString(PROTOBUF_MESSAGE);
    }

    public List<String> avroSchemas() {
        return getList(AVRO_SCHEMAS);
    }

    /** How Avro records are written. */
    public AvroDecoder.Encoding avroEncoding() {
        return AvroDecoder.Encoding.valueOf(
                getString(AVRO_ENCODING).toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    public ColumnMapping columns() {
        return ColumnMapping.parse(getList(SinkKeys.COLUMNS));
    }
}
