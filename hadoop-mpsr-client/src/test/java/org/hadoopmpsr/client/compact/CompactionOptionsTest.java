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
package org.hadoopmpsr.client.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.compact.MergeRules;
import org.junit.jupiter.api.Test;

class CompactionOptionsTest {
    private static final CompactionOptions ALL = new CompactionOptions(8L << 30, -5, true, 1_000, 4, "/runs");

    private static CompactionOptions parse(String... arguments) {
        return CompactionOptions.parse(List.of(arguments), new ArrayList<>());
    }

    @Test
    void argumentsAreReadAsTheyAreWritten() {
        assertThat(CompactionOptions.DEFAULT.toArguments()).isEmpty();
        assertThat(parse()).isEqualTo(CompactionOptions.DEFAULT);
        List<String> arguments = new ArrayList<>(ALL.toArguments());
        arguments.add(2, "hdfs://n/cals/meas");
        List<String> rest = new ArrayList<>();
        assertThat(CompactionOptions.parse(arguments, rest)).isEqualTo(ALL);
        assertThat(rest).containsExactly("hdfs://n/cals/meas");
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThatThrownBy(() -> parse("--fast")).hasMessageStartingWith("'--fast' is no option of a compaction");
        assertThatThrownBy(() -> parse("--bandwidth")).hasMessage("the option --bandwidth lacks its value");
        assertThatThrownBy(() -> parse("--bandwidth", "-1"))
                .hasMessage("the option --bandwidth has the value '-1', which is no whole number from 0");
        assertThatThrownBy(() -> parse("--target-bytes", "8g"))
                .hasMessage("the option --target-bytes has the value '8g', which is no whole number from 1048576");
    }

    @Test
    void rulesFollowTheOptions() {
        MergeRules usual = CompactionOptions.DEFAULT.rules(128 << 20, 500);
        assertThat(usual).isEqualTo(MergeRules.of(128 << 20, 500));
        assertThat(usual.targetBytes()).isEqualTo(8L << 30);
        assertThat(ALL.rules(128 << 20, 500))
                .isEqualTo(MergeRules.of(128 << 20, 500)
                        .withTarget(8L << 30)
                        .before(-5)
                        .mergingAll());
    }

    @Test
    void timesAreDaysTimesOrAges() {
        long now = 1_795_629_600_000L;
        assertThat(BeforeTime.parse("1970-01-02", now)).isEqualTo(86_400_000);
        assertThat(BeforeTime.parse("1970-01-01T01:00:00+01:00", now)).isZero();
        assertThat(BeforeTime.parse("90m", now)).isEqualTo(now - 5_400_000);
        assertThat(BeforeTime.parse("2d", now)).isEqualTo(now - 172_800_000);
        for (String wrong : List.of("", "yesterday", "7", "-7d", "2026-13-01", "2026-11-24T06:00:00")) {
            assertThatThrownBy(() -> BeforeTime.parse(wrong, now))
                    .hasMessageStartingWith("'" + wrong + "' is no time; give a day such as 2026-11-24");
        }
    }
}
