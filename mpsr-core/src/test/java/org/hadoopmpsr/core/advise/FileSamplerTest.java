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
package org.hadoopmpsr.core.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.core.advise.FileSampler.FileFacts;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.junit.jupiter.api.Test;

class FileSamplerTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final String WHAT = "-Dmpsr.seed=" + SEED;
    private static final Schema SCHEMA = Schema.parse("signal string, at bigint, value double");
    private static final int SIGNALS = 50;

    private static FileFacts file(String segment, long from, double least) {
        List<Object> signals = new ArrayList<>();
        for (int i = SIGNALS - 1; i >= 0; i--) {
            signals.add(signal(i));
        }
        return new FileFacts(
                segment,
                1_000,
                10_000,
                Map.of(
                        "signal", ColumnStatistics.of(signal(0), signal(SIGNALS - 1), 0),
                        "at", ColumnStatistics.of(from, from + 999, 0),
                        "value", ColumnStatistics.of(least, least + 100, 50)),
                Map.of("signal", signals));
    }

    private static String signal(int number) {
        return String.format("S%02d", number);
    }

    /** Records of the first file, whose values follow from the signals. */
    private static List<List<Object>> known() {
        Random random = new Random(SEED);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int number = random.nextInt(SIGNALS);
            Object value = i % 20 == 0 ? null : (Object) (2.0 * number + random.nextDouble());
            rows.add(Arrays.asList(signal(number), (long) i, value));
        }
        return rows;
    }

    private static List<List<Object>> sampled(List<List<Object>> known, int segment) {
        List<FileFacts> files = List.of(file("a", 0, 0), file("b", 5_000, 1_000));
        return FileSampler.sample(SCHEMA, List.of(files), known, 1_000, SEED).rows().stream()
                .filter(row -> row.segment() == segment)
                .map(DataSample.Row::values)
                .toList();
    }

    /** How far a value is from what its signal says, on average. */
    private static double distance(List<List<Object>> rows, double least) {
        return rows.stream()
                .filter(row -> row.get(2) != null)
                .mapToDouble(row -> Math.abs(
                        (double) row.get(2) - least - 2.0 * Integer.parseInt(((String) row.get(0)).substring(1))))
                .average()
                .orElseThrow();
    }

    @Test
    void columnsGoTogetherAsInTheKnownRecords() {
        List<List<Object>> known = known();
        List<List<Object>> first = sampled(known, 0);
        assertThat(first).as(WHAT).hasSizeBetween(450, 550);
        assertThat(distance(first, 0)).as("values as they are, %s", WHAT).isLessThan(1);
        List<List<Object>> second = sampled(known, 1);
        assertThat(second)
                .as(WHAT)
                .allMatch(row -> (long) row.get(1) >= 5_000 && (long) row.get(1) < 6_000)
                .allMatch(row -> row.get(2) == null || (double) row.get(2) >= 1_000 && (double) row.get(2) <= 1_100);
        assertThat(distance(second, 1_000))
                .as("values of the file in the order of those that are known, %s", WHAT)
                .isLessThan(5);
        assertThat(distance(sampled(List.of(), 1), 1_000))
                .as("of nothing, nothing comes")
                .isGreaterThan(20);
    }
}
