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
package org.hadoopmpsr.client.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.workload.AskedShape;

/**
 * Reads event logs of Spark: of each SQL execution the scans of files, with the filters that Spark pushed to them, what they read,
 * and how long the execution took. The logs are read twice: first for the bounds of all values that are asked for, from which the share
 * of a range is told.
 */
public final class SparkLogImport {
    private static final String EVENT = "Event";
    private static final String START = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart";
    private static final String UPDATE = "org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate";
    private static final String METRICS = "org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates";
    private static final String END = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd";
    private static final String APPLICATION_END = "SparkListenerApplicationEnd";

    private final ImportedWorkload workload;
    private final AskedBounds bounds;
    private final Map<Double, Execution> running = new HashMap<>();

    private SparkLogImport(ImportedWorkload workload, AskedBounds bounds) {
        this.workload = workload;
        this.bounds = bounds;
    }

    /** An SQL execution that has not ended yet. */
    private static final class Execution {
        private final double startMs;
        private List<SparkScan> scans;
        private final Map<Long, Double> metrics = new HashMap<>();

        Execution(double startMs, List<SparkScan> scans) {
            this.startMs = startMs;
            this.scans = scans;
        }
    }

    /**
     * Reads logs into a workload.
     *
     * @param paths local files, or directories with files
     */
    public static void read(List<String> paths, ImportedWorkload workload) throws IOException {
        AskedBounds bounds = new AskedBounds();
        LogLines.each(paths, line -> scans(event(line)).forEach(scan -> scan.addTo(bounds)));
        SparkLogImport reader = new SparkLogImport(workload, bounds);
        LogLines.each(paths, reader::line);
        reader.endAll();
    }

    private static Map<?, ?> event(String line) {
        if (!line.contains("sql.execution.ui") && !line.contains(APPLICATION_END)) {
            return Map.of();
        }
        try {
            return JsonTree.parse(line) instanceof Map<?, ?> event ? event : Map.of();
        } catch (IllegalArgumentException e) {
            return Map.of(); // of an application that ended while it wrote the line
        }
    }

    private static List<SparkScan> scans(Map<?, ?> event) {
        List<SparkScan> scans = new ArrayList<>();
        SparkScan.collect(JsonTree.object(event, "sparkPlanInfo"), scans);
        return scans;
    }

    private void line(String line) {
        boolean mayMatter = line.contains("sql.execution.ui");
        Map<?, ?> event = event(line);
        workload.line(!mayMatter || !event.isEmpty());
        double id = JsonTree.number(event, "executionId", -1);
        switch (JsonTree.text(event, EVENT)) {
            case START -> running.put(id, new Execution(JsonTree.number(event, "time", 0), scans(event)));
            case UPDATE -> {
                List<SparkScan> latest = scans(event);
                Execution execution = running.get(id);
                if (execution != null && !latest.isEmpty()) {
                    execution.scans = latest;
                }
            }
            case METRICS -> {
                Execution execution = running.get(id);
                if (execution != null) {
                    metrics(event, execution);
                }
            }
            case END -> {
                Execution execution = running.remove(id);
                if (execution != null) {
                    end(execution, JsonTree.number(event, "time", execution.startMs) - execution.startMs);
                }
            }
            case APPLICATION_END -> endAll();
            default -> {}
        }
    }

    private static void metrics(Map<?, ?> event, Execution execution) {
        for (Object update : JsonTree.list(event, "accumUpdates")) {
            if (update instanceof List<?> pair
                    && pair.size() == 2
                    && pair.get(0) instanceof Number id
                    && pair.get(1) instanceof Number value) {
                execution.metrics.put(id.longValue(), value.doubleValue());
            }
        }
    }

    private void endAll() {
        running.values().forEach(execution -> end(execution, -1));
        running.clear();
    }

    /** @param tookMs negative if unknown; the scans of an execution share it */
    private void end(Execution execution, double tookMs) {
        for (SparkScan scan : execution.scans) {
            if (workload.counts(scan.directory())) {
                AskedShape asked = scan.asked(bounds);
                workload.add(
                        scan.directory(),
                        asked,
                        scan.files(execution.metrics),
                        scan.bytes(execution.metrics),
                        (long) execution.startMs,
                        tookMs < 0 ? -1 : tookMs / execution.scans.size());
            }
        }
    }
}
