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
package org.hadoopmpsr.columnar.buffer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/** Dates and times, as text or as decimal numbers, to the numbers that columns hold. */
final class TimeValue {
    private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

    private TimeValue() {}

    /** The number of a date or time that is written as ISO-8601 writes it. */
    static long parse(Column column, String text) throws BadRecordException {
        try {
            return switch (column.type().kind()) {
                case DATE -> Math.toIntExact(LocalDate.parse(text).toEpochDay());
                case TIME_NS -> LocalTime.parse(text).toNanoOfDay();
                case TIMESTAMP_NTZ -> {
                    LocalDateTime time = LocalDateTime.parse(text);
                    yield instant(column, time.toEpochSecond(ZoneOffset.UTC), time.getNano());
                }
                default -> {
                    OffsetDateTime time = OffsetDateTime.parse(text);
                    yield instant(column, time.toEpochSecond(), time.getNano());
                }
            };
        } catch (DateTimeException | ArithmeticException e) {
            String form = switch (column.type().kind()) {
                case DATE -> "2017-05-01";
                case TIME_NS -> "13:00:00.5";
                case TIMESTAMP_NTZ -> "2017-05-01T13:00:00.5, without a zone";
                default -> "2017-05-01T13:00:00.5Z, with its zone";
            };
            throw new BadRecordException(
                    "column '" + column.name() + "' is of type " + column.type().ddl() + ", but its value '"
                            + ShownValue.of(text) + "' does not look like " + form,
                    e);
        }
    }

    /** The number of a time that counts in a unit since the epoch, where the column can hold all digits. */
    static long of(Column column, BigDecimal value, TimeUnit unit) throws BadRecordException {
        if (NumberText.isShortWrittenOut(value)) {
            try {
                BigInteger nanos =
                        value.multiply(BigDecimal.valueOf(unit.toNanos(1))).toBigIntegerExact();
                BigInteger rest = nanos.mod(NANOS_PER_SECOND);
                return instant(
                        column, nanos.subtract(rest).divide(NANOS_PER_SECOND).longValueExact(), rest.intValue());
            } catch (ArithmeticException e) {
                throw bad(column, value, e);
            }
        }
        throw bad(column, value, null);
    }

    private static BadRecordException bad(Column column, BigDecimal value, @Nullable Throwable cause) {
        return new BadRecordException(
                "column '" + column.name() + "' is of type " + column.type().ddl() + ", but its value "
                        + ShownValue.of(value.toString()) + " is out of range or finer than nanoseconds",
                cause);
    }

    /** @param nanos from 0 to 999,999,999, counting forward also before the epoch */
    static long instant(Column column, long epochSecond, int nanos) throws BadRecordException {
        if (nanos < 0 || nanos > 999_999_999) {
            throw bad(column, epochSecond, nanos, "has nanoseconds outside 0 to 999,999,999");
        }
        try {
            return switch (column.type().kind()) {
                case TIMESTAMP_NS -> scaled(epochSecond, 1_000_000_000L, nanos);
                case TIMESTAMP, TIMESTAMP_NTZ -> {
                    if (nanos % 1000 != 0) {
                        throw bad(
                                column,
                                epochSecond,
                                nanos,
                                "is finer than microseconds"
                                        + (column.type() == ColumnType.TIMESTAMP ? "; use type timestamp_ns" : ""));
                    }
                    yield scaled(epochSecond, 1_000_000L, nanos / 1000);
                }
                case TIME_NS -> {
                    if (epochSecond < 0 || epochSecond >= 86_400) {
                        throw bad(column, epochSecond, nanos, "is not within a day");
                    }
                    yield scaled(epochSecond, 1_000_000_000L, nanos);
                }
                case DATE -> {
                    if (nanos != 0 || epochSecond % 86_400 != 0) {
                        throw bad(column, epochSecond, nanos, "is not a midnight in UTC");
                    }
                    yield Math.toIntExact(epochSecond / 86_400);
                }
                default -> throw bad(column, epochSecond, nanos, "is a point in time");
            };
        } catch (ArithmeticException e) {
            throw bad(column, epochSecond, nanos, "is out of range");
        }
    }

    /** Exact wherever the result fits, also for the first second before the range of a long. */
    private static long scaled(long seconds, long unitsPerSecond, int units) {
        return seconds >= 0
                ? Math.addExact(Math.multiplyExact(seconds, unitsPerSecond), units)
                : Math.addExact(Math.multiplyExact(seconds + 1, unitsPerSecond), units - unitsPerSecond);
    }

    private static BadRecordException bad(Column column, long seconds, int nanos, String problem) {
        return new BadRecordException("column '" + column.name() + "' is of type "
                + column.type().ddl() + ", but its value of " + seconds + " s and " + nanos + " ns " + problem);
    }
}
