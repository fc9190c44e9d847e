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
package org.hadoopmpsr.benchmarks.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentTimesTest {

    @TempDir
    private Path dir;

    @Test
    void writesDownEveryHundredthAtOnce() throws Exception {
        Path file = dir.resolve("sent");
        long before = System.currentTimeMillis();
        try (SentTimes times = new SentTimes(file)) {
            for (long number = 0; number < 250; number++) {
                times.sending(number);
            }
            List<String> lines = Files.readAllLines(file);
            assertThat(lines).extracting(line -> line.split(" ")[0]).containsExactly("0", "100", "200");
            assertThat(lines)
                    .allSatisfy(line -> assertThat(Long.parseLong(line.split(" ")[1]))
                            .isBetween(before, System.currentTimeMillis()));
        }
    }
}
