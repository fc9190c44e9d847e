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
package org.hadoopmpsr.client.tune;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hadoopmpsr.client.workload.JsonTree;
import org.hadoopmpsr.core.tune.Features;
import org.hadoopmpsr.core.tune.MeasuredRun;
import org.hadoopmpsr.core.tune.Settings;
import org.hadoopmpsr.core.tune.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Reads measured runs: the files of a local directory whose names end with {@code .jsonl}, with one JSON object for each run in a line of
 * its own. Empty lines, and names that are not known, are passed over.
 *
 * <pre>{"workload": "farm.point.3", "family": "farm.point", "features": {"rows": 200000, …}, "settings": {"key": "value", …},
 * "seconds": 0.2}</pre>
 */
public final class MeasuredRuns {
    private static final String SUFFIX = ".jsonl";

    private MeasuredRuns() {}

    /**
     * Reads all runs.
     *
     * @throws IllegalArgumentException if there is no such directory or file, no run in it, or a line that is none, with a message for
     *     the user
     */
    public static List<MeasuredRun> read(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("there is no local directory '" + directory
                    + "'; 'bin/mpsr bench settings --json=DIR' measures runs and writes them into DIR");
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> String.valueOf(file.getFileName()).endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
        List<MeasuredRun> runs = new ArrayList<>();
        Known known = new Known();
        for (Path file : files) {
            try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                long number = 0;
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    number++;
                    if (!line.isBlank()) {
                        runs.add(known.run(line, file, number));
                    }
                }
            }
        }
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("there is no run in '" + directory + "': it has " + files.size()
                    + " files named *" + SUFFIX + "; 'bin/mpsr bench settings --json=DIR' writes one into DIR");
        }
        return runs;
    }

    /** Workloads and settings that came before: thousands of runs share them. */
    private static final class Known {
        private final Map<Workload, Workload> workloads = new HashMap<>();
        private final Map<Settings, Settings> settings = new HashMap<>();

        MeasuredRun run(String line, Path file, long number) {
            try {
                Map<?, ?> run = object(JsonTree.parse(line), "the run");
                Workload workload = new Workload(
                        text(run.get("workload"), "workload"),
                        text(run.get("family"), "family"),
                        Features.of(numbers(object(run.get("features"), "features"))));
                Settings its = new Settings(texts(object(run.get("settings"), "settings")));
                return new MeasuredRun(
                        workloads.computeIfAbsent(workload, same -> same),
                        settings.computeIfAbsent(its, same -> same),
                        number(run.get("seconds"), "seconds"));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "line " + number + " of '" + file + "' is no measured run: " + e.getMessage(), e);
            }
        }

        private static Map<?, ?> object(@Nullable Object value, String name) {
            if (value instanceof Map<?, ?> map) {
                return map;
            }
            throw new IllegalArgumentException("'" + name + "' is no object: " + value);
        }

        private static String text(@Nullable Object value, String name) {
            if (value instanceof String text) {
                return text;
            }
            throw new IllegalArgumentException("'" + name + "' is no text: " + value);
        }

        private static double number(@Nullable Object value, String name) {
            if (value instanceof Number number) {
                return number.doubleValue();
            }
            throw new IllegalArgumentException("'" + name + "' is no number: " + value);
        }

        private static Map<String, Double> numbers(Map<?, ?> map) {
            Map<String, Double> numbers = new LinkedHashMap<>();
            map.forEach((key, value) -> numbers.put(String.valueOf(key), number(value, String.valueOf(key))));
            return numbers;
        }

        /** Numbers and booleans may stand without quotes. */
        private static Map<String, String> texts(Map<?, ?> map) {
            Map<String, String> texts = new LinkedHashMap<>();
            map.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
            return texts;
        }
    }
}
