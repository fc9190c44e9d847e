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
package org.hadoopmpsr.benchmarks.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ValuePathTest {
    private static final Pattern LEVEL =
            Pattern.compile("\"kind\": \"level\".*\"error\": ([^,]+), \"greatest\": ([^,]+),");

    @Test
    void everyValueIsReadAsItWasWritten() {
        List<String> lines = Printed.lines(
                new ValuePath(), "--values", "50000", "--farm-values", "50000", "--rounds", "1", "--warm-up", "0");
        List<String> values = lines.stream()
                .filter(line -> line.contains("\"kind\": \"values\""))
                .toList();
        assertThat(values)
                .allSatisfy(line -> assertThat(line).contains("\"exact\": true"))
                .anySatisfy(line -> assertThat(line).contains("\"data\": \"lorenz96\"", "\"form\": \"mpsr\""));
        assertThat(values.stream().filter(line -> line.contains("\"plain\"") || line.contains("\"mpsr\"")))
                .as("three sets of values, in three orders, in two forms")
                .hasSize(18);
        List<MatchResult> levels =
                lines.stream().flatMap(line -> LEVEL.matcher(line).results()).toList();
        assertThat(levels).as("levels of transforms").hasSize(lines.size() - values.size());
        assertThat(levels)
                .allSatisfy(level -> assertThat(Double.parseDouble(level.group(2)))
                        .as(level.group())
                        .isLessThanOrEqualTo(Double.parseDouble(level.group(1))));
        assertThat(levels)
                .anySatisfy(
                        level -> assertThat(Double.parseDouble(level.group(2))).isPositive());
    }
}
