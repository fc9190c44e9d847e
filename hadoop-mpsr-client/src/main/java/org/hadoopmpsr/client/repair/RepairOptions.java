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
package org.hadoopmpsr.client.repair;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.core.rebuild.Damage;
import org.jspecify.annotations.Nullable;

/**
 * What a user wants of a repair. Immutable.
 *
 * @param deed what is done
 * @param groups the replica groups whose damage is looked at; empty for all. Of {@link Deed#ACCEPT} the one that is accepted;
 *     empty for the default group
 * @param examples so many records that a group lacks, and as many that it has too much, are shown of each segment
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param runDir the directory for the record of the run; null for the default
 */
public record RepairOptions(
        Deed deed,
        List<String> groups,
        int examples,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    /** So many examples are shown if nothing is said. */
    public static final int EXAMPLES = 5;

    public static final String GROUP = "--group";
    public static final String MOST_EXAMPLES = "--examples";
    public static final String BANDWIDTH = "--bandwidth";
    public static final String PARALLELISM = "--parallelism";
    public static final String RUN_DIR = "--run-dir";
    private static final int MOST = 1_000;

    /** What a repair does. */
    public enum Deed {
        /** Says what differs, record for record. */
        DRY_RUN("--dry-run"),
        /** Writes the published records anew, also in the place of files that somebody has put there. */
        EXECUTE("--execute"),
        /** Takes what somebody has made of segments in one group for their records, in all groups. */
        ACCEPT("--accept");

        private final String option;

        Deed(String option) {
            this.option = option;
        }

        /** The option that stands for it. */
        public String option() {
            return option;
        }
    }

    public RepairOptions {
        groups = List.copyOf(groups);
        if (deed == Deed.ACCEPT && groups.size() > 1) {
            throw new IllegalArgumentException(
                    GROUP + " names " + groups + "; what one group has is accepted: name one of them");
        }
        if (examples > MOST) {
            throw new IllegalArgumentException(
                    MOST_EXAMPLES + " is " + examples + "; show at most " + MOST + " records of a segment");
        }
    }

    /** True if the damage is looked at. */
    public boolean wants(Damage damage) {
        return groups.isEmpty() || groups.contains(damage.group());
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(deed.option()));
        groups.forEach(group -> arguments.addAll(List.of(GROUP, group)));
        Arguments.add(arguments, MOST_EXAMPLES, examples, EXAMPLES);
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
     * @throws IllegalArgumentException for what is no option and no number, or if it is not said what to do; with a message
     *     for the user
     */
    public static RepairOptions parse(List<String> arguments, List<String> rest) {
        Deed deed = null;
        List<String> groups = new ArrayList<>();
        long examples = EXAMPLES;
        long bandwidth = 0;
        long parallelism = 0;
        String runDir = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            Deed named = deed(name);
            if (named != null) {
                deed = one(deed, named);
                continue;
            }
            switch (name) {
                case GROUP -> groups.add(Arguments.value(name, left));
                case MOST_EXAMPLES -> examples = Arguments.number(name, left, 0);
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case RUN_DIR -> runDir = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException("'" + name + "' is no option of a repair; the options are "
                                + deeds() + ", " + GROUP + ", " + MOST_EXAMPLES + ", " + BANDWIDTH + ", " + PARALLELISM
                                + " and " + RUN_DIR);
                    }
                    rest.add(name);
                }
            }
        }
        if (deed == null) {
            throw new IllegalArgumentException("it is not said what to do; name one of " + deeds());
        }
        return new RepairOptions(deed, groups, toInt(examples), bandwidth, toInt(parallelism), runDir);
    }

    private static Deed one(@Nullable Deed before, Deed named) {
        if (before != null && before != named) {
            throw new IllegalArgumentException(
                    before.option() + " and " + named.option() + " exclude each other; name one of them");
        }
        return named;
    }

    private static @Nullable Deed deed(String option) {
        for (Deed deed : Deed.values()) {
            if (deed.option().equals(option)) {
                return deed;
            }
        }
        return null;
    }

    private static String deeds() {
        List<String> options = new ArrayList<>();
        for (Deed deed : Deed.values()) {
            options.add(deed.option());
        }
        return String.join(", ", options);
    }

    private static int toInt(long number) {
        return (int) Math.min(Integer.MAX_VALUE, number);
    }
}
