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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkSubmitTest {
    @TempDir
    private Path directory;

    private Path file(String path) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    void sparkIsThatOfSparkHomeOrOfThePath() throws IOException {
        Path home = file("spark/bin/spark-submit");
        Path other = file("other/spark-submit");
        String path = directory.resolve("none") + ":" + directory.resolve("other");
        assertThat(SparkSubmit.program(
                        Map.of("SPARK_HOME", directory.resolve("spark").toString(), "PATH", path)))
                .isEqualTo(home);
        assertThat(SparkSubmit.program(Map.of("PATH", path))).isEqualTo(other);
        assertThatThrownBy(() -> SparkSubmit.program(Map.of("SPARK_HOME", "/nowhere", "PATH", path)))
                .hasMessage("SPARK_HOME is '/nowhere', where there is no bin/spark-submit; set it to the directory of"
                        + " Spark 4.1");
        assertThatThrownBy(() -> SparkSubmit.program(Map.of("PATH", "")))
                .hasMessageStartingWith("there is no Spark to run the job");
    }

    @Test
    void theJarIsTheDistributions() throws IOException {
        Path jar = file("mpsr/share/spark/mpsr-spark-connector.jar");
        Path commands = directory.resolve("mpsr/share/mpsr/client.jar");
        assertThat(SparkSubmit.jar(null, Map.of(), commands)).isEqualTo(jar);
        assertThat(SparkSubmit.jar(
                        null, Map.of("MPSR_HOME", directory.resolve("mpsr").toString()), null))
                .isEqualTo(jar);
        assertThat(SparkSubmit.jar(jar, Map.of(), null)).isEqualTo(jar);
        assertThatThrownBy(() -> SparkSubmit.jar(Path.of("/nowhere.jar"), Map.of(), commands))
                .hasMessage("there is no file '/nowhere.jar'; name the distribution's"
                        + " share/spark/mpsr-spark-connector.jar with --jar");
        assertThatThrownBy(() -> SparkSubmit.jar(null, Map.of(), null))
                .hasMessageStartingWith(
                        "the jar of the job is missing (looked for: []); unpack the tarball mpsr-spark-");
    }

    @Test
    void theUsersOptionsComeLastForSparkAndOursForTheJob() {
        assertThat(SparkSubmit.command(
                        Path.of("/s"),
                        Path.of("/j.jar"),
                        List.of("--master", "yarn"),
                        JobKind.COMPACT,
                        List.of("--all", "--parallelism", "2"),
                        List.of("hdfs://n/d")))
                .containsExactly(
                        "/s",
                        "--class",
                        "org.hadoopmpsr.spark.jobs.CompactDataset",
                        "--conf",
                        "spark.jars=",
                        "--master",
                        "yarn",
                        "/j.jar",
                        "--all",
                        "--parallelism",
                        "2",
                        "hdfs://n/d");
    }
}
