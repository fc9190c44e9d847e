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
package org.hadoopmpsr.client.run;

import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far a run of a Spark job in a dataset is, or how it ended.
 *
 * @param application the id of the Spark application
 * @param user who runs it
 * @param startedMs and {@code updatedMs}: in milliseconds since the epoch
 * @param change the id of the change underway, or null if none is
 * @param done what is published
 * @param planned what all changes together are to read, those among it that follow from others; an estimate
 * @param problem why it ended or what was left out, or null
 */
public record RunRecord(
        String dataset,
        String application,
        String user,
        State state,
        long startedMs,
        long updatedMs,
        @Nullable String change,
        Progress done,
        Progress planned,
        @Nullable String problem) {
    /** A run that has not said anything for so long has lost its driver. */
    static final long SILENT_MS = 120_000;

    /** Whether a run goes on. */
    public enum State {
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    /**
     * An amount of work, in all groups.
     *
     * @param changes the number of changes that were published, such as merges
     * @param segments the segments that are replaced
     * @param files the files that are replaced
     * @param bytes the bytes of these files
     * @param filesWritten the files that take their place
     * @param duplicates the records that each group has lost because another one has the same key
     */
    public record Progress(long changes, long segments, long files, long bytes, long filesWritten, long duplicates) {
        public static final Progress NONE = new Progress(0, 0, 0, 0, 0, 0);

        public Progress plus(Progress other) {
            return new Progress(
                    changes + other.changes,
                    segments + other.segments,
                    files + other.files,
                    bytes + other.bytes,
                    filesWritten + other.filesWritten,
                    duplicates + other.duplicates);
        }

        private String text() {
            return changes + " " + segments + " " + files + " " + bytes + " " + filesWritten;
        }

        private static Progress parse(String text, long duplicates) {
            String[] numbers = text.split(" ", -1);
            if (numbers.length != 5) {
                throw new IllegalArgumentException("'" + text + "' is not five numbers");
            }
            return new Progress(
                    Long.parseLong(numbers[0]),
                    Long.parseLong(numbers[1]),
                    Long.parseLong(numbers[2]),
                    Long.parseLong(numbers[3]),
                    Long.parseLong(numbers[4]),
                    duplicates);
        }
    }

    /** Whether a driver works on it at that time, in milliseconds since the epoch. */
    public boolean isAlive(long nowMs) {
        return state == State.RUNNING && nowMs - updatedMs < SILENT_MS;
    }

    /** About how long it takes from its last word until the end, in milliseconds; negative if that is unknown. */
    public long leftMs() {
        long bytes = planned.bytes() - done.bytes();
        if (state != State.RUNNING || bytes <= 0) {
            return 0;
        }
        return done.bytes() == 0 ? -1 : (long) ((double) (updatedMs - startedMs) / done.bytes() * bytes);
    }

    /** As lines {@code name=value} in the form of Java's properties. */
    String text() {
        Map<String, String> fields = new TreeMap<>();
        fields.put("version", "1");
        fields.put("dataset", dataset);
        fields.put("application", application);
        fields.put("user", user);
        fields.put("state", state.name());
        fields.put("started", Long.toString(startedMs));
        fields.put("updated", Long.toString(updatedMs));
        fields.put("done", done.text());
        fields.put("planned", planned.text());
        if (done.duplicates() > 0) {
            fields.put("duplicates", Long.toString(done.duplicates()));
        }
        if (change != null) {
            fields.put("change", change);
        }
        if (problem != null) {
            fields.put("problem", problem);
        }
        return fields.entrySet().stream()
                .map(e -> e.getKey() + "=" + escaped(e.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    private static String escaped(String value) {
        StringBuilder text = new StringBuilder();
        value.chars().forEach(c -> {
            if (c == '\\') {
                text.append("\\\\");
            } else if (c > ' ' && c < 0x7f || c == ' ' && text.length() > 0) {
                text.append((char) c);
            } else {
                text.append(String.format("\\u%04x", c));
            }
        });
        return text.toString();
    }

    /** The same run, with a problem that is found after its end. */
    public RunRecord withProblem(String found) {
        return new RunRecord(dataset, application, user, state, startedMs, updatedMs, change, done, planned, found);
    }

    /** @throws IOException if the text is none of {@link #text}'s */
    static RunRecord parse(String text) throws IOException {
        Properties fields = new Properties();
        try {
            fields.load(new StringReader(text));
            return new RunRecord(
                    need(fields, "dataset"),
                    need(fields, "application"),
                    need(fields, "user"),
                    State.valueOf(need(fields, "state")),
                    Long.parseLong(need(fields, "started")),
                    Long.parseLong(need(fields, "updated")),
                    fields.getProperty("change"),
                    Progress.parse(need(fields, "done"), Long.parseLong(fields.getProperty("duplicates", "0"))),
                    Progress.parse(need(fields, "planned"), 0),
                    fields.getProperty("problem"));
        } catch (IllegalArgumentException e) {
            throw new IOException("the record of a run cannot be read: " + e.getMessage(), e);
        }
    }

    private static String need(Properties fields, String name) {
        String value = fields.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException("it has no '" + name + "'");
        }
        return value;
    }
}
