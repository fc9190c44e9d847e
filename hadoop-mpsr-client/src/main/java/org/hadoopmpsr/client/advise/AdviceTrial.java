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
package org.hadoopmpsr.client.advise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.core.advise.Advice;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;

/**
 * What queries read in a copy of some of the data that was divided as advised, and what was predicted for this copy. Immutable.
 *
 * @param files that were copied
 * @param bytes of the copied files
 * @param allBytes of one copy of all the data
 * @param classes those with the most queries first
 */
public record AdviceTrial(int files, long bytes, long allBytes, List<OfClass> classes) {
    /** Without MPSR. */
    public static final String STOCK = "stock";
    /** In the groups that there are. */
    public static final String TODAY = "today";
    /** In the groups that are advised. */
    public static final String ADVISED = "advised";

    public AdviceTrial {
        classes = List.copyOf(classes);
    }

    /** A class of queries, in each of the ways that are compared. */
    public record OfClass(QueryClass queries, List<Side> sides) {
        public OfClass {
            sides = List.copyOf(sides);
        }
    }

    /**
     * One way to read.
     *
     * @param name {@link #STOCK}, {@link #TODAY} or {@link #ADVISED}
     * @param predicted of one query, on average
     * @param measured of one query, on average
     */
    public record Side(String name, Advice.Estimate predicted, Measured measured) {}

    /**
     * What was measured.
     *
     * @param group from which most queries were answered
     * @param files that a query opens
     * @param bytes that the file system delivers to a query
     * @param ms the median of a query's milliseconds
     * @param leastMs the mean of the fastest runs of each query
     * @param mostMs the mean of the slowest runs of each query
     */
    public record Measured(String group, double files, double bytes, double ms, double leastMs, double mostMs) {}

    /** The bytes of all queries of the counted classes, read in one way. */
    public double predictedBytes(String side) {
        return sum(side, its -> its.predicted().bytes());
    }

    /** The bytes of all queries of the counted classes, read in one way, by what was measured. */
    public double measuredBytes(String side) {
        return sum(side, its -> its.measured().bytes());
    }

    private double sum(String side, ToDoubleFunction<Side> bytesOf) {
        double sum = 0;
        for (OfClass one : classes) {
            for (Side its : one.sides()) {
                if (its.name().equals(side)) {
                    sum += one.queries().tally().queries() * bytesOf.applyAsDouble(its);
                }
            }
        }
        return sum;
    }

    /** The names of the ways, in their order. */
    public List<String> sides() {
        return classes.isEmpty()
                ? List.of()
                : classes.get(0).sides().stream().map(Side::name).toList();
    }

    void print(AdviceView.Printer out) {
        out.line(String.format(
                Locale.ROOT,
                "measured with %d files, %s of %s (%.0f %%), in a dataset of their own, which is gone; predicted for these files",
                files,
                StringUtils.byteDesc(bytes),
                StringUtils.byteDesc(allBytes),
                100.0 * bytes / Math.max(1, allBytes)));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "queries",
                "read",
                "group predicted",
                "measured",
                "files predicted",
                "measured",
                "bytes predicted",
                "measured",
                "ratio",
                "ms predicted",
                "measured",
                "conditions"));
        for (OfClass one : classes) {
            for (Side side : one.sides()) {
                rows.add(row(one.queries(), side));
            }
        }
        out.table(rows);
        for (String side : sides()) {
            out.line(sum(side));
        }
    }

    private String sum(String side) {
        double measured = measuredBytes(side);
        return String.format(
                Locale.ROOT,
                "all of them, %s: %s predicted, %s measured (%.2f of stock's)",
                side,
                StringUtils.byteDesc(Math.round(predictedBytes(side))),
                StringUtils.byteDesc(Math.round(measured)),
                measured / Math.max(1, measuredBytes(STOCK)));
    }

    private static List<String> row(QueryClass queries, Side side) {
        Advice.Estimate predicted = side.predicted();
        Measured measured = side.measured();
        return List.of(
                Long.toString(queries.tally().queries()),
                side.name(),
                predicted.group(),
                measured.group(),
                number(predicted.files()),
                number(measured.files()),
                StringUtils.byteDesc(Math.round(predicted.bytes())),
                StringUtils.byteDesc(Math.round(measured.bytes())),
                String.format(Locale.ROOT, "%.2f", ratio(side)),
                number(predicted.costMs()),
                number(measured.ms()) + " (" + number(measured.leastMs()) + " to " + number(measured.mostMs()) + ")",
                queries.shape().conditions());
    }

    /** Predicted bytes by measured ones. */
    private static double ratio(Side side) {
        return side.predicted().bytes() / Math.max(1, side.measured().bytes());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%,.1f" : "%,.0f", value);
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("files", files);
        json.put("bytes", bytes);
        json.put("allBytes", allBytes);
        List<Map<String, Object>> sums = new ArrayList<>();
        for (String side : sides()) {
            sums.add(
                    Map.of("read", side, "predictedBytes", predictedBytes(side), "measuredBytes", measuredBytes(side)));
        }
        json.put("all", sums);
        json.put("classes", classes.stream().map(AdviceTrial::json).toList());
        return json;
    }

    private static Map<String, Object> json(OfClass one) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("conditions", one.queries().shape().conditions());
        json.put("queries", one.queries().tally().queries());
        for (Side side : one.sides()) {
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("predicted", AdviceView.json(side.predicted()));
            Measured measured = side.measured();
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("group", measured.group());
            found.put("files", measured.files());
            found.put("bytes", measured.bytes());
            found.put("ms", measured.ms());
            found.put("leastMs", measured.leastMs());
            found.put("mostMs", measured.mostMs());
            its.put("measured", found);
            json.put(side.name(), its);
        }
        return json;
    }
}
