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
package org.hadoopmpsr.spark.versions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;

/**
 * The versions of Spark and Scala that this jar is for. Written in Java, so that the class works with each version of Scala.
 */
public final class SparkOfJar {
    /** Each jar by the Spark and the Scala that it is for. */
    private static final List<Jar> JARS = List.of(
            new Jar("3.5", "2.12", "mpsr-spark-3.5_2.12"),
            new Jar("3.5", "2.13", "mpsr-spark-3.5_2.13"),
            new Jar("4.0", "2.13", "mpsr-spark-4.0_2.13"),
            new Jar("4.1", "2.13", "mpsr-spark-connector"),
            new Jar("4.2", "2.13", "mpsr-spark-4.2_2.13"),
            new Jar("4.3", "2.13", "mpsr-spark-4.2_2.13"));

    private final List<String> sparks;
    private final String scala;

    SparkOfJar(List<String> sparks, String scala) {
        this.sparks = sparks;
        this.scala = scala;
    }

    /** As the build of this jar says. */
    public static SparkOfJar read() {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(
                SparkOfJar.class.getResourceAsStream("jar.properties"), "jar.properties of MPSR")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new SparkOfJar(
                Arrays.asList(properties.getProperty("sparks", "").split(",")), properties.getProperty("scala", ""));
    }

    /**
     * Whether this Spark is one of those. If it is not, the log says once which jar is for it.
     *
     * @param spark such as 3.5.9, or what a vendor makes of it
     * @param scalaVersion such as 2.12.18
     */
    public boolean fits(String spark, String scalaVersion, Logger log) {
        Optional<String> problem = problem(spark, scalaVersion);
        problem.ifPresent(log::warn);
        return !problem.isPresent();
    }

    Optional<String> problem(String spark, String scalaVersion) {
        String runningSpark = line(spark);
        String runningScala = line(scalaVersion);
        if (sparks.contains(runningSpark) && scala.equals(runningScala)) {
            return Optional.empty();
        }
        String right = JARS.stream()
                .filter(jar -> jar.spark.equals(runningSpark) && jar.scala.equals(runningScala))
                .map(jar -> "Use the jar " + jar.name + " instead")
                .findFirst()
                .orElse("There is no jar of MPSR for this Spark");
        return Optional.of("MPSR does nothing in this session: its jar is for Spark " + String.join(" and ", sparks)
                + " with Scala " + scala + ", and this is Spark " + spark + " with Scala " + scalaVersion + ". "
                + right);
    }

    /** The first two numbers of a version. */
    private static String line(String version) {
        String[] parts = version.split("[^0-9]+", 3);
        return parts.length < 2 ? version : parts[0] + "." + parts[1];
    }

    private static final class Jar {
        private final String spark;
        private final String scala;
        private final String name;

        Jar(String spark, String scala, String name) {
            this.spark = spark;
            this.scala = scala;
            this.name = name;
        }
    }
}
