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
package org.hadoopmpsr.client.survey;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.client.run.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * What a survey of directory trees is asked to do. As arguments of the Spark job, which reads numbers only. Immutable.
 *
 * @param sample how many files are looked at by number, and how many draws there are by size; 0 for as many as the precision needs
 * @param precision half the width of the intervals of shares, in percent
 * @param confidence how often the intervals hold the truth, in percent; above 0 and below 100
 * @param seed the same seed looks at the same files of the same tree
 * @param chunkBytes how many bytes of a file are compressed by trial
 * @param codecs whether bytes are compressed by trial
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param html a local file that gets the report as a page, or null
 */
public record TreeSurveyOptions(
        int sample,
        double precision,
        double confidence,
        long seed,
        int chunkBytes,
        boolean codecs,
        long bandwidth,
        int parallelism,
        @Nullable String html) {
    public static final String SAMPLE = "--sample";
    public static final String PRECISION = "--precision";
    public static final String CONFIDENCE = "--confidence";
    public static final String SEED = "--seed";
    public static final String CHUNK = "--chunk";
    public static final String NO_CODECS = "--no-codecs";
    public static final String HTML = "--html";
    private static final String BANDWIDTH = "--bandwidth";
    private static final String PARALLELISM = "--parallelism";

    /** Without any wish. */
    public static final TreeSurveyOptions DEFAULT = new TreeSurveyOptions(0, 2, 95, 1, 1 << 20, true, 0, 0, null);

    /** The most files that are looked at by number, and the most draws by size. */
    public static final int MOST_SAMPLE = 1_000_000;

    /** The largest chunk. */
    public static final int MOST_CHUNK = 64 << 20;

    public TreeSurveyOptions {
        if (sample < 0 || sample > MOST_SAMPLE) {
            throw new IllegalArgumentException(SAMPLE + " is " + sample + "; give a number from 1 to " + MOST_SAMPLE);
        }
        if (!(precision > 0 && precision <= 50)) {
            throw new IllegalArgumentException(PRECISION + " is " + precision + "; give percents above 0, up to 50");
        }
        if (!(confidence > 0 && confidence < 100)) {
            throw new IllegalArgumentException(
                    CONFIDENCE + " is " + confidence + "; give percents between 0 and 100, such as 95");
        }
        if (chunkBytes < 1 << 10 || chunkBytes > MOST_CHUNK) {
            throw new IllegalArgumentException(CHUNK + " is " + chunkBytes + "; give bytes from 1k to 64m");
        }
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        Arguments.add(arguments, SAMPLE, sample, 0);
        arguments.addAll(List.of(PRECISION, Double.toString(precision), CONFIDENCE, Double.toString(confidence)));
        Arguments.add(arguments, SEED, seed, DEFAULT.seed);
        Arguments.add(arguments, CHUNK, chunkBytes, DEFAULT.chunkBytes);
        if (!codecs) {
            arguments.add(NO_CODECS);
        }
        Arguments.add(arguments, BANDWIDTH, bandwidth, 0);
        Arguments.add(arguments, PARALLELISM, parallelism, 0);
        if (html != null) {
            arguments.addAll(List.of(HTML, html));
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
    public static TreeSurveyOptions parse(List<String> arguments, List<String> rest) {
        long sample = DEFAULT.sample;
        double precision = DEFAULT.precision;
        double confidence = DEFAULT.confidence;
        long seed = DEFAULT.seed;
        long chunk = DEFAULT.chunkBytes;
        boolean codecs = true;
        long bandwidth = 0;
        long parallelism = 0;
        String html = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case SAMPLE -> sample = Arguments.number(name, left, 0);
                case PRECISION -> precision = percents(name, left);
                case CONFIDENCE -> confidence = percents(name, left);
                case SEED -> seed = Arguments.number(name, left, Long.MIN_VALUE);
                case CHUNK -> chunk = Arguments.number(name, left, 1);
                case NO_CODECS -> codecs = false;
                case BANDWIDTH -> bandwidth = Arguments.number(name, left, 0);
                case PARALLELISM -> parallelism = Arguments.number(name, left, 0);
                case HTML -> html = Arguments.value(name, left);
                default -> {
                    if (name.startsWith("--")) {
                        throw new IllegalArgumentException("there is no option '" + name + "'");
                    }
                    rest.add(name);
                }
            }
        }
        return new TreeSurveyOptions(
                (int) Math.min(Integer.MAX_VALUE, sample),
                precision,
                confidence,
                seed,
                (int) Math.min(Integer.MAX_VALUE, chunk),
                codecs,
                bandwidth,
                (int) Math.min(Integer.MAX_VALUE, parallelism),
                html);
    }

    private static double percents(String name, Iterator<String> left) {
        String text = Arguments.value(name, left);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the option " + name + " has the value '" + text + "', which is no number", e);
        }
    }
}
