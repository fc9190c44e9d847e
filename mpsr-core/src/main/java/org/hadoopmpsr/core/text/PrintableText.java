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

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text from outside, such as names, values and messages of other systems, as a terminal, a log and a page can show it.
 * Whoever names a file may put a newline into the name, which forges a line of a log, or an escape sequence, which
 * controls the terminal of the reader, or a character that turns the direction of the text around.
 */
public final class PrintableText {
    private static final String FRAME = "\tat ";
    private static final Pattern LINE_END = Pattern.compile("\n(?=  - |" + FRAME + ")");

    private PrintableText() {}

    /**
     * The text on one line, and every character visible: control characters, separators of lines and paragraphs,
     * invisible characters of format (these give the direction of text, too) and halves of surrogate pairs become
     * {@code \}{@code uXXXX}. Other text is returned as it is, and a second call changes nothing.
     */
    public static String of(String text) {
        int plain = plainLength(text);
        if (plain == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, plain);
        text.substring(plain).codePoints().forEach(c -> append(shown, c));
        return shown.toString();
    }

    /**
     * A message as {@link #of} shows it, except that two kinds of line ends stay: before an item of a list, which begins
     * with two spaces and a dash, and before a frame of a stack trace. Both are indented, and pass for no line of a log.
     */
    public static String ofMessage(String text) {
        return plainLength(text) == text.length()
                ? text
                : LINE_END.splitAsStream(text).map(PrintableText::ofLine).collect(Collectors.joining("\n"));
    }

    private static String ofLine(String line) {
        return line.startsWith(FRAME) ? FRAME + of(line.substring(FRAME.length())) : of(line);
    }

    /** True if {@link #of} returns the text as it is. */
    public static boolean isPlain(String text) {
        return plainLength(text) == text.length();
    }

    /** Appends a character, or what {@link #of} shows for it. */
    public static void append(StringBuilder to, int codePoint) {
        if (isPlain(codePoint)) {
            to.appendCodePoint(codePoint);
        } else {
            for (char unit : Character.toChars(codePoint)) {
                to.append(String.format("\\u%04x", (int) unit));
            }
        }
    }

    private static int plainLength(String text) {
        int at = 0;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            if (!isPlain(c)) {
                return at;
            }
            at += Character.charCount(c);
        }
        return at;
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
