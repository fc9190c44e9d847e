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
package org.hadoopmpsr.client.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifyOptionsTest {
    @Test
    void theJobReadsWhatTheCommandWrites() {
        VerifyOptions options = new VerifyOptions(List.of("s1", "s2"), List.of("a"), 5, 2, true, "/tmp/x.json");
        List<String> rest = new ArrayList<>();
        List<String> arguments = new ArrayList<>(options.toArguments());
        arguments.add(0, "hdfs://n/d");
        assertThat(VerifyOptions.parse(arguments, rest)).isEqualTo(options);
        assertThat(rest).containsExactly("hdfs://n/d");
        assertThat(VerifyOptions.DEFAULT.toArguments()).isEmpty();
        assertThatThrownBy(() -> VerifyOptions.parse(List.of("--all"), rest))
                .hasMessageStartingWith("'--all' is no option of a verification; the options are --segment,");
    }
}
