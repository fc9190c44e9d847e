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
package org.hadoopmpsr.ingest.decode.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllowedPathsTest {
    private static final String OUTSIDE = "it is not below a directory that the system property mpsr.allowed.paths";

    @TempDir
    private Path dir;

    private Path allowed;
    private Path secret;

    @BeforeEach
    void make() throws IOException {
        allowed = Files.createDirectory(dir.resolve("allowed"));
        secret = Files.writeString(dir.resolve("secret"), "word");
    }

    private void assertRefused(Path path, String problem) {
        assertThat(new AllowedPaths("/none/such, " + allowed)
                        .problem(path.toString())
                        .orElseThrow())
                .startsWith(problem)
                .doesNotContain("word");
    }

    private void assertAllowed(Path path) {
        assertThat(new AllowedPaths("/none/such, " + allowed).problem(path.toString()))
                .isEmpty();
    }

    @Test
    void withoutThePropertyThereIsNoFile() {
        for (String none : new String[] {"", " , "}) {
            assertThat(new AllowedPaths(none).problem(secret.toString()).orElseThrow())
                    .startsWith("this worker lets connectors read no files")
                    .contains("-Dmpsr.allowed.paths=");
        }
    }

    @Test
    void whatLiesBelowIsAllowedAlsoIfItIsNotThere() throws IOException {
        assertAllowed(allowed);
        assertAllowed(allowed.resolve("none"));
        assertAllowed(Files.writeString(allowed.resolve("a.avsc"), "x"));
        assertAllowed(allowed.resolve("../allowed/./a.avsc"));
    }

    @Test
    void whatLiesElsewhereIsNotAndNobodyLearnsWhetherItIsThere() throws IOException {
        assertRefused(secret, OUTSIDE);
        assertRefused(dir.resolve("none"), OUTSIDE);
        assertRefused(allowed.resolve("../secret"), OUTSIDE);
        assertRefused(Files.createDirectory(dir.resolve("allowed2")), OUTSIDE);
        assertRefused(dir, OUTSIDE);
        assertRefused(Path.of("a.avsc"), "it is not an absolute path");
    }

    @Test
    void linksCountAsWhatTheyLeadTo() throws IOException {
        Path real = Files.writeString(allowed.resolve("real"), "x");
        assertAllowed(Files.createSymbolicLink(allowed.resolve("link"), real));
        assertRefused(Files.createSymbolicLink(allowed.resolve("out"), secret), "it is a link that leads out");
        assertRefused(
                Files.createSymbolicLink(allowed.resolve("up"), dir).resolve("secret"), "it is a link that leads out");
    }

    @Test
    void theDirectoryItselfMayBeALink() throws IOException {
        Path file = Files.writeString(allowed.resolve("file"), "x");
        Path link = Files.createSymbolicLink(dir.resolve("conf"), allowed);
        assertThat(new AllowedPaths(link.toString())
                        .problem(link.resolve("file").toString()))
                .isEmpty();
        assertThat(new AllowedPaths(link.toString()).problem(file.toString())).isPresent();
    }

    @Test
    void aRelativeDirectoryIsTheOperatorsMistake() {
        assertThatThrownBy(() -> new AllowedPaths("conf"))
                .hasMessage(
                        "the system property mpsr.allowed.paths of this worker names 'conf', which is not absolute");
    }
}
