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
package org.hadoopmpsr.client.adopt;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.core.adopt.AdoptionRules;
import org.jspecify.annotations.Nullable;

/**
 * How files of ordinary writers are adopted.
 *
 * @param now true if files do not wait for others
 * @param bandwidth the most bytes that all tasks read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark runs
 * @param runDir the directory of the records of runs, or null for that of the user
 */
public record AdoptOptions(
        boolean now,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    public static final String NOW = "--now";
    public static final String BANDWIDTH = "--bandwidth";
    public static final String PARALLELISM = "--parallelism";
    public static final String RUN_DIR = "--run-dir";

    /** When files are due, in a dataset whose files are as long as a block. */
    public AdoptionRules rules(long blockBytes, int maxFiles) {
        AdoptionRules rules = AdoptionRules.of(blockBytes, maxFiles);
        return now ? rules.withoutWaiting() : rules;
    }

    /** The arguments of the Spark job; those of the default are left out. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        if (now) {
            arguments.add(NOW);
        }
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
     * @throws IllegalArgumentException for what is no option and no number, with a message for the user
     */
    public static AdoptOptions parse(List<String> arguments, List<String> rest) {
        boolean now = false;
        long bandwidth = 0;
        long parallelism = 0;
        String runDir = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case NOW -> now = true;
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case RUN_DIR -> runDir = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException(
                                "'" + name + "' is no option of an adoption; the options are " + NOW + ", " + BANDWIDTH
                                        + ", " + PARALLELISM + " and " + RUN_DIR);
                    }
                    rest.add(name);
                }
            }
        }
        return new AdoptOptions(now, bandwidth, (int) Math.min(Integer.MAX_VALUE, parallelism), runDir);
    }
}
