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
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;

/** Numbers of any size, to columns that can hold them. */
final class ExactNumber {

    private ExactNumber() {}

    /** Puts a whole number; a floating point column takes it where nothing is rounded. */
    static void put(RecordAppender record, int column, BigInteger value) throws BadRecordException {
        if (value.bitLength() < Long.SIZE) {
            record.putLong(column, value.longValue());
            return;
        }
        ColumnType type = record.column(column).type();
        switch (type.kind()) {
            case FLOAT, DOUBLE -> {
                double number = type == ColumnType.FLOAT ? value.floatValue() : value.doubleValue();
                if (Double.isInfinite(number)) {
                    throw record.bad(column, value, "is out of range");
                }
                if (!new BigDecimal(number).toBigInteger().equals(value)) {
                    throw record.bad(column, value, "would be rounded");
                }
                record.putDouble(column, number);
            }
            case DECIMAL -> put(record, column, new BigDecimal(value));
            case BOOLEAN, STRING, BINARY, LIST, STRUCT, MAP -> throw record.bad(column, value, "is a number");
            default -> throw record.bad(column, value, "is out of range");
        }
    }

    /** Puts a decimal number: exactly, or to the nearest floating point number; a string column gets its digits. */
    static void put(RecordAppender record, int column, BigDecimal value) throws BadRecordException {
        if (!NumberText.isShort(value)) {
            throw record.bad(column, "of " + value.unscaledValue().bitLength() + " bits", "has too many digits");
        }
        switch (record.column(column).type().kind()) {
            case TINYINT, SMALLINT, INT, LONG -> {
                try {
                    record.putLong(column, value.longValueExact());
                } catch (ArithmeticException e) {
                    throw record.bad(column, value, "is not a whole number of 64 bits");
                }
            }
            case FLOAT, DOUBLE -> {
                double number = value.doubleValue();
                if (Double.isInfinite(number)) {
                    throw record.bad(column, value, "is out of range");
                }
                record.putDouble(column, number);
            }
            case STRING -> {
                if (!NumberText.isShortWrittenOut(value)) {
                    throw record.bad(column, value, "has too many digits");
                }
                byte[] digits = value.toPlainString().getBytes(StandardCharsets.UTF_8);
                record.putUtf8(column, digits, 0, digits.length);
            }
            case DECIMAL -> putDigits(record, column, value);
            default -> throw record.bad(column, value, "is a decimal number");
        }
    }

    private static void putDigits(RecordAppender record, int column, BigDecimal value) throws BadRecordException {
        DecimalType type = (DecimalType) record.column(column).type();
        Optional<BigInteger> digits = type.digits(value);
        if (digits.isEmpty()) {
            throw record.bad(
                    column,
                    value,
                    "has more than " + type.scale() + " digits after the point, or more than "
                            + (type.precision() - type.scale()) + " before it");
        }
        record.putDigits(column, digits.get());
    }
}
