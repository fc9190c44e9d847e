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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.ingest.decode.file.AllowedPaths;

/** Finds what no single key of a configuration shows: unknown keys, and files that are not there. */
final class KeyProblems {
    private static final String PREFIX = "mpsr.";
    private static final String KAFKA_PREFIX = PREFIX + "kafka.";

    private KeyProblems() {}

    /** What is wrong, by key; never with a value that may be a secret. */
    static Map<String, String> of(Map<String, String> properties) {
        Map<String, String> problems = new TreeMap<>();
        properties.keySet().forEach(key -> ofKey(key).ifPresent(problem -> problems.put(key, problem)));
        properties.forEach((key, value) -> {
            if (namesFiles(key)) {
                ofFiles(value).ifPresent(problem -> problems.put(key, problem));
            }
        });
        ofConfDir(properties.getOrDefault(SinkKeys.HADOOP_CONF_DIR, ""))
                .ifPresent(problem -> problems.put(SinkKeys.HADOOP_CONF_DIR, problem));
        return problems;
    }

    private static Optional<String> ofKey(String key) {
        if (key.startsWith(KAFKA_PREFIX)) {
            return Optional.of(movedTo(key.substring(KAFKA_PREFIX.length())));
        }
        if (!key.startsWith(PREFIX)
                || key.startsWith(SinkKeys.TOPIC_PREFIX)
                || SinkKeys.DEFINITION.names().contains(key)) {
            return Optional.empty();
        }
        Collection<String> known = SinkKeys.DEFINITION.names();
        return Optional.of("is no key of this connector"
                + nearest(key, known, key.length() / 3)
                        .map(KeyProblems::meant)
                        .orElse("; the keys are "
                                + String.join(", ", known.stream().sorted().toList())));
    }

    /** Connect's policy for what connectors may set of Kafka's clients does not see keys of a connector's own. */
    private static String movedTo(String name) {
        return "is not a key any more; set " + ConsumerOverrides.PREFIX + name
                + ", which Connect checks by the worker's connector.client.config.override.policy";
    }

    private static boolean namesFiles(String key) {
        return Stream.of(SinkKeys.AVRO_SCHEMAS, SinkKeys.PROTOBUF_DESCRIPTOR)
                .anyMatch(of -> key.equals(of)
                        || key.startsWith(SinkKeys.TOPIC_PREFIX) && key.endsWith(of.substring(PREFIX.length() - 1)));
    }

    private static Optional<String> ofFiles(String files) {
        return Arrays.stream(files.split(","))
                .map(String::strip)
                .filter(file -> !file.isEmpty())
                .flatMap(file -> forbidden(file).stream())
                .findFirst();
    }

    private static Optional<String> forbidden(String file) {
        return AllowedPaths.ofWorker().problem(file).map(problem -> "is '" + PrintableText.of(file) + "': " + problem);
    }

    private static String meant(String key) {
        return "; did you mean " + key + "?";
    }

    private static Optional<String> ofConfDir(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        Optional<String> forbidden = forbidden(text);
        if (forbidden.isPresent()) {
            return forbidden;
        }
        Path dir = Path.of(text);
        if (!Files.isDirectory(dir)) {
            return Optional.of(
                    "is '" + text + "', and there is no such directory on this worker; each worker needs it");
        }
        boolean any = List.of("core-site.xml", "hdfs-site.xml").stream()
                .anyMatch(name -> Files.isReadable(dir.resolve(name)));
        return any
                ? Optional.empty()
                : Optional.of(
                        "is '" + text + "', and this worker can read neither core-site.xml nor hdfs-site.xml there");
    }

    /** The name that differs least, if by no more than {@code most} letters put in, left out or changed. */
    private static Optional<String> nearest(String name, Collection<String> known, int most) {
        return known.stream()
                .min(Comparator.comparingInt((String k) -> distance(name, k)).thenComparing(Comparator.naturalOrder()))
                .filter(k -> distance(name, k) <= most);
    }

    /** The edit distance of Levenshtein. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
