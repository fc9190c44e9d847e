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
package org.hadoopmpsr.client.rollback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RollbackOptionsTest {
    private static RollbackOptions parse(String... arguments) {
        return RollbackOptions.parse(List.of(arguments), new ArrayList<>());
    }

    @Test
    void theJobReadsWhatTheCommandWrites() {
        for (RollbackOptions options :
                List.of(new RollbackOptions("before-import", 7, 3, "/runs"), new RollbackOptions("17", 0, 0, null))) {
            List<String> datasets = new ArrayList<>();
            List<String> arguments = new ArrayList<>(options.toArguments());
            arguments.add("/d");
            assertThat(RollbackOptions.parse(arguments, datasets)).isEqualTo(options);
            assertThat(datasets).containsExactly("/d");
        }
    }

    @Test
    void wrongArgumentsAreExplained() {
        assertThatThrownBy(() -> parse("--parallelism", "2"))
                .hasMessage("it is not said which state comes back; name it with --to");
        assertThatThrownBy(() -> parse("--to", "2026-13-40")).hasMessageStartingWith("'2026-13-40' names no state");
        assertThatThrownBy(() -> parse("--to", "1", "--purge"))
                .hasMessage("'--purge' is no option of a rollback; the options are --to, --bandwidth, --parallelism and"
                        + " --run-dir");
    }
}
