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
package org.hadoopmpsr.client.tune;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.run.Arguments;
import org.hadoopmpsr.core.tune.Feature;
import org.hadoopmpsr.core.tune.Tuning;
import org.jspecify.annotations.Nullable;

/**
 * What prescribing settings is asked to do, as arguments of the Spark job. Immutable.
 *
 * @param train a local directory of measured runs
 * @param depth the most questions of a rule
 * @param folds of the validation
 * @param seed divides the workloads into folds
 * @param features of the workload to prescribe settings for, by their names; none for rules alone
 * @param html a local file that gets the report as a page, or null
 */
public record TuneOptions(
        String train,
        int depth,
        int folds,
        long seed,
        Map<String, Double> features,
        @Nullable String html) {
    public static final String TRAIN = "--train";
    public static final String DEPTH = "--depth";
    public static final String FOLDS = "--folds";
    public static final String SEED = "--seed";
    public static final String FEATURE = "--feature";
    public static final String HTML = "--html";
    public static final String USUAL_DEPTH = "4";
    public static final String USUAL_FOLDS = "5";
    public static final String USUAL_SEED = "1";

    /** @throws IllegalArgumentException for what is not possible, with a message for the user */
    public TuneOptions {
        Tuning.check(depth, folds);
        features.keySet().forEach(Feature::of);
        features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(TRAIN, train));
        arguments.addAll(List.of(DEPTH, Integer.toString(depth), FOLDS, Integer.toString(folds)));
        arguments.addAll(List.of(SEED, Long.toString(seed)));
        features.forEach((name, value) -> arguments.addAll(List.of(FEATURE, name + "=" + value)));
        if (html != null) {
            arguments.addAll(List.of(HTML, html));
        }
        return arguments;
    }

    /**
     * Reads arguments of the Spark job.
     *
     * @throws IllegalArgumentException for what is no option, and for values that are not possible, with a message for the user
     */
    public static TuneOptions parse(List<String> arguments) {
        String train = null;
        long depth = Long.parseLong(USUAL_DEPTH);
        long folds = Long.parseLong(USUAL_FOLDS);
        long seed = Long.parseLong(USUAL_SEED);
        Map<String, Double> features = new LinkedHashMap<>();
        String html = null;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case TRAIN -> train = Arguments.value(name, left);
                case DEPTH -> depth = Arguments.number(name, left, 1);
                case FOLDS -> folds = Arguments.number(name, left, 1);
                case SEED -> seed = Arguments.number(name, left, Long.MIN_VALUE);
                case FEATURE -> addFeature(Arguments.value(name, left), features);
                case HTML -> html = Arguments.value(name, left);
                default -> throw new IllegalArgumentException("there is no option '" + name + "'");
            }
        }
        if (train == null) {
            throw new IllegalArgumentException("the option " + TRAIN + " is missing");
        }
        return new TuneOptions(
                train,
                (int) Math.min(Integer.MAX_VALUE, depth),
                (int) Math.min(Integer.MAX_VALUE, folds),
                seed,
                features,
                html);
    }

    /**
     * Adds a feature.
     *
     * @param text {@code name=number}
     * @throws IllegalArgumentException if it is something else, with a message for the user
     */
    public static void addFeature(String text, Map<String, Double> features) {
        int at = text.indexOf('=');
        try {
            if (at > 0) {
                features.put(Feature.of(text.substring(0, at)).key(), Double.valueOf(text.substring(at + 1)));
                return;
            }
        } catch (NumberFormatException e) { // said below
        }
        throw new IllegalArgumentException(
                FEATURE + " '" + text + "' is no feature with a number, such as bandwidth=100");
    }
}
