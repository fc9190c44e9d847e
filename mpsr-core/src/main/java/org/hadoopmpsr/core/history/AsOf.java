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
package org.hadoopmpsr.core.history;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** A state of a dataset, as people name it: the number of a change, a time, or a tag. */
public sealed interface AsOf {

    /** The state after a change; 0 is the state before the first change that was counted. */
    record Sequence(long number) implements AsOf {
        @Override
        public String toString() {
            return "change " + number;
        }
    }

    /** The state at a time, in milliseconds since the epoch. */
    record Time(long ms) implements AsOf {
        @Override
        public String toString() {
            return Instant.ofEpochMilli(ms).toString();
        }
    }

    /** The state that somebody has given a name. */
    record Tag(String name) implements AsOf {
        @Override
        public String toString() {
            return "tag '" + name + "'";
        }
    }

    /** What a tag may be called. A number or a time is no such name. */
    Pattern TAG = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

    /**
     * Reads what somebody has written.
     *
     * @param text a number of decimal digits, a day ({@code 2026-11-24}, its beginning in UTC), a time with its zone
     *     ({@code 2026-11-24T06:00:00Z}), or the name of a tag
     * @throws IllegalArgumentException for any other text, with a message for the user
     */
    static AsOf parse(String text) {
        if (TAG.matcher(text).matches()) {
            return new Tag(text);
        }
        try {
            if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return new Sequence(Long.parseLong(text));
            }
            Instant time = text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
            return new Time(time.toEpochMilli());
        } catch (NumberFormatException | DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' names no state of a dataset; give the number of a change such as 17, a day such as"
                            + " 2026-11-24, a time such as 2026-11-24T06:00:00Z, or a tag such as before-import",
                    e);
        }
    }

    /**
     * Checks what somebody wants to call a tag.
     *
     * @throws IllegalArgumentException if no tag may be called so
     */
    static String checkTag(String name) {
        if (!TAG.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + name + "' cannot be the name of a tag: use up to 64 letters, digits,"
                            + " '_', '.' and '-', and begin with a letter");
        }
        return name;
    }
}
