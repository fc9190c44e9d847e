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
package org.hadoopmpsr.core.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names in backticks, as Spark's SQL has them: {@code `signal name`}. A backtick within a name is doubled. */
public final class Backticks {
    private static final char TICK = '`';
    private static final Pattern PATH =
            Pattern.compile("PART(?:\\.PART)*+".replace("PART", "(?:\\w++|`(?:[^`]|``)*+`)"));

    private Backticks() {}

    /** The name in backticks. */
    public static String around(String name) {
        return TICK + name.replace("`", "``") + TICK;
    }

    /**
     * The place after the name in backticks that begins at a place of a text.
     *
     * @return -1 if no such name begins there, or it does not end
     */
    public static int end(String text, int at) {
        if (at >= text.length() || text.charAt(at) != TICK) {
            return -1;
        }
        int i = at + 1;
        while (i < text.length()) {
            if (text.charAt(i) != TICK) {
                i++;
            } else if (i + 1 < text.length() && text.charAt(i + 1) == TICK) {
                i += 2;
            } else {
                return i + 1;
            }
        }
        return -1;
    }

    /**
     * The place after the names with dots between them that begin at a place of a text, if one of them stands in backticks.
     *
     * @return -1 if no such name begins there
     */
    public static int pathEnd(String text, int at) {
        Matcher path = PATH.matcher(text).region(at, text.length());
        return path.lookingAt() && path.group().indexOf(TICK) >= 0 ? path.end() : -1;
    }

    /** The name of which {@link #around} makes this text. */
    public static String within(String quoted) {
        return quoted.substring(1, quoted.length() - 1).replace("``", "`");
    }
}
