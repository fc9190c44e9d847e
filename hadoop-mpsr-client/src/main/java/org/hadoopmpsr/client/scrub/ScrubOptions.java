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
package org.hadoopmpsr.client.scrub;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.scrub.ScrubSchedule;
import org.jspecify.annotations.Nullable;

/**
 * What a scrub is asked to do. As arguments of the Spark job, which reads numbers only. Immutable.
 *
 * @param all true to read all segments, also those that were read a short time ago
 * @param segments the ids of the segments to read, whether they are due or not; none for those that are
 * @param periodDays how long a segment may stay unread
 * @param maxBytes a run that does not read all ends after about so many bytes
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param runDir the directory of the runs' records, or null for {@link RunRecords}' default
 */
public record ScrubOptions(
        boolean all,
        List<String> segments,
        long periodDays,
        long maxBytes,
        long bandwidth,
        int parallelism,
        @Nullable String runDir) {
    private static final String ALL = "--all";
    private static final String SEGMENT = "--segment";
    private static final String PERIOD_DAYS = "--period-days";
    private static final String MAX_BYTES = "--max-bytes";
    private static final String BANDWIDTH = "--bandwidth";
    private static final String PARALLELISM = "--parallelism";
    private static final String RUN_DIR = "--run-dir";
    private static final long PERIOD = Long.parseLong(ConfigKeys.SCRUB_PERIOD_DAYS.defaultValue());

    /** Without any wish. */
    public static final ScrubOptions DEFAULT = new ScrubOptions(false, List.of(), PERIOD, Long.MAX_VALUE, 0, 0, null);

    public ScrubOptions {
        segments = List.copyOf(segments);
    }

    /** What a run reads, where it reads what is due. */
    public ScrubSchedule schedule() {
        return new ScrubSchedule(TimeUnit.DAYS.toMillis(periodDays), maxBytes);
    }

    /** The arguments of the Spark job; those of the default are left out. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        if (all) {
            arguments.add(ALL);
        }
        segments.forEach(segment -> arguments.addAll(List.of(SEGMENT, segment)));
        Arguments.add(arguments, PERIOD_DAYS, periodDays, PERIOD);
        Arguments.add(arguments, MAX_BYTES, maxBytes, Long.MAX_VALUE);
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
    public static ScrubOptions parse(List<String> arguments, List<String> rest) {
        boolean all = false;
        List<String> segments = new ArrayList<>();
        long periodDays = PERIOD;
        long maxBytes = Long.MAX_VALUE;
        long bandwidth = 0;
        long parallelism = 0;
        String runDir = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case ALL -> all = true;
                case SEGMENT -> segments.add(Arguments.value(name, left));
                case PERIOD_DAYS -> periodDays = Arguments.number(name, left, 1);
                case MAX_BYTES -> maxBytes = Arguments.number(name, left, 1);
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case RUN_DIR -> runDir = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException("'" + name + "' is no option of a scrub; the options are "
                                + String.join(
                                        ", ", ALL, SEGMENT, PERIOD_DAYS, MAX_BYTES, BANDWIDTH, PARALLELISM, RUN_DIR));
                    }
                    rest.add(name);
                }
            }
        }
        int tasks = (int) Math.min(Integer.MAX_VALUE, parallelism);
        return new ScrubOptions(all, segments, periodDays, maxBytes, bandwidth, tasks, runDir);
    }
}
