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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.CostModelTest;
import org.hadoopmpsr.core.cost.Work;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class WorkEstimateTest {
    private static final Schema SCHEMA =
            Schema.parse("signal string not null, n bigint not null, value double, unit string");
    private static final CostModel COSTS = CostModelTest.model(1, 1_000, 1);
    private static final ColumnStatistics SIGNALS = new ColumnStatistics("s0", "s9", 0, 10);
    private static final ColumnStatistics NUMBERS = new ColumnStatistics(0L, 999L, 0);

    /** A million rows in 100,000 bytes. */
    private static DataFile file(Map<String, ColumnStatistics> columns) {
        return file(1_000_000, 100_000, columns);
    }

    private static DataFile file(long rows, long length, Map<String, ColumnStatistics> columns) {
        return new DataFile(
                "/f", 1, length, 0, new FileStatistics("c", new ContentHash(rows, 0, 0), List.of(), columns));
    }

    private static DataFile divided() {
        return file(Map.of(
                "signal", SIGNALS.withBytes(100),
                "n", NUMBERS.withBytes(20_000),
                "value", ColumnStatistics.UNKNOWN.withBytes(70_000),
                "day", ColumnStatistics.UNKNOWN.withBytes(0)));
    }

    private static Work work(DataFile file, Filter filter, String... columns) {
        ReadRequest readRequest = new ReadRequest(filter, Set.of(columns));
        RowEstimate rows = new RowEstimate(keys(SCHEMA.columns().subList(0, 2)), new Conditions(filter));
        return new WorkEstimate(
                        SCHEMA,
                        readRequest.columns(),
                        new ColumnPrices(SCHEMA, ColumnTransforms.NONE, readRequest),
                        rows)
                .of(file);
    }

    private static double bytes(DataFile file, Filter filter, String... columns) {
        return work(file, filter, columns).bytes();
    }

    private static List<SortKey> keys(List<Column> columns) {
        return SortKey.of(columns.stream().map(Column::name).toList());
    }

    @Test
    void onlyColumnsThatAreAskedForCount() {
        assertThat(bytes(divided(), Filter.ALL, "SIGNAL")).isEqualTo(100);
        assertThat(bytes(divided(), Filter.ALL, "signal", "value")).isEqualTo(70_100);
        assertThat(bytes(divided(), Filter.ALL)).isZero();
        // named by a directory, or added to the schema later
        assertThat(bytes(divided(), Filter.ALL, "day", "unit")).isZero();
    }

    @Test
    void ofThoseColumnsThePagesThatAreLeft() {
        Filter one = new Filter.Compare(Operator.EQ, "signal", "s3");
        assertThat(bytes(divided(), one, "signal", "value")).isCloseTo(0.12 * 70_100, within(20.0));
    }

    @Test
    void ofAFileThatDoesNotSayAllColumnsAreAlike() {
        DataFile file = file(Map.of("signal", SIGNALS, "n", NUMBERS, "value", ColumnStatistics.UNKNOWN));
        assertThat(bytes(file, Filter.ALL, "n")).isCloseTo(100_000 / 3.0, within(1.0));
        assertThat(bytes(file, Filter.ALL, "signal", "n", "value")).isEqualTo(100_000);
        assertThat(bytes(file(Map.of()), Filter.ALL, "n")).isEqualTo(100_000);
    }

    @Test
    void theWholeFileCountsForAllColumns() {
        RowEstimate rows = new RowEstimate(keys(SCHEMA.columns()), new Conditions(Filter.ALL));
        assertThat(new WorkEstimate(
                                SCHEMA,
                                null,
                                new ColumnPrices(SCHEMA, ColumnTransforms.NONE, ReadRequest.ofAllColumns(Filter.ALL)),
                                rows)
                        .of(divided()))
                .isEqualTo(new Work(1, 100_000, 4_000_000));
    }

    @Test
    void aValueOfEachColumnIsDecodedForARecordOfThePagesThatAreLeft() {
        assertThat(work(divided(), Filter.ALL, "signal").values()).isEqualTo(1_000_000);
        assertThat(work(divided(), Filter.ALL, "signal", "value").values()).isEqualTo(2_000_000);
        assertThat(work(divided(), Filter.ALL).values()).isZero();
        Filter one = new Filter.Compare(Operator.EQ, "signal", "s3");
        assertThat(work(divided(), one, "signal", "value").values()).isCloseTo(240_000, within(100.0));
    }

    /** A column that compresses well is soon read and decompressed, but each of its values is decoded. */
    @Test
    void planningTakesTheGroupWithFewerValuesThoughItHasMoreBytes() {
        GroupFiles dense = group("dense", file(1_000_000, 100_000, Map.of()));
        GroupFiles sparse = group("sparse", file(10_000, 120_000, Map.of()));
        assertThat(plan(List.of(dense, sparse), ReadRequest.ofAllColumns(Filter.ALL), COSTS)
                        .group())
                .isEqualTo("dense");
        CostModel values = new CostModel(1, COSTS.read(), COSTS.decompressBytesPerMs(), 50_000, 1);
        assertThat(plan(List.of(dense, sparse), ReadRequest.ofAllColumns(Filter.ALL), values)
                        .group())
                .isEqualTo("sparse");
    }

    /** The group in which the few columns are small is cheaper, though its files are larger. */
    @Test
    void planningTakesTheGroupWhoseColumnsAreSmall() {
        GroupFiles time = group("time", Map.of("signal", SIGNALS.withBytes(60_000), "n", NUMBERS.withBytes(20_000)));
        GroupFiles signal = group("signal", Map.of("signal", SIGNALS.withBytes(100), "n", NUMBERS.withBytes(90_000)));
        assertThat(plan(List.of(time, signal), new ReadRequest(Filter.ALL, Set.of("signal")))
                        .group())
                .isEqualTo("signal");
        assertThat(plan(List.of(time, signal), new ReadRequest(Filter.ALL, Set.of("n")))
                        .group())
                .isEqualTo("time");
    }

    /** Whatever is said of columns' bytes, a group's plan has the files that may hold what is asked for. */
    @Test
    void bytesNeverChangeWhichFilesOfAGroupAreRead() {
        Seeds.forAll(500, random -> {
            Filter filter = new SortedFile(1_000, 10, 10).filter(random);
            List<DataFile> plain = List.of(sorted(random), sorted(random), sorted(random));
            GroupFiles without = GroupFiles.of(replicaGroup("g", "a"), plain, null);
            GroupFiles with = GroupFiles.of(
                    replicaGroup("g", "a"),
                    plain.stream().map(f -> withBytes(f, random)).toList(),
                    null);
            ReadRequest readRequest = new ReadRequest(filter, random.nextBoolean() ? null : Set.of("c"));
            Plan plan = Planner.plan(SortedFile.SCHEMA, List.of(with), "g", readRequest, COSTS, null);
            Plan before = Planner.plan(
                    SortedFile.SCHEMA, List.of(without), "g", ReadRequest.ofAllColumns(filter), COSTS, null);
            assertThat(plan.files()).isEqualTo(before.files());
        });
    }

    private static DataFile sorted(Random random) {
        FileStatistics statistics = new SortedFile(1_000, 1 + random.nextInt(10), 1 + random.nextInt(10)).statistics();
        return new DataFile("/" + random.nextInt(), 1, 1 + random.nextInt(100_000), 0, statistics);
    }

    private static DataFile withBytes(DataFile file, Random random) {
        FileStatistics s = file.statistics();
        Map<String, ColumnStatistics> columns = new HashMap<>(s.columns());
        columns.replaceAll((name, column) -> column.withBytes(random.nextInt(200_000) - 1_000));
        return new DataFile(
                file.path(),
                file.fileId(),
                file.length(),
                file.modificationTime(),
                new FileStatistics(s.commitId(), s.content(), s.partition(), columns));
    }

    private static GroupFiles group(String name, Map<String, ColumnStatistics> columns) {
        return group(name, file(columns));
    }

    private static GroupFiles group(String name, DataFile file) {
        return GroupFiles.of(replicaGroup(name, "signal"), List.of(file), null);
    }

    private static ReplicaGroup replicaGroup(String name, String predicate) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), List.of(), 1, Codec.parse("none"));
    }

    private static Plan plan(List<GroupFiles> groups, ReadRequest readRequest) {
        return plan(groups, readRequest, COSTS);
    }

    private static Plan plan(List<GroupFiles> groups, ReadRequest readRequest, CostModel costs) {
        return Planner.plan(SCHEMA, groups, groups.get(0).group().name(), readRequest, costs, null);
    }
}
