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
package org.hadoopmpsr.core.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeadRangeTest {
    @Test
    void holdsTheFilesRecordsAndNoneOfTheOthers() {
        int[] found = {0};
        Seeds.forAll(5000, random -> {
            List<List<@Nullable Object>> files = new ArrayList<>();
            List<FileStatistics> statistics = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                files.add(values(random));
                statistics.add(statistics(files.get(i), random.nextInt(8) == 0));
            }
            Optional<LeadRange> range = LeadRange.alone(statistics.get(0), statistics.subList(1, files.size()), "lead");
            range.ifPresent(its -> {
                found[0]++;
                assertThat(files.get(0)).allMatch(its::holds);
                files.subList(1, files.size())
                        .forEach(other -> assertThat(other).noneMatch(its::holds));
            });
        });
        assertThat(Long.getLong("mpsr.seed") != null || found[0] > 2000)
                .as("found: %d", found[0])
                .isTrue();
    }

    private static List<@Nullable Object> values(Random random) {
        List<@Nullable Object> values = new ArrayList<>();
        long first = random.nextInt(6);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            values.add(random.nextInt(6) == 0 ? null : Long.valueOf(first + random.nextInt(2)));
        }
        return values;
    }

    private static FileStatistics statistics(List<@Nullable Object> values, boolean isUnknown) {
        List<Long> present = values.stream()
                .filter(Long.class::isInstance)
                .map(Long.class::cast)
                .sorted()
                .toList();
        ColumnStatistics column = isUnknown
                ? ColumnStatistics.UNKNOWN
                : new ColumnStatistics(
                        present.isEmpty() ? null : present.get(0),
                        present.isEmpty() ? null : present.get(present.size() - 1),
                        values.size() - present.size());
        return new FileStatistics("c", new ContentHash(values.size(), 0, 0), List.of(), Map.of("lead", column));
    }

    @Test
    void aFileThatIsAloneNeedsNoStatistics() {
        FileStatistics unknown = new FileStatistics("c", ContentHash.EMPTY, List.of(), Map.of());
        assertThat(LeadRange.alone(unknown, List.of(), null)).contains(LeadRange.ALL);
        assertThat(LeadRange.alone(unknown, List.of(unknown), null)).isEmpty();
    }
}
