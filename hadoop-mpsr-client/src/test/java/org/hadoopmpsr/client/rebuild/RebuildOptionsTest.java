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
package org.hadoopmpsr.client.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.rebuild.Damage;
import org.junit.jupiter.api.Test;

class RebuildOptionsTest {
    private static Damage damage(String group, boolean due) {
        return new Damage("s", group, false, Map.of(), 0, due, ContentHash.EMPTY, ContentHash.EMPTY, false, List.of());
    }

    @Test
    void theJobReadsWhatTheCommandWrites() {
        RebuildOptions options = new RebuildOptions(List.of("a", "b"), true, 5, 2, "/runs");
        List<String> rest = new ArrayList<>();
        List<String> arguments = new ArrayList<>(options.toArguments());
        arguments.add(0, "hdfs://n/d");
        assertThat(RebuildOptions.parse(arguments, rest)).isEqualTo(options);
        assertThat(rest).containsExactly("hdfs://n/d");
        assertThat(RebuildOptions.DEFAULT.toArguments()).isEmpty();
        assertThatThrownBy(() -> RebuildOptions.parse(List.of("--all"), rest))
                .hasMessageStartingWith("'--all' is no option of a rebuild; the options are --group,");
        assertThatThrownBy(() -> RebuildOptions.parse(List.of("--group"), rest))
                .hasMessage("the option --group lacks its value");
        assertThatThrownBy(() -> RebuildOptions.parse(List.of("--bandwidth", "5m"), rest))
                .hasMessage("the option --bandwidth has the value '5m', which is no whole number from 0");
    }

    @Test
    void groupsAndAgeChoose() {
        assertThat(RebuildOptions.DEFAULT.wants(damage("a", false))).isTrue();
        RebuildOptions some = new RebuildOptions(List.of("a"), true, 0, 0, null);
        assertThat(some.wants(damage("a", true))).isTrue();
        assertThat(some.wants(damage("a", false))).isFalse();
        assertThat(some.wants(damage("b", true))).isFalse();
    }
}
