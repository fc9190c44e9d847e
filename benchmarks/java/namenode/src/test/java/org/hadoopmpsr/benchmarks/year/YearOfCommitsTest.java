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
package org.hadoopmpsr.benchmarks.year;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YearOfCommitsTest {
    @Test
    void aYearIsInFewFiles() {
        Year year = new Year();
        while (year.days() < 365) {
            year.passDay();
        }

        assertThat(year.mostFiles()).isLessThan(1_000_000);
        assertThat(year.rewrites()).isLessThan(8);
        Map<Integer, Integer> segmentsByDay = new HashMap<>();
        year.segments()
                .forEach(segment ->
                        year.bytesByDay(segment).keySet().forEach(day -> segmentsByDay.merge(day, 1, Integer::sum)));
        assertThat(segmentsByDay.values()).as("segments of a day").allMatch(n -> n < 40);
        assertThat(segmentsByDay.get(100))
                .as("segments that have records of a day in the past")
                .isLessThanOrEqualTo(3);
    }
}
