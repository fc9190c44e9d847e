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
package org.hadoopmpsr.core.tune;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A configuration: values by keys, as they stand in configuration files. Immutable.
 *
 * @param values sorted by key
 */
public record Settings(Map<String, String> values) implements Comparable<Settings> {
    /** @throws IllegalArgumentException if there is no key, or an empty one */
    public Settings {
        if (values.isEmpty() || values.containsKey("")) {
            throw new IllegalArgumentException("a configuration has no key, or an empty one: " + values);
        }
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** All {@code key=value}, with blanks between. */
    public String text() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** By keys and values: an order that does not depend on that of the runs. */
    @Override
    public int compareTo(Settings other) {
        return text().compareTo(other.text());
    }
}
