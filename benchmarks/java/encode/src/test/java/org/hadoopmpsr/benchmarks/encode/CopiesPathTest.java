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
import org.junit.jupiter.api.Test;

class CopiesPathTest {
    @Test
    void allGroupsHoldTheRecordsInEachForm() {
        List<String> lines = Printed.lines(
                new CopiesPath(), "--records", "20000", "--farm-records", "20000", "--rounds", "1", "--warm-up", "0");
        assertThat(lines)
                .as("two sets of records in three groups and five forms")
                .hasSize(30)
                .allSatisfy(line -> assertThat(line).contains("\"records\": 20000,", "\"exact\": true"));
        assertThat(lines.stream().filter(line -> line.contains("\"form\": \"stock\"")))
                .hasSize(6);
    }
}
