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
package org.hadoopmpsr.client.compact;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: a day, a time, or an age. */
public final class BeforeTime {
    private static final Pattern AGE = Pattern.compile("(\\d{1,6})([mhd])");

    private BeforeTime() {}

    /**
     * The time in milliseconds since the epoch.
     *
     * @param text a day ({@code 2026-11-24}, from 0:00 UTC), a time with its zone ({@code 2026-11-24T06:00:00Z}), or an age
     *     in minutes, hours or days ({@code 90m}, {@code 12h}, {@code 7d})
     * @throws IllegalArgumentException for any other text, with a message for the user
     */
    public static long parse(String text, long nowMs) {
        Matcher age = AGE.matcher(text);
        if (age.matches()) {
            TimeUnit unit = switch (age.group(2)) {
                case "m" -> TimeUnit.MINUTES;
                case "h" -> TimeUnit.HOURS;
                default -> TimeUnit.DAYS;
            };
            return nowMs - unit.toMillis(Long.parseLong(age.group(1)));
        }
        try {
            Instant time = text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
            return time.toEpochMilli();
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time; give a day such as 2026-11-24, a time such as 2026-11-24T06:00:00Z, or"
                            + " an age such as 90m, 12h or 7d",
                    e);
        }
    }
}
