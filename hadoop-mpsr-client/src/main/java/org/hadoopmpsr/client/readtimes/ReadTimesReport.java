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
package org.hadoopmpsr.client.readtimes;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.core.readtimes.Anomalies;
import org.hadoopmpsr.core.readtimes.Anomaly;
import org.hadoopmpsr.core.readtimes.ExpectedTimes;
import org.hadoopmpsr.core.readtimes.ReadClass;
import org.hadoopmpsr.core.readtimes.ReadClasses;
import org.hadoopmpsr.core.readtimes.ReadTime;

/** What is told of times of reads: the classes, and what is slower than others. */
public record ReadTimesReport(List<ReadTime> reads, ReadClasses found, List<Anomaly> anomalies) {
    /**
     * Looks at the reads.
     *
     * @param reads at least one
     * @param expected what each cause takes in this cluster
     */
    public static ReadTimesReport of(List<ReadTime> reads, ExpectedTimes expected) {
        return new ReadTimesReport(reads, ReadClasses.of(reads, expected), Anomalies.of(reads));
    }

    /** The classes, a row each. */
    public List<Object[]> rows() {
        List<Object[]> rows = new ArrayList<>();
        for (ReadClass its : found.classes()) {
            long size = its.bytes() / its.reads();
            rows.add(new Object[] {
                its.text(),
                String.format(Locale.ROOT, "%,d", its.reads()),
                share(its),
                StringUtils.byteDesc(size),
                millis(its.time().of(size)),
                millis(its.time().nanos()),
                its.time().nanosPerByte() == 0 ? "-" : rate(its.time().nanosPerByte()),
                String.format(Locale.ROOT, "%.2f", its.factor())
            });
        }
        return rows;
    }

    /** The cause of the class of each read. */
    public List<String> classOfReads() {
        return Arrays.stream(found.classOf())
                .mapToObj(place -> found.classes().get(place).text())
                .toList();
    }

    private String share(ReadClass its) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * its.reads() / reads.size());
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }

    private static String rate(double nanosPerByte) {
        return String.format(Locale.ROOT, "%,.0f MB/s", 1e3 / nanosPerByte);
    }

    /** What is slower than others, a line each. */
    public List<String> lines() {
        if (anomalies.isEmpty()) {
            return List.of("no host, disk or time is slower than the others");
        }
        return anomalies.stream().map(ReadTimesReport::line).toList();
    }

    /** What is said of one. */
    public static String line(Anomaly a) {
        String what = a.host().isEmpty()
                ? "all hosts are"
                : a.host() + (a.disk().isEmpty() ? "" : ", disk " + a.disk()) + " is";
        String when = a.fromMs() == 0
                ? ""
                : " from " + Instant.ofEpochMilli(a.fromMs()) + " to " + Instant.ofEpochMilli(a.toMs());
        return what
                + String.format(
                        Locale.ROOT,
                        " %.1f times as slow as the others%s: %,d reads, sure to %s %%",
                        a.factor(),
                        when,
                        a.reads(),
                        percent(a.sure()));
    }

    /** Never more than is known. */
    private static String percent(double sure) {
        return String.format(Locale.ROOT, "%.2f", Math.min(99.99, Math.floor(1e4 * sure) / 100));
    }

    /** For programs; times in nanoseconds. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("reads", reads.size());
        json.put("classes", found.classes().stream().map(ReadTimesReport::json).toList());
        json.put("anomalies", anomalies.stream().map(ReadTimesReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(ReadClass its) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cause", its.cause().name().toLowerCase(Locale.ROOT));
        json.put(
                "others",
                its.others().stream()
                        .sorted()
                        .map(other -> other.name().toLowerCase(Locale.ROOT))
                        .toList());
        json.put("reads", its.reads());
        json.put("bytes", its.bytes());
        json.put("nanos", its.time().nanos());
        json.put("nanosPerByte", its.time().nanosPerByte());
        json.put("spread", its.spread());
        json.put("factor", its.factor());
        return json;
    }

    private static Map<String, Object> json(Anomaly a) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("host", a.host());
        json.put("disk", a.disk());
        json.put("from", a.fromMs());
        json.put("to", a.toMs());
        json.put("reads", a.reads());
        json.put("factor", a.factor());
        json.put("sure", a.sure());
        return json;
    }
}
