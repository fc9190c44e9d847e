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
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.core.advise.ColumnSize.Written;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class GroupSizesTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final Schema SCHEMA = Schema.parse("signal string, value double");
    private static final Layout BY_SIGNAL = new Layout(List.of(Predicate.parse("bucket(4, signal)")), List.of());
    private static final Layout BY_VALUE = new Layout(List.of(Predicate.parse("value")), List.of());

    private static ReplicaGroup group(Layout layout) {
        return new ReplicaGroup("g", layout.predicates(), layout.sort(), 1, Codec.parse("zstd"));
    }

    private static FileStatistics file(long rows, long signal, long value) {
        return new FileStatistics(
                "",
                new ContentHash(rows, 0, 0),
                List.of(),
                Map.of(
                        "signal", ColumnStatistics.UNKNOWN.withBytes(signal),
                        "value", ColumnStatistics.UNKNOWN.withBytes(value)));
    }

    private static DataSample sample() {
        Random random = new Random(SEED);
        List<DataSample.Row> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            rows.add(new DataSample.Row(0, List.of("s" + random.nextInt(20), random.nextDouble())));
        }
        return new DataSample(SCHEMA, 100_000, 2_000_000, Map.of("signal", 400_000.0, "value", 1_600_000.0), rows);
    }

    private static Map<String, Double> sums(GroupSizes sizes, Layout layout) {
        Map<String, Double> sums = new HashMap<>();
        for (DataFile file : new SampledFiles(sample(), group(layout), 1 << 30, sizes)
                .files()
                .files()) {
            sums.merge("files", 1.0, Double::sum);
            sums.merge("length", (double) file.length(), Double::sum);
            file.statistics()
                    .columns()
                    .forEach((name, column) -> sums.merge(name, (double) column.bytes(), Double::sum));
        }
        return sums;
    }

    @Test
    void theLineThroughShortAndLongFilesIsFoundAgain() {
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            long fixed = random.nextInt(10_000);
            long each = 1 + random.nextInt(50);
            long few = 1 + random.nextInt(1000);
            long many = few + few / 2 + 1;
            ColumnSize found = ColumnSize.through(
                    new Written(3, 3 * few, 3 * (fixed + each * few)),
                    new Written(7, 7 * many, 7 * (fixed + each * many)));
            assertThat(found.fileBytes())
                    .as("-Dmpsr.seed=" + SEED)
                    .isCloseTo(fixed, within(1e-6 * (1 + fixed + each * many)));
            assertThat(found.recordBytes())
                    .as("-Dmpsr.seed=" + SEED)
                    .isCloseTo(each, within(1e-6 * (1 + fixed + each)));
        }
    }

    @Test
    void filesOfOneLengthTellWhatRecordsTake() {
        assertThat(ColumnSize.through(new Written(2, 200, 1000), new Written(1, 110, 660)))
                .isEqualTo(new ColumnSize(0, 6));
        // long files with fewer bytes, and such that would have a negative part
        assertThat(ColumnSize.through(new Written(1, 100, 900), new Written(1, 300, 600)))
                .isEqualTo(new ColumnSize(0, 2));
        assertThat(ColumnSize.through(new Written(1, 300, 3000), new Written(1, 100, 10)))
                .isEqualTo(new ColumnSize(0, 10));
    }

    @Test
    void filesOfAMeasuredLayoutAreAsLongAsMeasured() {
        Map<String, ColumnSize> sizes =
                GroupSizes.of(List.of(file(1000, 150, 7000)), List.of(file(2000, 200, 14000)), Map.of("value", 0.5));
        assertThat(sizes).isEqualTo(Map.of("signal", new ColumnSize(100, 0.05), "value", new ColumnSize(0, 3.5)));
        Map<String, Double> found = sums(GroupSizes.NONE.with(BY_SIGNAL, sizes), BY_SIGNAL);
        assertThat(found.get("files")).isEqualTo(4);
        assertThat(found.get("signal")).isCloseTo(4 * 100 + 0.05 * 100_000, within(4.0));
        assertThat(found.get("value")).isCloseTo(3.5 * 100_000, within(4.0));
        assertThat(found.get("length")).isCloseTo(found.get("signal") + found.get("value"), within(4.0));
    }

    @Test
    void whatIsNotMeasuredTakesAsMuchAsTheFilesAsTheyLie() {
        Map<String, Double> found = sums(GroupSizes.NONE, BY_SIGNAL);
        assertThat(found.get("signal")).isCloseTo(400_000, within(4.0));
        assertThat(found.get("value")).isCloseTo(1_600_000, within(4.0));
        assertThat(found.get("length")).isCloseTo(2_000_000, within(4.0));
        // of a layout that nobody has measured the mean of the others, and of a column that is missing there as it lies
        GroupSizes one = GroupSizes.NONE.with(BY_VALUE, Map.of("value", new ColumnSize(0, 4)));
        assertThat(one.knows(BY_SIGNAL)).isFalse();
        Map<String, Double> other = sums(one, BY_SIGNAL);
        assertThat(other.get("signal")).isCloseTo(400_000, within(4.0));
        assertThat(other.get("value")).isCloseTo(400_000, within(4.0));
        assertThat(other.get("length")).isCloseTo(800_000, within(4.0));
    }

    @Test
    void filesThatAreReadAsAWholeAreAboutAsManyBytesAsWanted() {
        List<Long> lengths = List.of(10L, 20L, 30L, 20L, 10L, 30L, 20L, 20L);
        assertThat(DirectoryFiles.drawWhole(lengths, 80, SEED)).hasSize(4).doesNotHaveDuplicates();
        assertThat(DirectoryFiles.drawWhole(lengths, 1000, SEED)).hasSize(8);
        assertThat(DirectoryFiles.drawWhole(lengths, 6, SEED)).hasSize(1);
        assertThat(DirectoryFiles.drawWhole(lengths, 4, SEED)).isEmpty();
        assertThat(DirectoryFiles.drawWhole(lengths, 0, SEED)).isEmpty();
        assertThat(DirectoryFiles.drawWhole(List.of(), 9, SEED)).isEmpty();
    }
}
