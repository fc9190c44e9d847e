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
package org.hadoopmpsr.benchmarks.namenode;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.apache.hadoop.util.VersionInfo;

/** Collects what is measured, and writes it as lines and as JSON. */
public final class Report {
    private final PrintStream out;
    private final String scale;
    private final List<Map<String, Object>> runs = new ArrayList<>();
    private final Map<String, Map<String, Object>> figures = new LinkedHashMap<>();

    Report(PrintStream out, String scale) {
        this.out = out;
        this.scale = scale;
    }

    /** A single measurement. */
    void run(String name, int round, double value, String unit) {
        runs.add(Map.of("name", name, "round", round, "value", value, "unit", unit));
    }

    /** Prints a line. */
    public void line(String text) {
        out.println(text);
    }

    /** Keeps a figure that was printed otherwise. */
    public void kept(String name, double value, String unit) {
        figures.put(name, figure(value, unit, new double[] {value, value}, 1, ""));
    }

    private static Map<String, Object> figure(double value, String unit, double[] spread, int count, String goal) {
        return Map.of("value", value, "unit", unit, "spread", spread, "count", count, "goal", goal);
    }

    void figure(String name, double value, String unit) {
        figure(name, value, unit, Goal.NONE);
    }

    void figure(String name, double value, String unit, Goal goal) {
        figure(name, List.of(value), unit, goal);
    }

    /** The median of several values; the spread is the least and the most. */
    void figure(String name, List<Double> values, String unit, Goal goal) {
        double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
        double median = median(sorted);
        double[] spread = {sorted[0], sorted[sorted.length - 1]};
        figures.put(name, figure(median, unit, spread, sorted.length, goal.text(median)));
        out.printf(
                Locale.ROOT,
                "%-32s %10.4g %-10s %10.4g … %-10.4g %3d  %s%n",
                name,
                median,
                unit,
                spread[0],
                spread[1],
                sorted.length,
                goal.text(median));
    }

    static double median(double... values) {
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    void write(Path file) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("suite", "namenode");
        json.put("seed", 0);
        json.put("scale", scale);
        json.put("date", Instant.now().toString());
        json.put(
                "machine",
                Map.of(
                        "cores", Runtime.getRuntime().availableProcessors(),
                        "maxHeapBytes", Runtime.getRuntime().maxMemory(),
                        "os", System.getProperty("os.name") + " " + System.getProperty("os.version")));
        json.put("versions", Map.of("hadoop", VersionInfo.getVersion(), "java", System.getProperty("java.version")));
        json.put("runs", runs);
        json.put("figures", figures);
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), json);
    }
}
