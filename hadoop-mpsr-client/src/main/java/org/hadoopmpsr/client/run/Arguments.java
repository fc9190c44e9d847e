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
package org.hadoopmpsr.client.run;

import java.util.Iterator;
import java.util.List;

/** The arguments of a Spark job. */
public final class Arguments {
    private Arguments() {}

    /** Adds an option with a number, unless it has the usual value. */
    public static void add(List<String> arguments, String name, long value, long usual) {
        if (value != usual) {
            arguments.addAll(List.of(name, Long.toString(value)));
        }
    }

    /**
     * The value of an option.
     *
     * @param left what follows the option's name
     * @throws IllegalArgumentException if nothing does, with a message for the user
     */
    public static String value(String name, Iterator<String> left) {
        if (!left.hasNext()) {
            throw new IllegalArgumentException("the option " + name + " lacks its value");
        }
        return left.next();
    }

    /**
     * The value of an option that is a whole number.
     *
     * @param left what follows the option's name
     * @throws IllegalArgumentException if it is none from {@code least} on, with a message for the user
     */
    public static long number(String name, Iterator<String> left, long least) {
        String text = value(name, left);
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) { // said below
        }
        throw new IllegalArgumentException("the option " + name + " has the value '" + text
                + "', which is no whole number" + (least == Long.MIN_VALUE ? "" : " from " + least));
    }
}
