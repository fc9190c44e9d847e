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
package org.hadoopmpsr.core.group;

import java.util.Collection;

/**
 * The names of a dataset's representations. The first one in a replica group has the group's name. A later one has a
 * number after it, as in {@code signal.2}: names of groups have no dot.
 */
public final class RepresentationName {
    private static final char DOT = '.';

    private RepresentationName() {}

    /** The replica group whose DataNodes hold a representation. */
    public static String group(String representation) {
        int dot = representation.indexOf(DOT);
        return dot < 0 ? representation : representation.substring(0, dot);
    }

    /**
     * A name for a further representation in a group: that of the group, or with the number after the highest one.
     *
     * @param taken the names that the dataset's representations have
     */
    public static String next(String group, Collection<String> taken) {
        int highest = taken.stream()
                .filter(name -> group(name).equals(group))
                .mapToInt(RepresentationName::number)
                .max()
                .orElse(0);
        return highest == 0 ? group : group + DOT + (highest + 1);
    }

    private static int number(String representation) {
        int dot = representation.indexOf(DOT);
        return dot < 0 ? 1 : Integer.parseInt(representation.substring(dot + 1));
    }
}
