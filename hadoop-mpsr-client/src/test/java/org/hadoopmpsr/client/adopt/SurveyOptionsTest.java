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
package org.hadoopmpsr.client.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SurveyOptionsTest {
    private static final SurveyOptions ALL = new SurveyOptions(
            true, "timestamp timestamp_ns not null", 1 << 20, new AdoptOptions(true, 1_000, 4, "/runs"));
    private static final SurveyOptions DRY =
            new SurveyOptions(false, null, SurveyOptions.SAMPLE_BYTES, new AdoptOptions(false, 0, 0, null));

    private static SurveyOptions parse(String... arguments) {
        return SurveyOptions.parse(List.of(arguments), new ArrayList<>());
    }

    @Test
    void argumentsAreReadAsTheyAreWritten() {
        assertThat(DRY.toArguments()).containsExactly("--dry-run");
        assertThat(parse("--dry-run")).isEqualTo(DRY);
        List<String> arguments = new ArrayList<>(ALL.toArguments());
        arguments.add(1, "hdfs://n/archive/meas");
        List<String> rest = new ArrayList<>();
        assertThat(SurveyOptions.parse(arguments, rest)).isEqualTo(ALL);
        assertThat(rest).containsExactly("hdfs://n/archive/meas");
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThatThrownBy(() -> parse()).hasMessage("say either --dry-run or --execute");
        assertThatThrownBy(() -> parse("--dry-run", "--execute")).hasMessage("say either --dry-run or --execute");
        assertThatThrownBy(() -> parse("--execute", "--schema")).hasMessage("the option --schema lacks its value");
        assertThatThrownBy(() -> parse("--execute", "--fast"))
                .hasMessageStartingWith("'--fast' is no option of an adoption");
    }
}
