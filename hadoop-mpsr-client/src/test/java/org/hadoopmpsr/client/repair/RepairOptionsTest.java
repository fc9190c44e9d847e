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
package org.hadoopmpsr.client.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.repair.RepairOptions.Deed;
import org.junit.jupiter.api.Test;

class RepairOptionsTest {
    @Test
    void theJobReadsWhatTheCommandWrites() {
        for (Deed deed : Deed.values()) {
            RepairOptions options = new RepairOptions(deed, List.of("signal"), 7, 100, 3, "/runs");
            List<String> datasets = new ArrayList<>();
            List<String> arguments = new ArrayList<>(options.toArguments());
            arguments.add("/d");
            assertThat(RepairOptions.parse(arguments, datasets)).isEqualTo(options);
            assertThat(datasets).containsExactly("/d");
        }
        assertThat(new RepairOptions(Deed.DRY_RUN, List.of(), RepairOptions.EXAMPLES, 0, 0, null).toArguments())
                .containsExactly("--dry-run");
    }

    @Test
    void wrongArgumentsAreExplained() {
        assertThatThrownBy(() -> RepairOptions.parse(List.of("/d"), new ArrayList<>()))
                .hasMessageStartingWith("it is not said what to do; name one of --dry-run, --execute");
        assertThatThrownBy(() -> RepairOptions.parse(List.of("--dry-run", "--execute"), new ArrayList<>()))
                .hasMessage("--dry-run and --execute exclude each other; name one of them");
        assertThatThrownBy(() -> RepairOptions.parse(List.of("--dry-run", "--examples", "1001"), new ArrayList<>()))
                .hasMessage("--examples is 1001; show at most 1000 records of a segment");
        assertThatThrownBy(() ->
                        RepairOptions.parse(List.of("--accept", "--group", "a", "--group", "b"), new ArrayList<>()))
                .hasMessage("--group names [a, b]; what one group has is accepted: name one of them");
        assertThatThrownBy(() -> RepairOptions.parse(List.of("--dry-run", "--all"), new ArrayList<>()))
                .hasMessageStartingWith("'--all' is no option of a repair; the options are --dry-run, --execute");
    }
}
