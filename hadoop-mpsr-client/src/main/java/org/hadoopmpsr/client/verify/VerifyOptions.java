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
package org.hadoopmpsr.client.verify;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * What a verification is asked to do. As arguments of the Spark job, which reads numbers only. Immutable.
 *
 * @param segments the ids of the segments to read; none for all
 * @param groups the replica groups to read; none for all
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param text true to print for people, false to print JSON
 * @param json a local file that gets the JSON too, or null
 */
public record VerifyOptions(
        List<String> segments,
        List<String> groups,
        long bandwidth,
        int parallelism,
        boolean text,
        @Nullable String json) {
    /** Without any wish. */
    public static final VerifyOptions DEFAULT = new VerifyOptions(List.of(), List.of(), 0, 0, false, null);

    private static final String SEGMENT = "--segment";
    private static final String GROUP = "--group";
    private static final String BANDWIDTH = "--bandwidth";
    private static final String PARALLELISM = "--parallelism";
    private static final String TEXT = "--text";
    private static final String JSON = "--json";

    public VerifyOptions {
        segments = List.copyOf(segments);
        groups = List.copyOf(groups);
    }

    /** The arguments of the Spark job; those of the default are left out. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        segments.forEach(segment -> arguments.addAll(List.of(SEGMENT, segment)));
        groups.forEach(group -> arguments.addAll(List.of(GROUP, group)));
        Arguments.add(arguments, BANDWIDTH, bandwidth, 0);
        Arguments.add(arguments, PARALLELISM, parallelism, 0);
        if (text) {
            arguments.add(TEXT);
        }
        if (json != null) {
            arguments.addAll(List.of(JSON, json));
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
    public static VerifyOptions parse(List<String> arguments, List<String> rest) {
        List<String> segments = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        long bandwidth = 0;
        long parallelism = 0;
        boolean text = false;
        String json = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case SEGMENT -> segments.add(Arguments.value(name, left));
                case GROUP -> groups.add(Arguments.value(name, left));
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case TEXT -> text = true;
                case JSON -> json = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("-")) {
                        throw new IllegalArgumentException("'" + name
                                + "' is no option of a verification; the options are "
                                + SEGMENT + ", " + GROUP + ", " + BANDWIDTH + ", " + PARALLELISM + ", " + TEXT + " and "
                                + JSON);
                    }
                    rest.add(name);
                }
            }
        }
        int tasks = (int) Math.min(Integer.MAX_VALUE, parallelism);
        return new VerifyOptions(segments, groups, bandwidth, tasks, text, json);
    }
}
