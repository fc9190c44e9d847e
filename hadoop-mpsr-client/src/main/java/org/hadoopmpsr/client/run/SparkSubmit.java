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
package org.hadoopmpsr.client.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command line that starts a Spark job with the user's own Spark. */
public final class SparkSubmit {
    private static final String JAR = "share/spark/mpsr-spark-connector.jar";

    private SparkSubmit() {}

    /**
     * The command line.
     *
     * @param program see {@link #program}
     * @param jar see {@link #jar}
     * @param sparkOptions options of {@code spark-submit}, such as {@code --master yarn}
     * @param arguments the options of the job
     * @param datasets the datasets' directories, with the scheme
     */
    public static List<String> command(
            Path program,
            Path jar,
            List<String> sparkOptions,
            JobKind kind,
            List<String> arguments,
            List<String> datasets) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--class", kind.jobClass()));
        // a session's configuration may name the jar as well, and Spark warns of a jar that comes twice
        command.addAll(List.of("--conf", "spark.jars="));
        command.addAll(sparkOptions);
        command.add(jar.toString());
        command.addAll(arguments);
        command.addAll(datasets);
        return command;
    }

    /**
     * Spark's {@code spark-submit}: that of {@code SPARK_HOME}, or else the first one of {@code PATH}.
     *
     * @throws IOException if there is none
     */
    public static Path program(Map<String, String> environment) throws IOException {
        String home = environment.get("SPARK_HOME");
        if (home != null && !home.isBlank()) {
            Path program = Path.of(home, "bin", "spark-submit");
            if (Files.isExecutable(program)) {
                return program;
            }
            throw new IOException("SPARK_HOME is '" + home
                    + "', where there is no bin/spark-submit; set it to the directory" + " of Spark 4.1");
        }
        for (String directory : environment.getOrDefault("PATH", "").split(":")) {
            Path program = Path.of(directory, "spark-submit");
            if (!directory.isEmpty() && Files.isExecutable(program)) {
                return program;
            }
        }
        throw new IOException(
                "there is no Spark to run the job: SPARK_HOME is not set, and PATH has no spark-submit; set"
                        + " SPARK_HOME to the directory of Spark 4.1");
    }

    /**
     * The jar of the job: the one that is named, or that of the distribution whose commands run.
     *
     * @param named or null
     * @param commands the jar, or the directory, of the commands' classes; null if it is unknown
     * @throws IOException if there is none
     */
    public static Path jar(@Nullable Path named, Map<String, String> environment, @Nullable Path commands)
            throws IOException {
        if (named != null) {
            if (Files.isRegularFile(named)) {
                return named;
            }
            throw new IOException("there is no file '" + named + "'; name the distribution's " + JAR + " with --jar");
        }
        List<Path> places = new ArrayList<>();
        String home = environment.get("MPSR_HOME");
        if (home != null && !home.isBlank()) {
            places.add(Path.of(home, JAR));
        }
        // share/mpsr/<jar>
        for (Path up = commands; up != null; up = up.getParent()) {
            if (up.getFileName() != null && up.getFileName().toString().equals("share") && up.getParent() != null) {
                places.add(up.getParent().resolve(JAR));
            }
        }
        for (Path place : places) {
            if (Files.isRegularFile(place)) {
                return place;
            }
        }
        throw new IOException("the jar of the job is missing (looked for: " + places
                + "); unpack the tarball mpsr-spark-<spark>_<scala> for your Spark beside mpsr-hadoop, set MPSR_HOME to"
                + " the directory that it unpacks to, or name its " + JAR + " with --jar");
    }
}
