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
package org.hadoopmpsr.core.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * Decimal numbers with a fixed number of digits after the point.
 *
 * <p>In statistics and filters a value is the {@link Long} of its digits without the point ({@code 1.50} with two digits
 * after the point is 150). A value of more than 64 bits is no bound, and no literal.
 *
 * @param precision the most digits of a value, from 1 to 38
 * @param scale how many of them are after the point, from 0 to {@code precision}
 */
public record DecimalType(int precision, int scale) implements ColumnType {
    /** The most digits that all fit into 32 bits. */
    public static final int INT_DIGITS = 9;

    /** The most digits that all fit into 64 bits. */
    public static final int LONG_DIGITS = 18;

    /** The most digits. */
    public static final int MAX_DIGITS = 38;

    /** @throws IllegalArgumentException if there is no such type */
    public DecimalType {
        if (precision < 1 || precision > MAX_DIGITS || scale < 0 || scale > precision) {
            throw new IllegalArgumentException("decimal(" + precision + ", " + scale + ") is no type; use 1 to "
                    + MAX_DIGITS + " digits, of which 0 to that many are after the point, such as decimal(10, 2)");
        }
    }

    @Override
    public Kind kind() {
        return Kind.DECIMAL;
    }

    @Override
    public String ddl() {
        return "decimal(" + precision + "," + scale + ")";
    }

    @Override
    public Class<?> valueClass() {
        return Long.class;
    }

    @Override
    public boolean holds(Object value) {
        return value instanceof Long digits && fits(BigInteger.valueOf(digits));
    }

    @Override
    public boolean isTime() {
        return false;
    }

    @Override
    public boolean hasUnit() {
        return false;
    }

    @Override
    public boolean isFloating() {
        return false;
    }

    @Override
    public boolean isInt32() {
        return precision <= INT_DIGITS;
    }

    @Override
    public boolean isWideDecimal() {
        return precision > LONG_DIGITS;
    }

    /** True if the digits without the point are not too many. */
    public boolean fits(BigInteger digits) {
        return digits.abs().compareTo(BigInteger.TEN.pow(precision)) < 0;
    }

    /**
     * The digits without the point of a number, exactly.
     *
     * @param value of a scale that is not large: the number is written out
     * @return empty if the number has more digits after the point, or more digits at all
     */
    public Optional<BigInteger> digits(BigDecimal value) {
        if ((long) value.precision() - value.scale() > MAX_DIGITS && value.signum() != 0) {
            return Optional.empty();
        }
        BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        return plain.scale() > scale
                ? Optional.empty()
                : Optional.of(plain.setScale(scale).unscaledValue()).filter(this::fits);
    }

    /** The bytes that hold the digits of every value as a signed number, as Spark counts them for Parquet. */
    public int bytes() {
        return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength() / Byte.SIZE + 1;
    }

    @Override
    public String toString() {
        return ddl();
    }
}
