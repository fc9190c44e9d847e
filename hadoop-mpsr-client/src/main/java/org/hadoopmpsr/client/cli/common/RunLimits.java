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
package org.hadoopmpsr.client.cli.common;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for what a run of a Spark job takes of the cluster. */
public final class RunLimits {
    @Option(
            names = "--bandwidth",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = Bytes.class,
            description = "The most bytes that all tasks of a run together read in a second, such as 50m. Default: no"
                    + " limit.")
    private long bandwidth;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            converter = Tasks.class,
            description = "The most tasks of a run at a time. Default: as many as Spark has cores.")
    private @Nullable Integer parallelism;

    private static final class Tasks implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int tasks = Integer.parseInt(text);
                if (tasks >= 1) {
                    return tasks;
                }
            } catch (NumberFormatException e) { // said below
            }
            throw new TypeConversionException("'" + text + "' is no number of tasks; give one from 1, or leave it out");
        }
    }

    /** Bytes per second; 0 for no limit. */
    public long bandwidth() {
        return bandwidth;
    }

    /** A number of tasks; 0 for no limit. */
    public int parallelism() {
        return parallelism == null ? 0 : parallelism;
    }
}
