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
package org.hadoopmpsr.ingest.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.text.Backticks;

/**
 * Where a value lies in a message: names of fields or keys of maps, joined by dots, each followed by the positions of
 * array elements in brackets, from 0: {@code head.device}, {@code tags.unit}, {@code readings[0].value}. A name with a dot, a
 * bracket or a blank stands in backticks, as in {@code head.`device name`}.
 *
 * @param steps a {@link String} for a field or key, an {@link Integer} for an element; none if the value is not in the message
 */
record FieldPath(List<Object> steps) {
    private static final Pattern NAME = Pattern.compile("[^.\\[\\]\\s]+");
    private static final Pattern ELEMENTS = Pattern.compile("(?:\\[[0-9]{1,6}])*");

    /** The path of what no message has. */
    static final FieldPath NONE = new FieldPath(List.of());

    FieldPath {
        steps = List.copyOf(steps);
    }

    /** The field of that name in the message itself. */
    static FieldPath of(String name) {
        return new FieldPath(List.of(name));
    }

    /** True when the path is that of a field of this name in the message itself, in whatever case. */
    boolean isOnly(String name) {
        return steps.size() == 1 && steps.get(0) instanceof String step && step.equalsIgnoreCase(name);
    }

    /** @throws IllegalArgumentException when the text is no path */
    static FieldPath parse(String text) {
        List<Object> steps = new ArrayList<>();
        int at = 0;
        while (at <= text.length()) {
            int quoted = Backticks.end(text, at);
            Matcher name = NAME.matcher(text).region(at, text.length());
            if (quoted < 0 && !name.lookingAt()) {
                throw wrong(text);
            }
            int end = quoted < 0 ? name.end() : quoted;
            steps.add(quoted < 0 ? name.group() : Backticks.within(text.substring(at, end)));
            at = addElements(text, end, steps) + 1;
        }
        return new FieldPath(steps);
    }

    /** Returns the place of the dot after the positions of elements, or of the end. */
    private static int addElements(String text, int from, List<Object> steps) {
        Matcher elements = ELEMENTS.matcher(text).region(from, text.length());
        int end = elements.lookingAt() ? elements.end() : from;
        if (end < text.length() && text.charAt(end) != '.') {
            throw wrong(text);
        }
        Matcher element = Pattern.compile("[0-9]+").matcher(text).region(from, end);
        while (element.find()) {
            steps.add(Integer.valueOf(element.group()));
        }
        return end;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not the path of a field; write it like head.device or readings[0].value");
    }

    /** The path as {@link #parse} reads it. */
    String text() {
        String text = steps.stream()
                .map(s -> s instanceof Integer i ? "[" + i + "]" : "." + text(String.valueOf(s)))
                .collect(Collectors.joining());
        return text.isEmpty() ? text : text.substring(1);
    }

    private static String text(String name) {
        return NAME.matcher(name).matches() && !name.startsWith("`") ? name : Backticks.around(name);
    }
}
