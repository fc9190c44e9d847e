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
package org.hadoopmpsr.client.rebuild;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.rebuild.Damage;
import org.jspecify.annotations.Nullable;

/**
 * What a rebuild is asked to do. As arguments of the Spark job, which reads numbers only. Immutable.
 *
 * @param groups the replica groups to rebuild; none for all
 * @param onlyDue to leave out what was damaged a short time ago, and may come back by itself
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param runDir the directory of the runs' records, or null for {@link RunRecords}' default
 */
public record RebuildOptions(
        List<String> groups,
        boolean onlyDue,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    /** Without any wish. */
    public static final RebuildOptions DEFAULT = new RebuildOptions(List.of(), false, 0, 0, null);

    public static final String GROUP = "--group";
    public static final String ONLY_DUE = "--only-due";
    public static final String BANDWIDTH = "--bandwidth";
    public static final String PARALLELISM = "--parallelism";
    public static final String RUN_DIR = "--run-dir";

    public RebuildOptions {
        groups = List.copyOf(groups);
    }

    /** True if the damage is to be rebuilt. */
    public boolean wants(Damage damage) {
        return (groups.isEmpty() || groups.contains(damage.group())) && (damage.due() || !onlyDue);
    }

    /** The arguments of the Spark job; those of the default are left out. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        groups.forEach(group -> arguments.addAll(List.of(GROUP, group)));
        if (onlyDue) {
            arguments.add(ONLY_DUE);
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
    public static RebuildOptions parse(List<String> arguments, List<String> rest) {
        List<String> groups = new ArrayList<>();
        boolean onlyDue = false;
        long bandwidth = 0;
        long parallelism = 0;
        String runDir = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case GROUP -> groups.add(Arguments.value(name, left));
                case ONLY_DUE -> onlyDue = true;
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case RUN_DIR -> runDir = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException("'" + name + "' is no option of a rebuild; the options are "
                                + GROUP + ", " + ONLY_DUE + ", " + BANDWIDTH + ", " + PARALLELISM + " and " + RUN_DIR);
                    }
                    rest.add(name);
                }
            }
        }
        return new RebuildOptions(groups, onlyDue, bandwidth, (int) Math.min(Integer.MAX_VALUE, parallelism), runDir);
    }
}
