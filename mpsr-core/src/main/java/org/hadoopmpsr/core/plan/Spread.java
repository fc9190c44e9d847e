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
package org.hadoopmpsr.core.plan;

import org.hadoopmpsr.core.schema.Values;

/** Computes the position of a value between two others if values are spread evenly. */
final class Spread {
    /** The number of characters after the common prefix that determine the position of a string. */
    private static final int CHARACTERS = 6;

    private Spread() {}

    /**
     * 0 for the least value, 1 for the greatest, below 0 or above 1 outside. The least and the greatest value differ.
     * NaN if the position is unknown.
     */
    static double position(Object value, Object min, Object max) {
        if (value instanceof Number v && min instanceof Number first && max instanceof Number last) {
            return (v.doubleValue() - first.doubleValue()) / (last.doubleValue() - first.doubleValue());
        }
        if (value instanceof String v && min instanceof String first && max instanceof String last) {
            return ofText(v, first, last);
        }
        return Double.NaN;
    }

    private static double ofText(String value, String min, String max) {
        int shared = 0;
        while (shared < min.length() && shared < max.length() && min.charAt(shared) == max.charAt(shared)) {
            shared++;
        }
        if (!value.startsWith(min.substring(0, shared))) {
            return Values.compare(value, min) < 0 ? -1 : 2;
        }
        boolean numbers = isNumber(value, shared) && isNumber(min, shared) && isNumber(max, shared);
        double first = fraction(min, shared, numbers);
        double last = fraction(max, shared, numbers);
        return last <= first ? Double.NaN : (fraction(value, shared, numbers) - first) / (last - first);
    }

    /** The digits, and the character after 9, which lies above all strings that start with 9. */
    private static boolean isNumber(String text, int from) {
        return text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9' + 1);
    }

    /** The text as a fraction whose digits are characters; missing characters count as zeros. */
    private static double fraction(String text, int from, boolean numbers) {
        int lowest = numbers ? '0' : ' ';
        int base = numbers ? 11 : 96;
        double fraction = 0;
        double unit = 1;
        for (int i = from; i < Math.min(text.length(), from + CHARACTERS); i++) {
            unit /= base;
            fraction += unit * Math.max(1, Math.min(base - 1, text.charAt(i) - lowest + 1));
        }
        return fraction;
    }
}
