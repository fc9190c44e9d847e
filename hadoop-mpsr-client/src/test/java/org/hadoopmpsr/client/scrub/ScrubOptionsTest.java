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
package org.hadoopmpsr.client.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.scrub.ScrubSchedule;
import org.junit.jupiter.api.Test;

class ScrubOptionsTest {
    @Test
    void theJobReadsWhatTheTaskWrites() {
        ScrubOptions options = new ScrubOptions(true, List.of("s1", "s2"), 7, 1000, 5, 2, "/runs");
        List<String> rest = new ArrayList<>();
        List<String> arguments = new ArrayList<>(options.toArguments());
        arguments.add(0, "hdfs://n/d");
        assertThat(ScrubOptions.parse(arguments, rest)).isEqualTo(options);
        assertThat(rest).containsExactly("hdfs://n/d");
        assertThat(ScrubOptions.DEFAULT.toArguments()).isEmpty();
        assertThat(options.schedule()).isEqualTo(new ScrubSchedule(7 * 86_400_000L, 1000));
        assertThatThrownBy(() -> ScrubOptions.parse(List.of("--group"), rest))
                .hasMessageStartingWith("'--group' is no option of a scrub; the options are --all,");
        assertThatThrownBy(() -> ScrubOptions.parse(List.of("--period-days", "0"), rest))
                .hasMessageContaining("no whole number from 1");
    }
}
