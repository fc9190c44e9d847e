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

class CodecPathTest {
    @Test
    void eachSetOfValuesIsWrittenAtEachRate() {
        List<String> lines =
                Printed.lines(new CodecPath(), "--values", "25000", "--passes", "2", "--rounds", "1").stream()
                        .filter(line -> line.contains("\"kind\": \"codec\""))
                        .toList();
        assertThat(lines).as("three sets of values at seven rates").hasSize(21);
        assertThat(lines.get(0)).contains("\"data\": \"lhb\", \"mbPerSecond\": 5,");
        assertThat(lines.get(20)).contains("\"data\": \"lorenz96\", \"mbPerSecond\": 1500,");
    }
}
