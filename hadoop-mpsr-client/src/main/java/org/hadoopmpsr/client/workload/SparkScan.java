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

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopmpsr.core.workload.AskedShape;
import org.jspecify.annotations.Nullable;

/**
 * A scan of files in a plan of Spark, as its description in an event log tells it. Immutable.
 *
 * @param directory the first directory that it reads, without scheme
 * @param conditions what it asks of columns
 * @param columns the columns that it reads; null if the description does not tell
 * @param filesMetric the id of the metric that counts its files; negative if there is none
 * @param bytesMetric the id of the metric of the files' size; negative if there is none
 */
record SparkScan(
        String directory,
        SparkConditions conditions,
        @Nullable List<String> columns,
        long filesMetric,
        long bytesMetric) {
    private static final Pattern LOCATION = Pattern.compile("\\[([^,\\]]+)");
    private static final Pattern PARTITION = Pattern.compile("/[^/=]+=[^/]*");
    private static final int MOST_DEPTH = 400;

    /** Adds the scans of a plan. */
    static void collect(Map<?, ?> plan, List<SparkScan> scans) {
        collect(plan, scans, 0);
    }

    private static void collect(Map<?, ?> plan, List<SparkScan> scans, int depth) {
        Map<?, ?> metadata = JsonTree.object(plan, "metadata");
        String directory = directory(JsonTree.text(metadata, "Location"));
        if (directory != null && metadata.containsKey("PushedFilters")) {
            SparkConditions conditions = new SparkConditions();
            conditions.addPushed(JsonTree.text(metadata, "PushedFilters"));
            conditions.addExpressions(JsonTree.text(metadata, "PartitionFilters"));
            List<String> read = columns(JsonTree.text(metadata, "ReadSchema"), conditions);
            scans.add(new SparkScan(
                    directory,
                    conditions,
                    read,
                    metric(plan, "number of files read"),
                    metric(plan, "size of files read")));
        }
        if (depth < MOST_DEPTH) {
            for (Object child : JsonTree.list(plan, "children")) {
                if (child instanceof Map<?, ?> map) {
                    collect(map, scans, depth + 1);
                }
            }
        }
    }

    /** The directory of a location such as {@code InMemoryFileIndex(1 paths)[hdfs://host/a/b]}. */
    private static @Nullable String directory(String location) {
        Matcher found = LOCATION.matcher(location);
        if (!found.find()) {
            return null;
        }
        String path = found.group(1).trim();
        if (path.endsWith("...")) {
            return null; // Spark has cut it
        }
        try {
            path = path.contains(":") ? URI.create(path.replace(" ", "%20")).getPath() : path;
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (path == null || !path.startsWith("/")) {
            return null;
        }
        Matcher partition = PARTITION.matcher(path);
        String directory = partition.find() ? path.substring(0, partition.start()) : path;
        return directory.length() > 1 && directory.endsWith("/")
                ? directory.substring(0, directory.length() - 1)
                : directory;
    }

    /** The names at the first level of {@code struct<a:int,b:struct<c:int>>}, and those of the conditions. */
    private static @Nullable List<String> columns(String schema, SparkConditions conditions) {
        if (!schema.startsWith("struct<") || !schema.endsWith(">") || schema.contains("...")) {
            return null;
        }
        TreeSet<String> names = new TreeSet<>(conditions.columns());
        for (String field : SparkConditions.split(schema.substring("struct<".length(), schema.length() - 1), ',')) {
            int colon = field.indexOf(':');
            if (colon > 0) {
                names.add(field.substring(0, colon).trim());
            }
        }
        return new ArrayList<>(names);
    }

    private static long metric(Map<?, ?> plan, String name) {
        for (Object one : JsonTree.list(plan, "metrics")) {
            if (one instanceof Map<?, ?> metric && name.equals(metric.get("name"))) {
                return (long) JsonTree.number(metric, "accumulatorId", -1);
            }
        }
        return -1;
    }

    void addTo(AskedBounds bounds) {
        conditions.addTo(bounds, directory);
    }

    AskedShape asked(AskedBounds bounds) {
        return AskedShape.of(conditions.terms(bounds, directory), columns);
    }

    /** The files that were read; negative if nothing tells. */
    double files(Map<Long, Double> metrics) {
        return metrics.getOrDefault(filesMetric, -1.0);
    }

    /** The bytes of these files; negative if nothing tells. */
    double bytes(Map<Long, Double> metrics) {
        return metrics.getOrDefault(bytesMetric, -1.0);
    }
}
