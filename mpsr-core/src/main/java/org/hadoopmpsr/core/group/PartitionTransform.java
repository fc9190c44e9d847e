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
package org.hadoopmpsr.core.group;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Pattern;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.NestedType;
import org.jspecify.annotations.Nullable;

/**
 * A partition transform: a function of one column's value. Names, results and hashing follow the public Iceberg table
 * specification ("Partition Transforms" and "Appendix B: 32-bit Hash Requirements"); {@code range} and {@code bits} are our own. Year,
 * month and hour give Iceberg's human-readable form ({@code 2017}, {@code 2017-05}, {@code 2017-05-01-13}). Every
 * transform except {@code bucket} preserves the order of values.
 */
public sealed interface PartitionTransform
        permits PartitionTransform.Identity,
                PartitionTransform.Time,
                PartitionTransform.Bucket,
                PartitionTransform.Truncate,
                LeadingBits,
                ValueRange {

    /** The type of the result for a column of the given type. */
    ColumnType resultType(ColumnType source);

    /** True if the transform is defined for columns of this type. */
    boolean accepts(ColumnType source);

    /** For a type that is not accepted, what would be, as an addition to a message; empty for nothing to add. */
    default String misfit(ColumnType source) {
        return "";
    }

    /** The result for a value that is not null. The result for null is always null. */
    Object apply(ColumnType source, Object value);

    /**
     * False if no value has this result. True in doubt.
     *
     * @param result of the class of {@link #resultType}
     */
    default boolean mayGive(Object result) {
        return true;
    }

    /** The transform of a column as text, such as {@code bucket(64, signal)}. */
    String text(String column);

    /** The name of the partition field for a column. */
    String fieldName(String column);

    /** Why no transform takes a column of a nested type. */
    String NO_NESTED = "use a column without values within";

    /** The unchanged value. */
    record Identity() implements PartitionTransform {
        @Override
        public ColumnType resultType(ColumnType source) {
            return source;
        }

        @Override
        public boolean accepts(ColumnType source) {
            return switch (source.kind()) {
                case FLOAT, DOUBLE, BINARY, DECIMAL, LIST, STRUCT, MAP -> false;
                default -> true;
            };
        }

        @Override
        public String misfit(ColumnType source) {
            return switch (source.kind()) {
                case BINARY, DECIMAL -> "use bucket(n, column)";
                case LIST, STRUCT, MAP -> NO_NESTED;
                default -> "";
            };
        }

        @Override
        public Object apply(ColumnType source, Object value) {
            return value;
        }

        @Override
        public String text(String column) {
            return column;
        }

        @Override
        public String fieldName(String column) {
            return column;
        }
    }

    /** A span of the calendar, in UTC. */
    record Time(Unit unit) implements PartitionTransform {
        private static final Pattern MONTH = Pattern.compile("[-+]?[0-9]{3,9}-(0[1-9]|1[0-2])");
        private static final Pattern HOUR =
                Pattern.compile("[-+]?[0-9]{3,9}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])-([01][0-9]|2[0-3])");

        /** The spans, from the longest to the shortest. */
        public enum Unit {
            YEAR,
            MONTH,
            DAY,
            HOUR;

            /** The name in a predicate's text. */
            public String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        @Override
        public ColumnType resultType(ColumnType source) {
            return switch (unit) {
                case YEAR -> ColumnType.INT;
                case MONTH, HOUR -> ColumnType.STRING;
                case DAY -> ColumnType.DATE;
            };
        }

        @Override
        public boolean accepts(ColumnType source) {
            return source.isTime() && !(unit == Unit.HOUR && source == ColumnType.DATE);
        }

        @Override
        public Object apply(ColumnType source, Object value) {
            long v = (Long) value;
            long seconds = switch (source.kind()) {
                case DATE -> v * 86_400;
                case TIMESTAMP, TIMESTAMP_NTZ -> Math.floorDiv(v, 1_000_000L);
                default -> Math.floorDiv(v, 1_000_000_000L);
            };
            if (unit == Unit.DAY) {
                return Math.floorDiv(seconds, 86_400L);
            }
            LocalDateTime t = LocalDateTime.ofInstant(Instant.ofEpochSecond(seconds), ZoneOffset.UTC);
            return switch (unit) {
                case YEAR -> (long) t.getYear();
                case MONTH -> String.format(Locale.ROOT, "%04d-%02d", t.getYear(), t.getMonthValue());
                default -> LocalDate.from(t) + String.format(Locale.ROOT, "-%02d", t.getHour());
            };
        }

        @Override
        public boolean mayGive(Object result) {
            return switch (unit) {
                case YEAR, DAY -> true;
                case MONTH -> MONTH.matcher((String) result).matches();
                case HOUR -> HOUR.matcher((String) result).matches();
            };
        }

        @Override
        public String text(String column) {
            return unit.word() + "(" + column + ")";
        }

        @Override
        public String fieldName(String column) {
            return unit.word();
        }
    }

    /** A hash of the value, modulo the number of buckets. */
    record Bucket(int count) implements PartitionTransform {
        public Bucket {
            if (count < 1) {
                throw new IllegalArgumentException("bucket needs a count of at least 1, not " + count);
            }
        }

        @Override
        public ColumnType resultType(ColumnType source) {
            return ColumnType.INT;
        }

        @Override
        public boolean accepts(ColumnType source) {
            return !source.isFloating() && source != ColumnType.BOOLEAN && !(source instanceof NestedType);
        }

        @Override
        public Object apply(ColumnType source, Object value) {
            return (long) bucket(source, value);
        }

        /**
         * The bucket of a value, from 0 to count - 1.
         *
         * @param value of a decimal the digits without the point, as a Long or a BigInteger
         */
        public int bucket(ColumnType source, Object value) {
            return (hash(source, value) & Integer.MAX_VALUE) % count;
        }

        private static int hash(ColumnType source, Object value) {
            byte @Nullable [] bytes = switch (source.kind()) {
                case STRING -> ((String) value).getBytes(StandardCharsets.UTF_8);
                case BINARY -> (byte[]) value;
                case DECIMAL ->
                    (value instanceof BigInteger wide ? wide : BigInteger.valueOf((Long) value)).toByteArray();
                default -> null;
            };
            if (bytes != null) {
                return Murmur3.hash32(bytes, 0, bytes.length);
            }
            long v = (Long) value;
            boolean isNanos = source == ColumnType.TIMESTAMP_NS || source == ColumnType.TIME_NS;
            return Murmur3.hashLong(isNanos ? Math.floorDiv(v, 1000L) : v);
        }

        @Override
        public boolean mayGive(Object result) {
            return (Long) result >= 0 && (Long) result < count;
        }

        @Override
        public String text(String column) {
            return "bucket(" + count + ", " + column + ")";
        }

        @Override
        public String fieldName(String column) {
            return column + "_bucket";
        }
    }

    /** The truncated value: a number rounded down to a multiple of the width, or the first code points of a string. */
    record Truncate(int width) implements PartitionTransform {
        public Truncate {
            if (width < 1) {
                throw new IllegalArgumentException("truncate needs a width of at least 1, not " + width);
            }
        }

        /** A byte or short may be rounded down to below the least one. */
        @Override
        public ColumnType resultType(ColumnType source) {
            return source == ColumnType.TINYINT || source == ColumnType.SMALLINT ? ColumnType.INT : source;
        }

        @Override
        public boolean accepts(ColumnType source) {
            return switch (source.kind()) {
                case STRING, TINYINT, SMALLINT, INT, LONG -> true;
                default -> false;
            };
        }

        @Override
        public Object apply(ColumnType source, Object value) {
            if (value instanceof String s) {
                return s.codePointCount(0, s.length()) <= width ? s : s.substring(0, s.offsetByCodePoints(0, width));
            }
            long v = (Long) value;
            return v - Math.floorMod(v, (long) width);
        }

        @Override
        public boolean mayGive(Object result) {
            return result instanceof String s
                    ? s.codePointCount(0, s.length()) <= width
                    // the multiple below the least number has other digits
                    : Math.floorMod((Long) result, (long) width) == 0 || (Long) result > Long.MAX_VALUE - width;
        }

        @Override
        public String text(String column) {
            return "truncate(" + width + ", " + column + ")";
        }

        @Override
        public String fieldName(String column) {
            return column + "_trunc";
        }
    }
}
