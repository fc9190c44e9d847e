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
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.SimpleType;

/**
 * Puts the values of a record into the buffer, converted to the types of the columns where no information is lost.
 * {@link #begin}, then puts in any order (the last one of a column counts), then {@link #end}. After an exception the
 * record is gone from the buffer, and the next one may begin. Not safe for use by several threads.
 */
public final class RecordAppender {
    private final RecordBuffer buffer;
    private final Column[] columns;
    private final Function<Column, List<DirectoryNameRule>> rulesOf;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final StringRule[] strings;
    private final NestedRule[] nested;
    private int row;

    /** @param groups those whose partition directories the values must be able to name */
    public RecordAppender(RecordBuffer buffer, ReplicaGroups groups) {
        this(buffer, column -> DirectoryNameRule.of(column, buffer.schema(), groups));
        Schema schema = buffer.schema();
        for (int i = 0; i < columns.length; i++) {
            nested[i] = NestedRule.of(columns[i], schema, groups, this::rule);
        }
    }

    /** For values that name no directory. */
    public RecordAppender(RecordBuffer buffer) {
        this(buffer, column -> List.of());
    }

    private RecordAppender(RecordBuffer buffer, Function<Column, List<DirectoryNameRule>> rulesOf) {
        this.buffer = buffer;
        List<Column> schema = buffer.schema().columns();
        columns = schema.toArray(Column[]::new);
        this.rulesOf = rulesOf;
        strings = schema.stream().map(this::rule).toArray(StringRule[]::new);
        nested = new NestedRule[columns.length];
        Arrays.fill(nested, NestedRule.NONE);
    }

    private StringRule rule(Column column) {
        return new StringRule(ColumnPath.shown(column.name()), rulesOf.apply(column), decoder);
    }

    /** The columns, by position. */
    public Column column(int column) {
        return columns[column];
    }

    /** Begins a record, with no value in any column. */
    public void begin() {
        row = buffer.begin();
    }

    /** Ends the record. */
    public void end(int origin) throws BadRecordException {
        buffer.end(origin);
    }

    /** Takes the value of a column back. */
    public void putNull(int column) {
        buffer.vector(column).setNull(row);
    }

    /** True when the record has no value in the column yet. */
    public boolean isNull(int column) {
        return buffer.vector(column).isUnset(row);
    }

    /** Puts a whole number; a time counts in the unit of its column. */
    public void putLong(int column, long value) throws BadRecordException {
        ColumnType type = columns[column].type();
        switch (type.kind()) {
            case TINYINT, SMALLINT, INT, DATE, TIME_NS -> {
                if (!isInRange(type, value)) {
                    throw bad(column, value, "is out of range");
                }
                longs(column).set(row, value);
            }
            case LONG, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS -> longs(column).set(row, value);
            case FLOAT, DOUBLE -> {
                double number = type == ColumnType.FLOAT ? (float) value : (double) value;
                if (number == 0x1p63 || (long) number != value) {
                    throw bad(column, value, "would be rounded");
                }
                ((DoubleVector) buffer.vector(column)).set(row, number);
            }
            case DECIMAL -> ExactNumber.put(this, column, BigDecimal.valueOf(value));
            case BOOLEAN, STRING, BINARY, LIST, STRUCT, MAP -> throw bad(column, value, "is a number");
        }
    }

    private static boolean isInRange(ColumnType type, long value) {
        return switch (type.kind()) {
            case TINYINT -> value == (byte) value;
            case SMALLINT -> value == (short) value;
            case TIME_NS -> value >= 0 && value < SimpleType.DAY_NANOS;
            default -> value == (int) value;
        };
    }

    /** Puts a whole number of any size; a floating point column takes it where nothing is rounded. */
    public void putWhole(int column, BigInteger value) throws BadRecordException {
        ExactNumber.put(this, column, value);
    }

    /**
     * Puts a floating point number. A column of type float takes the nearest one, a column of whole numbers takes one
     * without a fraction.
     */
    public void putDouble(int column, double value) throws BadRecordException {
        switch (columns[column].type().kind()) {
            case TINYINT, SMALLINT, INT, LONG -> {
                if (value != Math.rint(value) || value < -0x1p63 || value >= 0x1p63) {
                    throw bad(column, value, "is not a whole number of 64 bits");
                }
                putLong(column, (long) value);
            }
            case DOUBLE -> ((DoubleVector) buffer.vector(column)).set(row, value);
            case FLOAT -> {
                float narrow = (float) value;
                if (Float.isInfinite(narrow) && !Double.isInfinite(value)) {
                    throw bad(column, value, "is out of range");
                }
                ((DoubleVector) buffer.vector(column)).set(row, narrow);
            }
            default -> throw bad(column, value, "is a floating point number");
        }
    }

    /** Puts a truth value. */
    public void putBoolean(int column, boolean value) throws BadRecordException {
        if (columns[column].type() != ColumnType.BOOLEAN) {
            throw bad(column, value, "is a boolean");
        }
        ((BooleanVector) buffer.vector(column)).set(row, value);
    }

    /**
     * Puts a string by its UTF-8 bytes, which are copied. Columns of other types take a string that says a value of
     * theirs: a number, {@code true} or {@code false}, a date or time as ISO-8601 writes it, bytes as Base64.
     */
    public void putUtf8(int column, byte[] utf8, int offset, int length) throws BadRecordException {
        if (columns[column].type() == ColumnType.STRING) {
            StringVector vector = (StringVector) buffer.vector(column);
            vector.set(row, vector.dictionary().intern(utf8, offset, length, strings[column]));
        } else {
            TextValue.put(this, column, strings[column].decode(utf8, offset, length));
        }
    }

    /** Puts a binary value, which is copied; no other column takes one. */
    public void putBytes(int column, byte[] bytes, int offset, int length) throws BadRecordException {
        if (columns[column].type() != ColumnType.BINARY) {
            throw bad(column, "of " + length + " bytes", "is binary");
        }
        StringVector vector = (StringVector) buffer.vector(column);
        vector.set(row, vector.dictionary().intern(bytes, offset, length));
    }

    /** Puts a nested value by its form, which is of the column's type and is copied. */
    public void putNested(int column, NestedWriter form) throws BadRecordException {
        putNested(column, form.bytes(), 0, form.size());
    }

    /** Puts a nested value by the bytes of its form, as {@link #putNested(int, NestedWriter)} does. */
    public void putNested(int column, byte[] form, int offset, int length) throws BadRecordException {
        NestedVector vector = (NestedVector) buffer.vector(column);
        vector.set(row, vector.dictionary().intern(form, offset, length, nested[column]));
    }

    /** Puts the digits of a decimal number without the point, which fit the column. */
    void putDigits(int column, BigInteger digits) {
        if (buffer.vector(column) instanceof WideDecimalVector wide) {
            wide.set(row, digits);
        } else {
            longs(column).set(row, digits.longValueExact());
        }
    }

    /** Puts a time that is written as ISO-8601 writes it. */
    void putIsoTime(int column, String text) throws BadRecordException {
        longs(column).set(row, TimeValue.parse(columns[column], text));
    }

    /** Puts a decimal number: exactly, or to the nearest floating point number; a string column gets its digits. */
    public void putDecimal(int column, BigDecimal value) throws BadRecordException {
        ExactNumber.put(this, column, value);
    }

    /** Puts a point in time that counts in a unit since the epoch, days at most; a column of type date takes midnights. */
    public void putTime(int column, long value, TimeUnit unit) throws BadRecordException {
        long perSecond = Math.max(1, unit.convert(1, TimeUnit.SECONDS));
        long seconds = unit.toSeconds(1) > 0 ? unit.toSeconds(value) : Math.floorDiv(value, perSecond);
        putInstant(column, seconds, (int) unit.toNanos(Math.floorMod(value, perSecond)));
    }

    /** Puts a point in time as {@link #putTime(int, long, TimeUnit)} does, where the column can hold all its digits. */
    public void putTime(int column, BigDecimal value, TimeUnit unit) throws BadRecordException {
        longs(column).set(row, TimeValue.of(columns[column], value, unit));
    }

    /** Puts a point in time; a column of type date takes midnights. */
    public void putInstant(int column, long epochSecond, int nanos) throws BadRecordException {
        long value = TimeValue.instant(columns[column], epochSecond, nanos); // refuses other types
        longs(column).set(row, value);
    }

    private LongVector longs(int column) {
        return (LongVector) buffer.vector(column);
    }

    BadRecordException bad(int column, Object value, String problem) {
        return new BadRecordException("column '" + columns[column].name() + "' is of type "
                + columns[column].type().ddl() + ", but its value " + ShownValue.of(String.valueOf(value)) + " "
                + problem);
    }
}
