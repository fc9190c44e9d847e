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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.readtimes.ReadTime;
import org.jspecify.annotations.Nullable;

/**
 * Reads a local file of read times: text with a line for each read, values between commas, and the names of the columns in the first line:
 * {@code bytes}, {@code nanos} and {@code host}, and if they are known {@code disk}, {@code reader} and {@code at} (milliseconds since
 * the epoch), in any order. Other columns are passed over.
 */
public final class ReadTimesFile {
    private static final List<String> REQUIRED = List.of("bytes", "nanos", "host");

    private ReadTimesFile() {}

    /**
     * What a file has.
     *
     * @param turns of each read what its column {@code turn} holds, as {@code calibrate --times} writes it; empty without the column
     * @param unreadable the lines that were passed over
     * @param problem what is wrong with the first of these; null if there are none
     */
    public record Content(
            List<ReadTime> reads,
            List<String> turns,
            long unreadable,
            @Nullable String problem) {
        /** The reads of a turn. */
        public List<ReadTime> ofTurn(String turn) {
            return IntStream.range(0, reads.size())
                    .filter(i -> turns.get(i).equals(turn))
                    .mapToObj(reads::get)
                    .toList();
        }
    }

    /**
     * Reads all.
     *
     * @throws IllegalArgumentException if the first line does not name the columns, or there is no read
     */
    public static Content read(Path file) throws IOException {
        List<ReadTime> reads = new ArrayList<>();
        List<String> turns = new ArrayList<>();
        long unreadable = 0;
        String problem = null;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String head = lines.readLine();
            List<String> names = head == null ? List.of() : split(head.toLowerCase(Locale.ROOT));
            if (!names.containsAll(REQUIRED)) {
                throw new IllegalArgumentException("the first line of " + file + " names the columns " + names
                        + "; it needs bytes, nanos and host, such as: bytes,nanos,host,disk,reader,at");
            }
            long number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                try {
                    List<String> values = split(line);
                    reads.add(read(names, values));
                    turns.add(value(names, values, "turn"));
                } catch (IllegalArgumentException e) {
                    unreadable++;
                    problem = problem == null ? "line " + number + ": " + e.getMessage() : problem;
                }
            }
        }
        if (reads.isEmpty()) {
            throw new IllegalArgumentException("there is no read in " + file + (problem == null ? "" : "; " + problem));
        }
        return new Content(reads, turns, unreadable, problem);
    }

    /**
     * Writes reads as {@link #read} takes them.
     *
     * @param further the name of a further column; null for none
     * @param values of this column, one for each read
     */
    public static void write(Path file, List<ReadTime> reads, @Nullable String further, List<String> values)
            throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("bytes,nanos,host,disk,reader,at" + (further == null ? "" : "," + further));
        for (int i = 0; i < reads.size(); i++) {
            ReadTime read = reads.get(i);
            String at = read.atMs() == 0 ? "" : Long.toString(read.atMs());
            lines.add(String.join(
                            ",",
                            Long.toString(read.bytes()),
                            Long.toString(read.nanos()),
                            read.host(),
                            read.disk(),
                            read.reader(),
                            at)
                    + (further == null ? "" : "," + values.get(i)));
        }
        Files.write(file, lines, StandardCharsets.UTF_8);
    }

    private static List<String> split(String line) {
        return Arrays.stream(line.split(",", -1)).map(String::trim).toList();
    }

    private static ReadTime read(List<String> names, List<String> values) {
        if (values.size() != names.size()) {
            throw new IllegalArgumentException(values.size() + " values for " + names.size() + " columns");
        }
        String host = value(names, values, "host");
        if (host.isEmpty()) {
            throw new IllegalArgumentException("the host is empty");
        }
        String at = value(names, values, "at");
        return new ReadTime(
                host,
                value(names, values, "disk"),
                value(names, values, "reader"),
                number("bytes", value(names, values, "bytes")),
                number("nanos", value(names, values, "nanos")),
                at.isEmpty() ? 0 : number("at", at));
    }

    private static String value(List<String> names, List<String> values, String name) {
        int at = names.indexOf(name);
        return at < 0 ? "" : values.get(at);
    }

    private static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is no whole number: '" + text + "'", e);
        }
    }
}
