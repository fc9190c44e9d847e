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
package org.hadoopmpsr.client.delete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeleteOptionsTest {
    private static DeleteOptions parse(String... arguments) {
        return DeleteOptions.parse(List.of(arguments), new ArrayList<>());
    }

    @Test
    void theJobReadsWhatTheCommandWrites() {
        for (DeleteOptions options : List.of(
                new DeleteOptions(true, "signal = 'X'", null, null, true, true, 7, 3, "/runs"),
                new DeleteOptions(false, null, -5L, "time", false, false, 0, 0, null))) {
            List<String> datasets = new ArrayList<>();
            List<String> arguments = new ArrayList<>(options.toArguments());
            arguments.add("/d");
            assertThat(DeleteOptions.parse(arguments, datasets)).isEqualTo(options);
            assertThat(datasets).containsExactly("/d");
        }
    }

    @Test
    void wrongArgumentsAreExplained() {
        assertThatThrownBy(() -> parse("--where", "true"))
                .hasMessage("it is not said what to do; name one of --dry-run and --execute");
        assertThatThrownBy(() -> parse("--where", "true", "--dry-run", "--execute"))
                .hasMessage("--dry-run and --execute exclude each other; name one of them");
        assertThatThrownBy(() -> parse("--execute"))
                .hasMessage("it is not said which records go; give either --where or --before-ms");
        assertThatThrownBy(() -> parse("--execute", "--where", "true", "--before-ms", "1"))
                .hasMessage("it is not said which records go; give either --where or --before-ms");
        assertThatThrownBy(() -> parse("--execute", "--where", " ")).hasMessageStartingWith("--where is empty;");
        assertThatThrownBy(() -> parse("--execute", "--where", "true", "--column", "a"))
                .hasMessage("--column says where times are; give it with --before-ms");
        assertThatThrownBy(() -> parse("--dry-run", "--where", "true", "--purge"))
                .hasMessage("--purge deletes files; give it with --execute");
        assertThatThrownBy(() -> parse("--execute", "--all"))
                .hasMessageStartingWith("'--all' is no option of a delete; the options are --dry-run, --execute");
    }
}
