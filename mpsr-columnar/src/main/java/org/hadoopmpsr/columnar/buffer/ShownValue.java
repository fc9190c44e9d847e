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

import org.hadoopmpsr.core.text.PrintableText;

/** Values as messages show them: short, and on one line. */
public final class ShownValue {
    private static final int MAX_CHARS = 100;

    private ShownValue() {}

    /** The text in printable form; of a long one the beginning, and its length in characters. */
    public static String of(String text) {
        boolean cut = text.length() > MAX_CHARS;
        int end = cut ? text.offsetByCodePoints(0, text.codePointCount(0, MAX_CHARS)) : text.length();
        String shown = PrintableText.of(text.substring(0, end));
        return cut ? shown + "... (" + text.length() + " characters)" : shown;
    }
}
