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
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopmpsr.core.workload.AskedShape;
import org.jspecify.annotations.Nullable;

/**
 * Reads audit logs of HDFS: which files were opened. Opens of one user below one directory that follow each other within a minute
 * count as one query, or those of one job where the log names Spark's jobs ({@code hadoop.caller.context.enabled}). Its conditions are
 * those on directories such as {@code day=2017-05-01}: a column of whose directories a query opens some only is asked for that many
 * values. The logs are read twice, first for all values that directories have.
 */
public final class AuditLogImport {
    private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d)[,.](\\d{3})");
    private static final Pattern USER = Pattern.compile("ugi=(\\S+)");
    private static final Pattern SOURCE = Pattern.compile("src=([^\\t]+)\\tdst=");
    private static final Pattern JOB = Pattern.compile("callerContext=SPARK_TASK_(\\w+_JId_\\d+)_");
    private static final Pattern PARTITION = Pattern.compile("/([^/=]+)=([^/]*)");
    private static final long GAP_MS = 60_000;
    /** The most values of a column that are told apart, and the most files of a query. */
    private static final int MOST = 100_000;

    private final ImportedWorkload workload;
    private final Map<String, Map<String, Set<String>>> values;
    private final Map<String, Burst> open = new HashMap<>();

    private AuditLogImport(ImportedWorkload workload, Map<String, Map<String, Set<String>>> values) {
        this.workload = workload;
        this.values = values;
    }

    /** An open of a file: the dataset's directory, and the names of the directories below it. */
    private record Opened(long timeMs, String who, String directory, String file, Map<String, String> partition) {}

    /** Opens that belong together. */
    private static final class Burst {
        private final String directory;
        private final long firstMs;
        private long lastMs;
        private final Set<String> files = new HashSet<>();
        private final Map<String, Set<String>> values = new TreeMap<>();

        Burst(Opened first) {
            directory = first.directory();
            firstMs = first.timeMs();
            lastMs = firstMs;
        }

        void add(Opened opened) {
            lastMs = Math.max(lastMs, opened.timeMs());
            if (files.size() < MOST) {
                files.add(opened.file());
            }
            opened.partition().forEach((column, value) -> put(values, column, value));
        }
    }

    /**
     * Reads logs into a workload.
     *
     * @param paths local files, or directories with files; the names of the files are in the order of time
     */
    public static void read(List<String> paths, ImportedWorkload workload) throws IOException {
        Map<String, Map<String, Set<String>>> values = new HashMap<>();
        LogLines.each(paths, line -> {
            Opened opened = opened(line);
            if (opened != null) {
                Map<String, Set<String>> ofDirectory = values.computeIfAbsent(opened.directory(), d -> new TreeMap<>());
                opened.partition().forEach((column, value) -> put(ofDirectory, column, value));
            }
        });
        AuditLogImport reader = new AuditLogImport(workload, values);
        LogLines.each(paths, reader::line);
        reader.open.values().forEach(reader::end);
    }

    private static void put(Map<String, Set<String>> values, String column, String value) {
        Set<String> known = values.computeIfAbsent(column, c -> new HashSet<>());
        if (known.size() < MOST) {
            known.add(value);
        }
    }

    private void line(String line) {
        Opened opened = opened(line);
        workload.line(opened != null || !line.contains("cmd=open"));
        if (opened == null || !workload.counts(opened.directory())) {
            return;
        }
        String key = opened.who() + "\0" + opened.directory();
        Burst burst = open.get(key);
        if (burst != null && opened.timeMs() - burst.lastMs > GAP_MS) {
            end(burst);
            burst = null;
        }
        if (burst == null) {
            burst = new Burst(opened);
            open.put(key, burst);
        }
        burst.add(opened);
    }

    private void end(Burst burst) {
        List<AskedShape.Measured> terms = new ArrayList<>();
        Map<String, Set<String>> all = values.getOrDefault(burst.directory, Map.of());
        burst.values.forEach((column, asked) -> {
            if (asked.size() < all.getOrDefault(column, Set.of()).size()) {
                terms.add(AskedShape.Measured.values(column, asked.size()));
            }
        });
        workload.add(burst.directory, AskedShape.of(terms, null), burst.files.size(), -1, burst.firstMs, -1);
    }

    /** What a line tells; null if it tells of no open. */
    private static @Nullable Opened opened(String line) {
        if (!line.contains("cmd=open\t") || !line.contains("allowed=true")) {
            return null;
        }
        Matcher time = TIME.matcher(line);
        Matcher user = USER.matcher(line);
        Matcher source = SOURCE.matcher(line);
        Matcher job = JOB.matcher(line);
        if (!time.find() || !user.find() || !source.find()) {
            return null;
        }
        String path = source.group(1);
        Matcher partition = PARTITION.matcher(path);
        Map<String, String> columns = new TreeMap<>();
        int end = path.lastIndexOf('/');
        while (partition.find()) {
            if (columns.isEmpty()) {
                end = partition.start();
            }
            columns.put(partition.group(1), partition.group(2));
        }
        String directory = end <= 0 ? "/" : path.substring(0, end);
        String who = job.find() ? job.group(1) : user.group(1);
        long timeMs = timeMs(time);
        return timeMs < 0 ? null : new Opened(timeMs, who, directory, path, columns);
    }

    private static long timeMs(Matcher time) {
        try {
            return LocalDateTime.parse(time.group(1) + "T" + time.group(2) + "." + time.group(3))
                    .toInstant(ZoneOffset.UTC)
                    .toEpochMilli();
        } catch (DateTimeException e) {
            return -1;
        }
    }
}
