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
import org.hadoopmpsr.core.group.WantedGroup;
import org.jspecify.annotations.Nullable;

/**
 * How a directory with files becomes a dataset.
 *
 * @param execute false to say only what would become of it
 * @param schema columns that take the place of those of the files, or come to them; null for none
 * @param groups those that are not to be as configured, also the default group
 * @param sampleBytes the most bytes that a trial reads to foretell bytes and time; 0 for no trial
 * @param adoption how the files are adopted
 */
public record SurveyOptions(
        boolean execute, @Nullable String schema, List<WantedGroup> groups, long sampleBytes, AdoptOptions adoption) {
    public static final String EXECUTE = "--execute";
    public static final String DRY_RUN = "--dry-run";
    public static final String SCHEMA = "--schema";
    public static final String GROUP = "--group";
    public static final String SAMPLE = "--sample";

    /** The most bytes that a trial reads unless the user says another number. */
    public static final long SAMPLE_BYTES = 256L << 20;

    public SurveyOptions {
        groups = List.copyOf(groups);
    }

    /** With the groups that are configured. */
    public SurveyOptions(boolean execute, @Nullable String schema, long sampleBytes, AdoptOptions adoption) {
        this(execute, schema, List.of(), sampleBytes, adoption);
    }

    /** The arguments of the Spark job. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(execute ? EXECUTE : DRY_RUN));
        if (schema != null) {
            arguments.addAll(List.of(SCHEMA, schema));
        }
        groups.forEach(group -> arguments.addAll(List.of(GROUP, group.text())));
        Arguments.add(arguments, SAMPLE, sampleBytes, SAMPLE_BYTES);
        arguments.addAll(adoption.toArguments());
        return arguments;
    }

    /**
     * Reads arguments of the Spark job.
     *
     * @param arguments the options and, in any place, what is not an option
     * @param rest is given what is not an option
     * @throws IllegalArgumentException for what is no option and no number, with a message for the user
     */
    public static SurveyOptions parse(List<String> arguments, List<String> rest) {
        boolean execute = false;
        boolean dry = false;
        String schema = null;
        List<WantedGroup> groups = new ArrayList<>();
        long sampleBytes = SAMPLE_BYTES;
        List<String> others = new ArrayList<>();
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String name = left.next();
            switch (name) {
                case EXECUTE -> execute = true;
                case DRY_RUN -> dry = true;
                case SCHEMA -> schema = Arguments.value(name, left);
                case GROUP -> groups.add(WantedGroup.parse(Arguments.value(name, left)));
                case SAMPLE -> sampleBytes = Arguments.number(name, left, 0);
                default -> others.add(name);
            }
        }
        if (execute == dry) {
            throw new IllegalArgumentException("say either " + DRY_RUN + " or " + EXECUTE);
        }
        return new SurveyOptions(execute, schema, groups, sampleBytes, AdoptOptions.parse(others, rest));
    }
}
