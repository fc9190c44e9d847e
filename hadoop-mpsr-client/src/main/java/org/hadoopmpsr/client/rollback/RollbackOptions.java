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
package org.hadoopmpsr.client.rollback;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.core.history.AsOf;
import org.jspecify.annotations.Nullable;

/**
 * The options of a rollback. Immutable.
 *
 * @param to the state that comes back, as {@link AsOf#parse} reads it
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param runDir the directory of the records of runs, or null for the default
 */
public record RollbackOptions(
        String to,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    public static final String TO = "--to";
    public static final String BANDWIDTH = "--bandwidth";
    public static final String PARALLELISM = "--parallelism";
    public static final String RUN_DIR = "--run-dir";

    public RollbackOptions {
        AsOf.parse(to);
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(TO, to));
        Arguments.add(arguments, BANDWIDTH, bandwidth, 0);
        Arguments.add(arguments, PARALLELISM, parallelism, 0);
        if (runDir != null) {
            arguments.addAll(List.of(RUN_DIR, runDir));
        }
        return arguments;
    }

    /**
     * Reads arguments of the Spark job.
     *
     * @param arguments the options and, in any place, what is not an option
     * @param rest is given what is not an option
     * @throws IllegalArgumentException for what is no option, no number and no state, or if no state is named; with a message for the
     *     user
     */
    public static RollbackOptions parse(List<String> arguments, List<String> rest) {
        String to = null;
        long bandwidth = 0;
        long parallelism = 0;
        String runDir = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case TO -> to = Arguments.value(name, left);
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case RUN_DIR -> runDir = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException("'" + name + "' is no option of a rollback; the options are "
                                + String.join(", ", TO, BANDWIDTH, PARALLELISM) + " and " + RUN_DIR);
                    }
                    rest.add(name);
                }
            }
        }
        if (to == null) {
            throw new IllegalArgumentException("it is not said which state comes back; name it with " + TO);
        }
        return new RollbackOptions(to, bandwidth, (int) Math.min(Integer.MAX_VALUE, parallelism), runDir);
    }
}
