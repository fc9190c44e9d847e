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
package org.hadoopmpsr.ingest.decode;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What fills a column.
 *
 * @param unit what a number counts since the epoch, or null when it counts in the unit of the column
 * @param fallback what a record without the field gets, as text; null for nothing
 */
record FieldSource(
        FieldPath path, @Nullable TimeUnit unit, @Nullable String fallback) {
    private static final Map<String, TimeUnit> UNITS = Map.of(
            "days", TimeUnit.DAYS,
            "seconds", TimeUnit.SECONDS,
            "millis", TimeUnit.MILLISECONDS,
            "micros", TimeUnit.MICROSECONDS,
            "nanos", TimeUnit.NANOSECONDS);
    /** Names in backticks may have blanks. */
    private static final String PATH = "(?:`(?:[^`]|``)+`|[^\\s`])+|\\S+";

    private static final Pattern FORM = Pattern.compile("(" + PATH + ")(?:\\s+as\\s+(\\S+))?(?:\\s+default\\s+(.+))?");

    /**
     * Reads {@code path [as unit] [default value]}.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static FieldSource parse(String text) {
        Matcher matcher = FORM.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not of the form path [as unit] [default value]");
        }
        String unit = matcher.group(2);
        if (unit != null && !UNITS.containsKey(unit)) {
            throw new IllegalArgumentException(
                    "'" + unit + "' is not a unit of time; use days, seconds, millis, micros or nanos");
        }
        return new FieldSource(
                FieldPath.parse(matcher.group(1)), unit == null ? null : UNITS.get(unit), matcher.group(3));
    }
}
