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
package org.hadoopmpsr.namenode.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists of the files of the page of pictures. */
class PictureFilesTest {
    private static final Path FOLDER = Path.of("src/main/resources/org/hadoopmpsr/namenode/explore");
    private static final Path OF_OTHERS = FOLDER.resolve("third-party");

    private static List<String> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .toList();
        }
    }

    @Test
    void ourFilesAreListed() throws IOException {
        List<String> own = below(FOLDER).stream()
                .filter(file -> !file.startsWith("third-party") && !file.equals("FILES") && !file.endsWith(".html"))
                .toList();
        assertThat(Files.readAllLines(FOLDER.resolve("FILES"))).containsExactlyInAnyOrderElementsOf(own);
    }

    @Test
    void filesOfOthersAreAsTheyCame() throws Exception {
        List<String> listed = Files.readAllLines(OF_OTHERS.resolve("SHA256SUMS"));
        assertThat(listed.stream().map(line -> line.substring(66)))
                .containsExactlyInAnyOrderElementsOf(below(OF_OTHERS).stream()
                        .filter(file -> !file.equals("SHA256SUMS"))
                        .toList());
        for (String line : listed) {
            byte[] bytes = Files.readAllBytes(OF_OTHERS.resolve(line.substring(66)));
            assertThat(HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
                    .as(line)
                    .isEqualTo(line.substring(0, 64));
        }
        try (Stream<Path> folders = Files.list(OF_OTHERS)) {
            assertThat(folders.filter(Files::isDirectory))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.resolve("LICENSE")).isNotEmptyFile());
        }
    }
}
