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
package org.hadoopmpsr.client.cli.run;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.SparkSubmit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A Spark job, and the options for starting it. */
public final class SparkJob {
    @Option(
            names = "--spark-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "Options of spark-submit, separated by blanks, such as '--master yarn --num-executors 8'."
                    + " Default: those of spark-defaults.conf.")
    private String sparkOptions;

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "The jar of the job. Default: share/spark/mpsr-spark-connector.jar of the distribution.")
    private @Nullable Path jar;

    /**
     * Runs the job, which prints to where this process prints, until it ends.
     *
     * @param arguments the options of the job
     * @param datasets the datasets' directories, with the scheme
     * @return its exit code
     */
    public int run(JobKind kind, List<String> arguments, List<String> datasets, boolean json)
            throws IOException, InterruptedException {
        List<String> command = command(kind, arguments, datasets, List.of());
        if (json) {
            command.add("--json");
        }
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /**
     * The command line that starts the job.
     *
     * @param arguments the options of the job
     * @param datasets the datasets' directories, with the scheme
     * @param more options of {@code spark-submit}, before those that the user gives
     * @throws IOException if Spark or the jar is missing
     */
    public List<String> command(JobKind kind, List<String> arguments, List<String> datasets, List<String> more)
            throws IOException {
        List<String> given = new ArrayList<>(more);
        if (!sparkOptions.isBlank()) {
            given.addAll(List.of(sparkOptions.strip().split("\\s+")));
        }
        return new ArrayList<>(SparkSubmit.command(
                SparkSubmit.program(System.getenv()),
                SparkSubmit.jar(jar, System.getenv(), commands()),
                given,
                kind,
                arguments,
                datasets));
    }

    /** Where the classes of the commands are; null if that is unknown. */
    private static @Nullable Path commands() {
        CodeSource code = SparkJob.class.getProtectionDomain().getCodeSource();
        try {
            return code == null ? null : Path.of(code.getLocation().toURI());
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
