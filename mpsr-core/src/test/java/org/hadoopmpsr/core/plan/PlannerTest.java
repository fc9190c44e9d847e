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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.CostModelTest;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.transform.Accuracy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, n bigint not null");
    /** 5 ms a file, and 1,000 bytes in a millisecond. */
    private static final CostModel COSTS = CostModelTest.model(5, 1_000, 1);

    /** 100 ranges of n in one group, 10 signals in the other. */
    private static List<GroupFiles> groups(@Nullable String unusable) {
        List<DataFile> byTime = new ArrayList<>();
        for (long i = 0; i < 100; i++) {
            byTime.add(file("t" + i, 1000, new ColumnStatistics("s0", "s9", 0), new ColumnStatistics(i, i, 0)));
        }
        List<DataFile> bySignal = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            bySignal.add(
                    file("s" + i, 9000, new ColumnStatistics("s" + i, "s" + i, 0), new ColumnStatistics(0L, 99L, 0)));
        }
        return List.of(
                GroupFiles.of(group("time", "n"), byTime, null),
                GroupFiles.of(group("signal", "signal"), bySignal, unusable));
    }

    private static ReplicaGroup group(String name, String predicate) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), List.of(), 1, Codec.parse("none"));
    }

    private static DataFile file(String path, long length, ColumnStatistics signal, ColumnStatistics n) {
        FileStatistics statistics =
                new FileStatistics("c", new ContentHash(10, 0, 0), List.of(), Map.of("signal", signal, "n", n));
        return new DataFile("/" + path, 1, length, 0, statistics);
    }

    private static Plan plan(Filter filter, @Nullable String unusable, @Nullable String forced) {
        return Planner.plan(SCHEMA, groups(unusable), "time", ReadRequest.ofAllColumns(filter), COSTS, forced);
    }

    private static final Filter ONE_SIGNAL = new Filter.Compare(Operator.EQ, "signal", "s3");
    private static final Filter ONE_N = new Filter.Compare(Operator.EQ, "n", 7L);

    @Test
    void takesTheCheapestGroup() {
        assertThat(plan(ONE_SIGNAL, null, null).group()).isEqualTo("signal");
        assertThat(plan(ONE_SIGNAL, null, null).files())
                .extracting(DataFile::path)
                .containsExactly("/s3");
        assertThat(plan(ONE_N, null, null).group()).isEqualTo("time");
        assertThat(plan(Filter.ALL, null, null).group()).isEqualTo("signal");
        assertThat(plan(ONE_N, null, null).candidatesText())
                .isEqualTo("time: 1 files, 1000 bytes, 6.0 ms; signal: 10 files, 90000 bytes, 140.0 ms");
    }

    /** Values of pages that lie together are found in one group; in the other group each page has all of them. */
    @Test
    void takesTheGroupWhosePagesTellValuesApart() {
        List<GroupFiles> groups = List.of(
                GroupFiles.of(group("time", "n"), List.of(pages("a", 1_000_000, 0.9)), null),
                GroupFiles.of(group("signal", "signal"), List.of(pages("b", 1_200_000, 0.05)), null));
        assertThat(groupFor(groups, ONE_SIGNAL)).isEqualTo("signal");
        assertThat(groupFor(groups, Filter.ALL)).isEqualTo("time");
    }

    private static String groupFor(List<GroupFiles> groups, Filter filter) {
        return Planner.plan(SCHEMA, groups, "time", ReadRequest.ofAllColumns(filter), COSTS, null)
                .group();
    }

    private static DataFile pages(String path, long length, double pageShare) {
        FileStatistics statistics = new FileStatistics(
                "c",
                new ContentHash(1_000_000, 0, 0),
                List.of(),
                Map.of("signal", new ColumnStatistics("s0", "s9", 0).withPageShare(pageShare)));
        return new DataFile("/" + path, 1, length, 0, statistics);
    }

    /** Such a reader would find other columns in the files than it looks for. */
    @Test
    void aGroupIsLeftOutForReadersWhoDoNotKnowItsTransforms() {
        List<GroupFiles> groups = new ArrayList<>(groups(null));
        ReplicaGroup held = groups.get(1).group().with(ColumnTransforms.parse(List.of("n=mine:4;v=2")));
        groups.set(1, GroupFiles.of(held, groups.get(1).files(), null));
        ReadRequest all = ReadRequest.ofAllColumns(ONE_SIGNAL);
        for (Set<String> known : List.of(Set.<String>of(), Set.of("mine:1", "min:2", "mine:x"), Set.of("planes:2"))) {
            for (String forced : new String[] {null, "signal"}) {
                Plan plan = Planner.plan(SCHEMA, groups, "time", all.knowing(known), COSTS, forced);
                assertThat(plan.group()).isEqualTo("time");
                assertThat(plan.candidatesText())
                        .endsWith("signal: holds column 'n' as mine:4, which this reader does not know");
            }
        }
        assertThat(Planner.plan(SCHEMA, groups, "time", all.knowing(Set.of("mine:2")), COSTS, null)
                        .group())
                .isEqualTo("signal");
        ReplicaGroup plain = held.with(ColumnTransforms.parse(List.of("n=identity;v=1")));
        groups.set(1, GroupFiles.of(plain, groups.get(1).files(), null));
        assertThat(Planner.plan(SCHEMA, groups, "time", all, COSTS, null).group())
                .isEqualTo("signal");
    }

    private static Plan planRounded(ReadRequest asked) {
        Schema schema = Schema.parse("signal string not null, n bigint not null, value double, other float");
        List<GroupFiles> groups = new ArrayList<>(groups(null));
        ReplicaGroup rounded = groups.get(1)
                .group()
                .with(ColumnTransforms.parse(List.of("value=lossy:abs=0.01;v=1", "other=lossy:bits=9;v=1")));
        groups.set(1, GroupFiles.of(rounded, groups.get(1).files(), null));
        return Planner.plan(schema, groups, "time", asked.knowing(Set.of("lossy:1")), COSTS, null);
    }

    /** Such a reader would take rounded values for exact ones. */
    @Test
    void roundedValuesAreForReadersWhoAllowThemOrDoNotLook() {
        ReadRequest all = ReadRequest.ofAllColumns(ONE_SIGNAL);
        assertThat(planRounded(all).candidatesText())
                .endsWith(
                        "signal: has rounded values in column 'other' (lossy:bits=9), and this read needs exact ones");
        ReadRequest value = new ReadRequest(ONE_SIGNAL, Set.of("signal", "VALUE"));
        for (String exact : List.of("exact", "abs=0.009", "rel=0.5", "abs=0.1,rel=0.5")) {
            Plan plan = planRounded(value.within(Map.of("value", Accuracy.parse(exact))));
            assertThat(plan.group()).as(exact).isEqualTo("time");
            assertThat(plan.candidatesText()).contains("has rounded values in column 'value' (lossy:abs=0.01), ");
        }
        assertThat(planRounded(value.within(Map.of("Value", Accuracy.parse("abs=0.01"))))
                        .group())
                .isEqualTo("signal");
        ReadRequest other = new ReadRequest(ONE_SIGNAL, Set.of("signal", "other"));
        assertThat(planRounded(other.within(Map.of("value", Accuracy.parse("abs=1"))))
                        .group())
                .isEqualTo("time");
        assertThat(planRounded(other.within(Map.of("other", Accuracy.parse("abs=1"))))
                        .group())
                .as("a limit of another kind")
                .isEqualTo("time");
        assertThat(planRounded(other.within(Map.of("other", Accuracy.parse("bits=8"))))
                        .group())
                .isEqualTo("signal");
        assertThat(planRounded(new ReadRequest(ONE_SIGNAL, Set.of("signal", "n")))
                        .group())
                .isEqualTo("signal");
    }

    @Test
    void amongEqualsTakesTheGroupMadeForTheFilter() {
        ColumnStatistics one = new ColumnStatistics("s3", "s3", 0);
        ColumnStatistics all = new ColumnStatistics(0L, 99L, 0);
        GroupFiles byN = GroupFiles.of(group("time", "n"), List.of(file("t", 1000, one, all)), null);
        GroupFiles bySignal = GroupFiles.of(group("signal", "signal"), List.of(file("s", 1100, one, all)), null);
        GroupFiles dearer = GroupFiles.of(group("signal", "signal"), List.of(file("s", 9000, one, all)), null);

        Plan tie =
                Planner.plan(SCHEMA, List.of(byN, bySignal), "time", ReadRequest.ofAllColumns(ONE_SIGNAL), COSTS, null);
        assertThat(tie.group()).isEqualTo("signal");
        assertThat(tie.reason()).isEqualTo("about as cheap as time and partitioned by what is asked for");
        Plan none =
                Planner.plan(SCHEMA, List.of(byN, dearer), "time", ReadRequest.ofAllColumns(ONE_SIGNAL), COSTS, null);
        assertThat(none.group()).isEqualTo("time");
    }

    @Test
    void amongEqualsTakesTheGroupThatLiesWhereTheReaderIs() {
        ColumnStatistics one = new ColumnStatistics("s3", "s3", 0);
        ColumnStatistics all = new ColumnStatistics(0L, 99L, 0);
        List<DataFile> files = List.of(file("f", 1000, one, all));
        CostModel network = new CostModel(5, new ReadCost(0, 1_000, 2, 500), COSTS.decompressBytesPerMs(), 1e15, 1);
        GroupFiles far = near(files, "time", "n", 0.25);
        GroupFiles near = near(files, "signal", "signal", 0.75);

        Plan plan = Planner.plan(SCHEMA, List.of(far, near), "time", ReadRequest.ofAllColumns(ONE_N), network, null);
        assertThat(plan.candidatesText())
                .isEqualTo("time: 1 files, 1000 bytes, 10.0 ms; signal: 1 files, 1000 bytes, 8.0 ms");
        assertThat(plan.group()).isEqualTo("signal");
        assertThat(plan.reason()).isEqualTo("cheapest at 8.0 ms, with 75 % of its blocks on the reader's hosts");
    }

    /** As much in both; in one group the longest file has nearly all, and the tasks beside it have nothing to do. */
    @Test
    void forManyTasksTakesTheGroupWhoseFilesAreEven() {
        ColumnStatistics any = new ColumnStatistics("s0", "s9", 0);
        ColumnStatistics all = new ColumnStatistics(0L, 99L, 0);
        List<DataFile> uneven = new ArrayList<>(List.of(file("long", 60_000, any, all)));
        List<DataFile> even = new ArrayList<>(List.of(file("e0", 11_000, any, all)));
        for (int i = 1; i < 6; i++) {
            uneven.add(file("short" + i, 1_000, any, all));
            even.add(file("e" + i, 11_000, any, all));
        }
        List<GroupFiles> groups = List.of(
                GroupFiles.of(group("time", "n"), uneven, null), GroupFiles.of(group("signal", "signal"), even, null));

        ReadRequest work = ReadRequest.ofAllColumns(Filter.ALL);
        assertThat(Planner.plan(SCHEMA, groups, "time", work, COSTS, null).candidatesText())
                .isEqualTo("time: 6 files, 65000 bytes, 95.0 ms; signal: 6 files, 66000 bytes, 96.0 ms");
        Plan parallel = Planner.plan(SCHEMA, groups, "time", work, COSTS.forTasks(3), null);
        assertThat(parallel.candidatesText())
                .isEqualTo("time: 6 files, 65000 bytes, 71.0 ms; signal: 6 files, 66000 bytes, 32.0 ms");
        assertThat(parallel.group()).isEqualTo("signal");
    }

    private static GroupFiles near(List<DataFile> files, String name, String predicate, double localShare) {
        return new GroupFiles(group(name, predicate), List.of(() -> files), null, localShare);
    }

    @Test
    void tellsHowManyRecordsOfTheFilesHaveTheSameLeadingValue() {
        ColumnStatistics all = new ColumnStatistics(0L, 99L, 0);
        List<DataFile> files = List.of(
                file("two", 1000, new ColumnStatistics("s1", "s3", 0, 2), all),
                file("one", 1000, new ColumnStatistics("s3", "s3", 0, 1), all),
                file("unknown", 1000, new ColumnStatistics("s1", "s9", 0), all),
                file("left out", 1000, new ColumnStatistics("s4", "s5", 0, 1), all));
        GroupFiles bySignal = GroupFiles.of(group("signal", "signal"), files, null);
        Plan plan =
                Planner.plan(SCHEMA, List.of(bySignal), "signal", ReadRequest.ofAllColumns(ONE_SIGNAL), COSTS, null);
        assertThat(plan.parts().get(0).leadRows()).isEqualTo(Math.round(30 / 13.0));
        assertThat(plan(new Filter.Compare(Operator.EQ, "signal", "none"), null, null)
                        .parts()
                        .get(0)
                        .leadRows())
                .isZero();
    }

    @Test
    void boundsFindAFewLongValues() {
        ReplicaGroup sorted = new ReplicaGroup(
                "time", List.of(Predicate.parse("n")), SortKey.of(List.of("signal")), 1, Codec.parse("none"));
        int page = FileStatistics.PAGE_ROWS;
        assertThat(ReadRequest.ofAllColumns(ONE_SIGNAL).isFoundByBounds(sorted, page + 1))
                .isTrue();
        assertThat(ReadRequest.ofAllColumns(ONE_SIGNAL).isFoundByBounds(sorted, page))
                .isFalse();
        assertThat(ReadRequest.ofAllColumns(ONE_N).isFoundByBounds(sorted, page + 1))
                .isFalse();
        assertThat(ReadRequest.ofAllColumns(ONE_N).isFoundByBounds(group("time", "n"), page + 1))
                .isTrue();
    }

    @Test
    void leavesOutWhatMustNotBeRead() {
        Plan plan = plan(ONE_SIGNAL, "incomplete", null);
        assertThat(plan.group()).isEqualTo("time");
        assertThat(plan.candidates().get(1).excluded()).isEqualTo("incomplete");
    }

    @Test
    void obeysTheReader() {
        assertThat(plan(ONE_SIGNAL, null, "time").group()).isEqualTo("time");
        Plan instead = plan(ONE_SIGNAL, "incomplete", "signal");
        assertThat(instead.group())
                .isEqualTo(plan(ONE_SIGNAL, "incomplete", null).group());
        assertThat(instead.reason()).endsWith("; group signal, which the reader asked for, cannot be read: incomplete");
        assertThatThrownBy(() -> plan(ONE_SIGNAL, null, "sgnal"))
                .hasMessage("there is no replica group 'sgnal'; the groups are [time, signal]");
    }

    @Test
    void anEmptyResultIsAPlanToo() {
        Plan plan = plan(new Filter.Compare(Operator.EQ, "signal", "none"), null, null);
        assertThat(plan.stock()).isFalse();
        assertThat(plan.files()).isEmpty();
    }

    @Test
    void givesUpAGroupThatIsDearerBeforeAllItsFilesWereLookedAt() {
        ColumnStatistics all = new ColumnStatistics(0L, 99L, 0);
        ColumnStatistics signals = new ColumnStatistics("s0", "s9", 0);
        int[] looked = {0};
        List<DataFile> many = new AbstractList<>() {
            @Override
            public DataFile get(int index) {
                looked[0]++;
                return file("t" + index, 1000, signals, all);
            }

            @Override
            public int size() {
                return 100_000;
            }
        };
        GroupFiles byTime = GroupFiles.of(group("time", "n"), many, null);
        GroupFiles bySignal = GroupFiles.of(
                group("signal", "signal"), List.of(file("s", 9000, new ColumnStatistics("s3", "s3", 0), all)), null);

        Plan plan = Planner.plan(
                SCHEMA, List.of(byTime, bySignal), "time", ReadRequest.ofAllColumns(ONE_SIGNAL), COSTS, null);
        assertThat(plan.group()).isEqualTo("signal");
        assertThat(plan.candidatesText()).startsWith("time: at least 1000 files, 1000000 bytes");
        assertThat(looked[0]).isEqualTo(1000);

        Plan forced = Planner.plan(
                SCHEMA, List.of(byTime, bySignal), "time", ReadRequest.ofAllColumns(ONE_SIGNAL), COSTS, "time");
        assertThat(forced.files()).hasSize(100_000);
    }

    @Test
    void leavesOutPartitionsWithoutLookingAtTheirFiles() {
        ColumnStatistics all = new ColumnStatistics(0L, 99L, 0);
        PartitionFiles out = new PartitionFiles() {
            @Override
            public FileStatistics summary() {
                return file("", 0, new ColumnStatistics("s4", "s9", 0), all).statistics();
            }

            @Override
            public List<DataFile> files() {
                throw new AssertionError("looked at");
            }
        };
        List<DataFile> in = List.of(file("s", 9000, new ColumnStatistics("s3", "s3", 0), all));
        GroupFiles files = new GroupFiles(group("signal", "signal"), List.of(out, () -> in), null);
        assertThat(Planner.plan(SCHEMA, List.of(files), "signal", ReadRequest.ofAllColumns(ONE_SIGNAL), COSTS, null)
                        .files())
                .isEqualTo(in.stream().map(DataFile::withoutColumns).toList());
    }
}
