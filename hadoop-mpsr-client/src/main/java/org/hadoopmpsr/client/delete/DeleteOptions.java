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
package org.hadoopmpsr.client.delete;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * The options of a delete. Immutable.
 *
 * @param execute false to say only what would be deleted
 * @param where the condition in Spark's SQL; a record goes if it is true. Null if {@code beforeMs} says what goes
 * @param beforeMs records with a time before this go, in milliseconds since the epoch; null if {@code where} says what goes
 * @param column the column that has the times; null for the only one
 * @param purge true to delete replaced files of the dataset at once, and not after a while
 * @param inParts true if it may be several changes, each atomic, with the oldest segments first
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param runDir the directory of the records of runs, or null for the default
 */
public record DeleteOptions(
        boolean execute,
        @Nullable String where,
        @Nullable Long beforeMs,
        @Nullable String column,
        boolean purge,
        boolean inParts,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    public static final String DRY_RUN = "--dry-run";
    public static final String EXECUTE = "--execute";
    public static final String WHERE = "--where";
    public static final String BEFORE_MS = "--before-ms";
    public static final String COLUMN = "--column";
    public static final String PURGE = "--purge";
    public static final String IN_PARTS = "--in-parts";
    public static final String BANDWIDTH = "--bandwidth";
    public static final String PARALLELISM = "--parallelism";
    public static final String RUN_DIR = "--run-dir";

    public DeleteOptions {
        if ((where == null) == (beforeMs == null)) {
            throw new IllegalArgumentException(
                    "it is not said which records go; give either " + WHERE + " or " + BEFORE_MS);
        }
        if (where != null && where.isBlank()) {
            throw new IllegalArgumentException(WHERE
                    + " is empty; give a condition, such as \"signal = 'X'\". The condition 'true' deletes everything");
        }
        if (purge && !execute) {
            throw new IllegalArgumentException(PURGE + " deletes files; give it with " + EXECUTE);
        }
        if (column != null && beforeMs == null) {
            throw new IllegalArgumentException(COLUMN + " says where times are; give it with " + BEFORE_MS);
        }
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(execute ? EXECUTE : DRY_RUN));
        add(arguments, WHERE, where);
        add(arguments, BEFORE_MS, beforeMs == null ? null : Long.toString(beforeMs));
        add(arguments, COLUMN, column);
        if (purge) {
            arguments.add(PURGE);
        }
        if (inParts) {
            arguments.add(IN_PARTS);
        }
        Arguments.add(arguments, BANDWIDTH, bandwidth, 0);
        Arguments.add(arguments, PARALLELISM, parallelism, 0);
        add(arguments, RUN_DIR, runDir);
        return arguments;
    }

    private static void add(List<String> arguments, String name, @Nullable String value) {
        if (value != null) {
            arguments.addAll(List.of(name, value));
        }
    }

    /**
     * Reads arguments of the Spark job.
     *
     * @param arguments the options and, in any place, what is not an option
     * @param rest is given what is not an option
     * @throws IllegalArgumentException for what is no option and no number, or if it is not said what to do; with a message
     *     for the user
     */
    public static DeleteOptions parse(List<String> arguments, List<String> rest) {
        Boolean execute = null;
        String where = null;
        Long beforeMs = null;
        String column = null;
        boolean purge = false;
        boolean inParts = false;
        long bandwidth = 0;
        long parallelism = 0;
        String runDir = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case DRY_RUN, EXECUTE -> execute = one(execute, name.equals(EXECUTE));
                case WHERE -> where = Arguments.value(name, left);
                case BEFORE_MS -> beforeMs = Arguments.number(name, left, Long.MIN_VALUE);
                case COLUMN -> column = Arguments.value(name, left);
                case PURGE -> purge = true;
                case IN_PARTS -> inParts = true;
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case RUN_DIR -> runDir = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException("'" + name + "' is no option of a delete; the options are "
                                + String.join(
                                        ", ", DRY_RUN, EXECUTE, WHERE, BEFORE_MS, COLUMN, PURGE, IN_PARTS, BANDWIDTH)
                                + ", " + PARALLELISM + " and " + RUN_DIR);
                    }
                    rest.add(name);
                }
            }
        }
        if (execute == null) {
            throw new IllegalArgumentException("it is not said what to do; name one of " + DRY_RUN + " and " + EXECUTE);
        }
        return new DeleteOptions(
                execute,
                where,
                beforeMs,
                column,
                purge,
                inParts,
                bandwidth,
                (int) Math.min(Integer.MAX_VALUE, parallelism),
                runDir);
    }

    private static boolean one(@Nullable Boolean before, boolean execute) {
        if (before != null && before != execute) {
            throw new IllegalArgumentException(DRY_RUN + " and " + EXECUTE + " exclude each other; name one of them");
        }
        return execute;
    }
}
