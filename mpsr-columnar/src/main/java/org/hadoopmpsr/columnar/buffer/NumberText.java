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
import java.util.regex.Pattern;

/** Numbers as text says them: digits with a sign, a point and an exponent, as JSON has them and a little wider. */
public final class NumberText {
    /** The most characters that a number may have. To read more takes time with the square of the length. */
    public static final int MAX_CHARS = 1000;

    private static final Pattern FORM =
            Pattern.compile("[-+]?(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][-+]?[0-9]{1,9})?");
    private static final int MAX_BITS = (int) (MAX_CHARS * 3.33);

    private NumberText() {}

    /** True when the text is a number. */
    public static boolean isNumber(String text) {
        return text.length() <= MAX_CHARS && FORM.matcher(text).matches();
    }

    /** True when a number's text has neither a point nor an exponent, and so means exactly that whole number. */
    public static boolean isWhole(String number) {
        return number.indexOf('.') < 0 && number.indexOf('e') < 0 && number.indexOf('E') < 0;
    }

    /** False when it would take long to convert the number. */
    static boolean isShort(BigDecimal value) {
        return value.unscaledValue().bitLength() <= MAX_BITS;
    }

    /** False when the number written out, without an exponent, would be long. */
    static boolean isShortWrittenOut(BigDecimal value) {
        return isShort(value) && Math.abs((long) value.scale()) <= MAX_CHARS;
    }
}
