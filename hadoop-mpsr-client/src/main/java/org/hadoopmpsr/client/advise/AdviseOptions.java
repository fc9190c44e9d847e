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
package org.hadoopmpsr.client.advise;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of advice by a Spark job. As arguments of the job. Immutable.
 *
 * @param from the local file with the workload; null for what the NameNode has counted of a dataset
 * @param groups how many groups are wanted; 0 for as many as the cluster has
 * @param budget how many copies all groups may have together; 0 for those that the groups have
 * @param seed equal seeds give equal advice
 * @param files the most files whose ends are read
 * @param schema columns that take the place of those of the files, or come to them; null for none
 * @param measureBytes files of about so many bytes are read as a whole to learn what their records take in other groups; 0 for none
 * @param trialBytes so many bytes are written in the advised groups and read, to measure the gain; 0 for no trial
 * @param html the local file that gets the report with figures; null for none
 */
public record AdviseOptions(
        @Nullable String from,
        int groups,
        int budget,
        long seed,
        int files,
        @Nullable String schema,
        long measureBytes,
        long trialBytes,
        @Nullable String html) {
    public static final String FROM = "--from";
    public static final String GROUPS = "--groups";
    public static final String BUDGET = "--budget";
    public static final String SEED = "--seed";
    public static final String FILES = "--files";
    public static final String SCHEMA = "--schema";
    public static final String MEASURE = "--measure";
    public static final String VERIFY = "--verify";
    public static final String SAMPLE = "--sample";
    public static final String HTML = "--html";

    /** The bytes of files that are read as a whole unless the user says another number. */
    public static final long USUAL_MEASURE_BYTES = 64L << 20;

    /** The bytes of a trial unless the user says another number. */
    public static final long USUAL_TRIAL_BYTES = 256L << 20;

    /** How many files' ends are read unless the user says another number. */
    public static final int USUAL_FILES = 200;

    public AdviseOptions {
        if (files < 1) {
            throw new IllegalArgumentException(FILES + " is " + files + "; give a number from 1");
        }
        if (trialBytes == 0 && html != null) {
            throw new IllegalArgumentException(HTML + " shows what " + VERIFY + " measures; give both");
        }
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        add(arguments, FROM, from);
        Arguments.add(arguments, GROUPS, groups, 0);
        Arguments.add(arguments, BUDGET, budget, 0);
        Arguments.add(arguments, SEED, seed, 1);
        Arguments.add(arguments, FILES, files, USUAL_FILES);
        add(arguments, SCHEMA, schema);
        Arguments.add(arguments, MEASURE, measureBytes, USUAL_MEASURE_BYTES);
        if (trialBytes > 0) {
            arguments.add(VERIFY);
            Arguments.add(arguments, SAMPLE, trialBytes, USUAL_TRIAL_BYTES);
        }
        add(arguments, HTML, html);
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
     * @throws IllegalArgumentException for what is no option and no number, with a message for the user
     */
    public static AdviseOptions parse(List<String> arguments, List<String> rest) {
        String from = null;
        int groups = 0;
        int budget = 0;
        long seed = 1;
        int files = USUAL_FILES;
        String schema = null;
        long measureBytes = USUAL_MEASURE_BYTES;
        boolean verify = false;
        long trialBytes = USUAL_TRIAL_BYTES;
        String html = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case FROM -> from = Arguments.value(name, left);
                case GROUPS -> groups = whole(name, left);
                case BUDGET -> budget = whole(name, left);
                case SEED -> seed = Arguments.number(name, left, Long.MIN_VALUE);
                case FILES -> files = whole(name, left);
                case SCHEMA -> schema = Arguments.value(name, left);
                case MEASURE -> measureBytes = Arguments.number(name, left, 0);
                case VERIFY -> verify = true;
                case SAMPLE -> trialBytes = Arguments.number(name, left, 1);
                case HTML -> html = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("--")) {
                        throw new IllegalArgumentException("there is no option '" + name + "'");
                    }
                    rest.add(name);
                }
            }
        }
        return new AdviseOptions(
                from, groups, budget, seed, files, schema, measureBytes, verify ? trialBytes : 0, html);
    }

    private static int whole(String name, Iterator<String> left) {
        return (int) Math.min(Integer.MAX_VALUE, Arguments.number(name, left, 1));
    }
}
