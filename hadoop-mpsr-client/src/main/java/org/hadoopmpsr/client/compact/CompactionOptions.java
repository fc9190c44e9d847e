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
package org.hadoopmpsr.client.compact;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.compact.MergeRules;
import org.jspecify.annotations.Nullable;

/**
 * What a compaction is asked to do. As arguments of the Spark job, which reads numbers only; the command reads sizes and
 * times as people write them.
 *
 * @param targetBytes the most bytes that a merged segment has in a replica group; 0 for the default
 * @param beforeMs only what was published before this time is merged, in milliseconds since the epoch;
 *     {@code Long.MAX_VALUE} for all
 * @param all to merge all that fits into the target, also where little is gained
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param runDir the directory of the runs' records, or null for {@link RunRecords}' default
 */
public record CompactionOptions(
        long targetBytes,
        long beforeMs,
        boolean all,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    /** Without any wish. */
    public static final CompactionOptions DEFAULT = new CompactionOptions(0, Long.MAX_VALUE, false, 0, 0, null);

    public static final String TARGET_BYTES = "--target-bytes";
    public static final String BEFORE = "--before-ms";
    public static final String ALL = "--all";
    public static final String BANDWIDTH = "--bandwidth";
    public static final String PARALLELISM = "--parallelism";
    public static final String RUN_DIR = "--run-dir";

    /** The rules of the merges, with these options. */
    public MergeRules rules(long blockBytes, int maxFiles) {
        MergeRules rules = MergeRules.of(blockBytes, maxFiles).before(beforeMs);
        MergeRules targeted = targetBytes > 0 ? rules.withTarget(targetBytes) : rules;
        return all ? targeted.mergingAll() : targeted;
    }

    /** The arguments of the Spark job; those of the default are left out. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        Arguments.add(arguments, TARGET_BYTES, targetBytes, 0);
        Arguments.add(arguments, BEFORE, beforeMs, Long.MAX_VALUE);
        if (all) {
            arguments.add(ALL);
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
    public static CompactionOptions parse(List<String> arguments, List<String> rest) {
        CompactionOptions options = DEFAULT;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            if (!name.startsWith("-")) {
                rest.add(name);
            } else {
                options = options.with(name, left);
            }
        }
        return options;
    }

    private CompactionOptions with(String name, Iterator<String> left) {
        return switch (name) {
            case TARGET_BYTES ->
                new CompactionOptions(
                        Arguments.number(name, left, MergeRules.LEAST_TARGET),
                        beforeMs,
                        all,
                        bandwidth,
                        parallelism,
                        runDir);
            case BEFORE ->
                new CompactionOptions(
                        targetBytes, Arguments.number(name, left, Long.MIN_VALUE), all, bandwidth, parallelism, runDir);
            case ALL -> new CompactionOptions(targetBytes, beforeMs, true, bandwidth, parallelism, runDir);
            case BANDWIDTH ->
                new CompactionOptions(targetBytes, beforeMs, all, Arguments.number(name, left, 0), parallelism, runDir);
            case PARALLELISM ->
                new CompactionOptions(
                        targetBytes,
                        beforeMs,
                        all,
                        bandwidth,
                        (int) Math.min(Integer.MAX_VALUE, Arguments.number(name, left, 0)),
                        runDir);
            case RUN_DIR ->
                new CompactionOptions(targetBytes, beforeMs, all, bandwidth, parallelism, Arguments.value(name, left));
            default ->
                throw new IllegalArgumentException(
                        "'" + name + "' is no option of a compaction; the options are " + TARGET_BYTES + ", " + BEFORE
                                + ", " + ALL + ", " + BANDWIDTH + ", " + PARALLELISM + " and " + RUN_DIR);
        };
    }
}
