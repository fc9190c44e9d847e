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
package org.hadoopmpsr.core.advise;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.hadoopmpsr.core.group.PartitionTransform.Time.Unit;
import org.hadoopmpsr.core.schema.ColumnType;

/** The times of a span of the calendar, in UTC. */
final class CalendarSpan {
    private static final int YEAR_AND_MONTH = 2;

    private CalendarSpan() {}

    /**
     * The first and the last value of a column within a span.
     *
     * @param value the result of the unit's transform
     * @param type one that the transform accepts
     */
    static long[] of(Unit unit, Object value, ColumnType type) {
        LocalDateTime start = start(unit, value);
        LocalDateTime end = switch (unit) {
            case YEAR -> start.plusYears(1);
            case MONTH -> start.plusMonths(1);
            case DAY -> start.plusDays(1);
            case HOUR -> start.plusHours(1);
        };
        return new long[] {in(type, start), in(type, end) - 1};
    }

    private static LocalDateTime start(Unit unit, Object value) {
        if (unit == Unit.DAY) {
            return LocalDate.ofEpochDay((Long) value).atStartOfDay();
        }
        if (unit == Unit.YEAR) {
            return LocalDate.of(Math.toIntExact((Long) value), 1, 1).atStartOfDay();
        }
        String[] parts = ((String) value).split("-");
        LocalDate day = LocalDate.of(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                parts.length > YEAR_AND_MONTH ? Integer.parseInt(parts[YEAR_AND_MONTH]) : 1);
        return day.atTime(unit == Unit.HOUR ? Integer.parseInt(parts[parts.length - 1]) : 0, 0);
    }

    private static long in(ColumnType type, LocalDateTime time) {
        long seconds = time.toEpochSecond(ZoneOffset.UTC);
        return switch (type.kind()) {
            case DATE -> Math.floorDiv(seconds, 86_400L);
            case TIMESTAMP, TIMESTAMP_NTZ -> seconds * 1_000_000L;
            default -> seconds * 1_000_000_000L;
        };
    }
}
