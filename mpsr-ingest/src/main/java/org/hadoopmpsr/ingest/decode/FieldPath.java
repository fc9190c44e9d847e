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

/**
 * Where a value lies in a message: names of fields or keys of maps, joined by dots, each followed by the positions of
 * array elements in brackets, from 0: {@code head.device}, {@code tags.unit}, {@code readings[0].value}.
 *
 * @param steps at least one; a {@link String} for a field or key, an {@link Integer} for an element
 */
record FieldPath(List<Object> steps) {
    private static final Pattern NAME = Pattern.compile("([^.\\[\\]\\s]+)((?:\\[[0-9]{1,6}])*)");

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
        for (String part : text.split("\\.", -1)) {
            Matcher matcher = NAME.matcher(part);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not the path of a field; write it like head.device or readings[0].value");
            }
            steps.add(matcher.group(1));
            Matcher element = Pattern.compile("[0-9]+").matcher(matcher.group(2));
            while (element.find()) {
                steps.add(Integer.valueOf(element.group()));
            }
        }
        return new FieldPath(steps);
    }

    /** The path as it was written. */
    String text() {
        String text = steps.stream()
                .map(s -> s instanceof Integer i ? "[" + i + "]" : "." + s)
                .collect(Collectors.joining());
        return text.substring(1);
    }
}
