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

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The order of column values, which is Spark's: numbers by value, strings and binary values by their bytes as
 * unsigned numbers.
 */
public final class Values {

    private Values() {}

    /**
     * Compares two values of one column.
     *
     * @throws IllegalArgumentException if the values are of different classes
     */
    public static int compare(Object a, Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return x.compareTo(y);
        }
        if (a instanceof Double x && b instanceof Double y) {
            // 0.0 and -0.0 are equal to a query
            return x.doubleValue() == y.doubleValue() ? 0 : x.compareTo(y);
        }
        if (a instanceof String x && b instanceof String y) {
            return compareCodePoints(x, y);
        }
        if (a instanceof Boolean x && b instanceof Boolean y) {
            return x.compareTo(y);
        }
        if (a instanceof byte[] x && b instanceof byte[] y) {
            return Arrays.compareUnsigned(x, y);
        }
        if (isWhole(a) && isWhole(b)) {
            return big(a).compareTo(big(b));
        }
        throw new IllegalArgumentException("cannot compare " + a.getClass().getSimpleName() + " with "
                + b.getClass().getSimpleName());
    }

    private static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof BigInteger;
    }

    private static BigInteger big(Object value) {
        return value instanceof BigInteger big ? big : BigInteger.valueOf((Long) value);
    }

    /** True when the two values can be compared. */
    public static boolean comparable(Object a, Object b) {
        return a.getClass() == b.getClass();
    }

    /** The order by code point is the order of the UTF-8 bytes; the order of Java's chars is not. */
    private static int compareCodePoints(String a, String b) {
        int n = Math.min(a.length(), b.length());
        for (int i = 0; i < n; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean sx = Character.isSurrogate(x);
                boolean sy = Character.isSurrogate(y);
                return sx == sy ? Character.compare(x, y) : sx ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
