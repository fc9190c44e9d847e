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
package org.hadoopmpsr.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.AutoComplete;

/** The manual pages and the completion that the distribution ships. Written anew with {@code -Dmpsr.write=true}. */
class ShippedFilesTest {
    private static final Path SHARE = Path.of("../mpsr-dist/tarball/src/share");
    private static final Path PAGES = SHARE.resolve("man/man1");
    private static final Path COMPLETION = SHARE.resolve("bash-completion/completions/hdfs");

    private static final String HEAD = """
            # Completes what follows 'hdfs mpsr' in bash. Source this file in ~/.bashrc, or put it into a directory
            # bash-completion/completions of XDG_DATA_DIRS. Made by picocli; a test of hadoop-mpsr-client writes it anew.
            """;

    /** {@code hdfs} itself has no completion; ours completes what follows {@code hdfs mpsr}. */
    private static final String OF_HDFS = """

            # hdfs mpsr ...: as if the command line began with mpsr.
            function _complete_hdfs() {
              [[ "${COMP_CWORD}" -gt 1 && "${COMP_WORDS[1]}" == mpsr ]] || return 0
              local COMP_WORDS=("${COMP_WORDS[@]:1}") COMP_CWORD=$((COMP_CWORD - 1))
              _complete_mpsr
            }

            complete -F _complete_hdfs -o default hdfs
            """;

    private static String completion() {
        String script = AutoComplete.bash("mpsr", MpsrCommand.commandLine());
        String functions = script.substring(script.indexOf("\nif [ -n"));
        return HEAD + functions.replaceAll("(?m)^(complete -F .*|#.*)\\R", "").stripTrailing() + "\n" + OF_HDFS;
    }

    @Test
    void theManualPagesAreCurrent() throws IOException {
        Map<String, String> pages = ManPages.of(MpsrCommand.commandLine());
        assertThat(pages).containsKeys("hdfs-mpsr.1", "hdfs-mpsr-dataset-create.1", "hdfs-mpsr-groups-rebalance.1");
        for (Map.Entry<String, String> page : pages.entrySet()) {
            current(PAGES.resolve(page.getKey()), page.getValue());
        }
        try (Stream<Path> files = Files.list(PAGES)) {
            Set<String> names = files.map(f -> f.getFileName().toString()).collect(Collectors.toSet());
            assertThat(names).isEqualTo(pages.keySet());
        }
    }

    @Test
    void theCompletionIsCurrent() throws IOException {
        current(COMPLETION, completion());
    }

    private static void current(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("mpsr.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }
        assertThat(file).hasContent(expected);
    }

    @Test
    void whatFollowsHdfsMpsrIsCompleted(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("hdfs"), completion());
        Map<String, String> completed = new TreeMap<>();
        for (String words :
                new String[] {"hdfs mpsr data", "hdfs mpsr dataset cr", "hdfs mpsr groups --js", "hdfs df"}) {
            completed.put(words, complete(file, words));
        }
        assertThat(completed)
                .containsEntry("hdfs mpsr data", "dataset")
                .containsEntry("hdfs mpsr dataset cr", "create")
                .containsEntry("hdfs mpsr groups --js", "--json")
                .containsEntry("hdfs df", "");
    }

    /** What bash offers for the last word. */
    private static String complete(Path file, String words) throws Exception {
        String script = "source " + file + "; compopt() { :; }; COMP_WORDS=(" + words
                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_hdfs; echo \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(said).isZero();
        return said.trim();
    }
}
