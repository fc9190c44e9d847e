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

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The least and the greatest value that a log asks for, of each column of each directory. Where only a log is known, they stand for the
 * bounds of the data. For one thread.
 */
final class AskedBounds {
    private static final int MOST = 100_000;

    private final Map<String, double[]> bounds = new HashMap<>();

    /** The place of a value on a line; null if it is none of a number, a date or a time. */
    static @Nullable Double position(String text) {
        try {
            if (text.length() >= 10 && text.charAt(4) == '-') {
                return time(text.replace(' ', 'T'));
            }
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? (Double) number : null;
        } catch (NumberFormatException | DateTimeException e) {
            return null;
        }
    }

    private static double time(String text) {
        if (text.length() == 10) {
            return LocalDate.parse(text).toEpochDay() * 86_400.0;
        }
        Instant instant = text.endsWith("Z")
                ? Instant.parse(text)
                : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        return instant.getEpochSecond() + instant.getNano() / 1e9;
    }

    void add(String directory, String column, @Nullable Double position) {
        if (position == null || bounds.size() >= MOST) {
            return;
        }
        bounds.merge(key(directory, column), new double[] {position, position}, (known, more) ->
                new double[] {Math.min(known[0], more[0]), Math.max(known[1], more[1])});
    }

    /**
     * The share of the column's values that lies between two positions.
     *
     * @param low null if the range has no lower bound
     * @param high null if the range has no upper bound
     * @return from 0 to 1; NaN if unknown
     */
    double share(String directory, String column, @Nullable Double low, @Nullable Double high) {
        double[] known = bounds.get(key(directory, column));
        if (known == null || known[1] <= known[0] || (low == null && high == null)) {
            return Double.NaN;
        }
        double from = low == null ? known[0] : low;
        double to = high == null ? known[1] : high;
        return Math.max(0, Math.min(1, (to - from) / (known[1] - known[0])));
    }

    private static String key(String directory, String column) {
        return directory + "\0" + column.toLowerCase(Locale.ROOT);
    }
}
