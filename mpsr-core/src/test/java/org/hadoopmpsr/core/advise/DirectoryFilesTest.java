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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hadoopmpsr.core.adopt.AdoptionRules;
import org.hadoopmpsr.core.advise.DirectoryFiles.FoundFile;
import org.hadoopmpsr.core.advise.DirectoryFiles.ReadFooter;
import org.hadoopmpsr.core.advise.DirectoryLayout.ReadFile;
import org.hadoopmpsr.core.advise.FileSampler.FileFacts;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.workload.AskedShape.Measured;
import org.junit.jupiter.api.Test;

/** What is told of a directory from the ends of some of its files. */
class DirectoryFilesTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final String WHAT = "-Dmpsr.seed=" + SEED;
    private static final Schema STORED = Schema.parse("signal string, at timestamp, seen timestamp, value double");
    private static final long DAY = 86_400_000_000L;
    private static final LocalDate FIRST = LocalDate.of(2017, 5, 1);
    private static final int DAYS = 60;
    private static final int SIGNALS = 50;
    private static final int ROWS = 100_000;
    private static final int BYTES = 1_000_000;

    private static String path(int day) {
        return "/d/day=" + FIRST.plusDays(day) + "/part-0.parquet";
    }

    private static Map<String, ColumnStatistics> columns(int day) {
        long from = (FIRST.toEpochDay() + day) * DAY;
        return Map.of(
                "signal",
                        ColumnStatistics.of("S00", "S49", 0)
                                .withDistinct(SIGNALS)
                                .withBytes(BYTES / 10),
                "at", ColumnStatistics.of(from, from + DAY - 1, 0).withBytes(BYTES / 10 * 3),
                "seen", ColumnStatistics.of(from, from + 3 * DAY, 0).withBytes(BYTES / 10 * 3),
                "value", ColumnStatistics.of(0.0, 100.0, 0).withBytes(BYTES / 10 * 3));
    }

    private static DirectoryLayout layout() {
        List<String> paths = new ArrayList<>();
        List<ReadFile> read = new ArrayList<>();
        for (int day = 0; day < DAYS; day++) {
            paths.add(path(day));
            read.add(new ReadFile(path(day), columns(day)));
        }
        return DirectoryLayout.find("/d", paths, STORED, read.subList(0, 3), List.of(), null);
    }

    private static DirectoryFiles files(int wanted) {
        List<FoundFile> found = new ArrayList<>();
        for (int day = 0; day < DAYS; day++) {
            found.add(new FoundFile(path(day), BYTES));
        }
        List<Object> signals = new ArrayList<>();
        for (int i = 0; i < SIGNALS; i++) {
            signals.add(String.format("S%02d", i));
        }
        Map<Integer, ReadFooter> read = new HashMap<>();
        for (int day : DirectoryFiles.draw(DAYS, wanted, SEED)) {
            FileFacts facts = new FileFacts("", ROWS, BYTES, columns(day), Map.of("signal", signals));
            read.put(day, new ReadFooter(List.of(facts), 2_000));
        }
        return new DirectoryFiles(layout(), found, read);
    }

    /** Files of which each tells a few of its values, in no order. */
    private static DirectoryFiles filesThatTellSomeOf(List<Object> signals, int told) {
        List<FoundFile> found = new ArrayList<>();
        Map<Integer, ReadFooter> read = new HashMap<>();
        for (int day = 0; day < DAYS; day++) {
            found.add(new FoundFile(path(day), BYTES));
            List<Object> some = new ArrayList<>(signals);
            Collections.shuffle(some, new Random(SEED + day));
            Map<String, ColumnStatistics> columns = new HashMap<>(columns(day));
            columns.put(
                    "signal",
                    ColumnStatistics.of(signals.get(0), signals.get(signals.size() - 1), 0)
                            .withDistinct(signals.size())
                            .withBytes(BYTES / 10));
            read.put(
                    day,
                    new ReadFooter(
                            List.of(new FileFacts("", ROWS, BYTES, columns, Map.of("signal", some.subList(0, told)))),
                            2_000));
        }
        return new DirectoryFiles(layout(), found, read);
    }

    @Test
    void questionsAskForValuesThatAreThereIfSomeAreKnown() {
        List<Object> signals = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            signals.add(String.format("S%04d", i));
        }
        DirectoryFiles files = filesThatTellSomeOf(signals, 40);
        DataSample sample = files.sample(AdoptionRules.of(128 << 20, 1_000), List.of(), 4_000, SEED);
        List<Question> questions = Questions.of(
                AskedWorkloads.of(
                        Map.of(List.of(Measured.values("signal", 1)), 10, List.of(Measured.values("signal", 5)), 9)),
                sample,
                SEED);
        List<Object> asked = questions.stream()
                .flatMap(q -> q.examples().stream())
                .flatMap(request -> ((Filter.And) request.filter()).parts().stream())
                .flatMap(filter -> ((Filter.In) filter).literals().stream())
                .toList();
        assertThat(asked).as(WHAT).hasSizeGreaterThan(9).isSubsetOf(signals);
        // they lie in the files that the sample tells, whatever these are divided by
        ReplicaGroup group =
                new ReplicaGroup("g", List.of(Predicate.parse("bucket(4, signal)")), List.of(), 1, Codec.parse("zstd"));
        GroupFiles divided = new SampledFiles(sample, group, 128 << 20, GroupSizes.NONE).files();
        CostModel costs = MpsrConfig.read(key -> null).costs();
        for (Question question : questions) {
            for (ReadRequest request : question.examples()) {
                Plan plan = Planner.plan(sample.schema(), List.of(divided), "g", request, costs, null);
                assertThat(plan.candidates().get(0).files())
                        .as("%s, %s", request.filter(), WHAT)
                        .isPositive();
            }
        }
    }

    @Test
    void recordsOfSomeFilesAreWeighedByThoseOfAll() {
        assertThat(files(DAYS).weights(Set.of(1, 2, 3)))
                .containsOnlyKeys("signal", "at", "seen", "value")
                .allSatisfy((name, weight) -> assertThat(weight).isCloseTo(1, within(1e-9)));
    }

    @Test
    void drawnFilesAreAsManyAsAreWantedAndSpreadOverAll() {
        Random random = new Random(SEED);
        for (int run = 0; run < 200; run++) {
            int all = 1 + random.nextInt(5_000);
            int wanted = 1 + random.nextInt(300);
            List<Integer> drawn = DirectoryFiles.draw(all, wanted, random.nextLong());
            assertThat(drawn).as(WHAT).hasSize(Math.min(all, wanted)).doesNotHaveDuplicates();
            assertThat(drawn).as(WHAT).isSorted().allMatch(place -> place >= 0 && place < all);
            // no stretch is left out that is longer than two distances
            int widest = drawn.get(0);
            for (int i = 1; i < drawn.size(); i++) {
                widest = Math.max(widest, drawn.get(i) - drawn.get(i - 1));
            }
            assertThat((double) widest).as(WHAT).isLessThanOrEqualTo(Math.max(1, (double) all / wanted) + 1);
        }
    }

    @Test
    void directoriesTellWhatFilesAreDividedBy() {
        // 'seen' goes beyond the day of its directory
        assertThat(layout().predicates()).containsExactly(Predicate.parse("day(at)"));
        assertThat(layout().added()).isEmpty();

        DirectoryLayout devices = DirectoryLayout.find(
                "/d", List.of("/d/device=D1/year=7/a", "/d/device=D2/year=9/b"), STORED, List.of(), List.of(), null);
        assertThat(devices.predicates()).containsExactly(Predicate.parse("device"), Predicate.parse("year(at)"));
        assertThat(devices.added()).containsExactly(new Column("device", ColumnType.STRING, true));
        assertThat(devices.schema().find("device")).isPresent();

        DirectoryLayout wanted = DirectoryLayout.find(
                "/d",
                List.of("/d/n=1/a", "/d/n=2/b"),
                STORED,
                List.of(),
                Schema.parse("n int").columns(),
                null);
        assertThat(wanted.added()).extracting(Column::type).containsExactly(ColumnType.INT);
        assertThat(DirectoryLayout.find("/d", List.of("/d/n=1/a"), STORED, List.of(), List.of(), null)
                        .added())
                .extracting(Column::type)
                .containsExactly(ColumnType.LONG);
    }

    @Test
    void theConfiguredGroupIsPreferredWhereItFits() {
        ReplicaGroup seen =
                new ReplicaGroup("time", List.of(Predicate.parse("day(seen)")), List.of(), 1, Codecs.parse("zstd:3"));
        assertThat(DirectoryLayout.find("/d", List.of(path(0)), STORED, List.of(), List.of(), seen)
                        .predicates())
                .isEqualTo(seen.predicates());
        assertThat(DirectoryLayout.find("/d", List.of("/d/month=2017-05/a"), STORED, List.of(), List.of(), seen)
                        .predicates())
                .containsExactly(Predicate.parse("month(at)"));
    }

    @Test
    void otherDirectoriesAreRefusedWithACause() {
        assertThatThrownBy(() -> DirectoryLayout.find("/d", List.of("/d/a"), STORED, List.of(), List.of(), null))
                .hasMessageContaining("lie in the directory itself")
                .hasMessageContaining("partitionBy");
        assertThatThrownBy(() -> DirectoryLayout.find(
                        "/d", List.of("/d/day=1/a", "/d/day=1/hour=2/b"), STORED, List.of(), List.of(), null))
                .hasMessageContaining("not partitioned alike");
        assertThatThrownBy(
                        () -> DirectoryLayout.find("/d", List.of("/d/2017/05/a"), STORED, List.of(), List.of(), null))
                .hasMessageContaining("no column and value");
    }

    @Test
    void aSampleHoldsWhatFilesThatWereNotReadAreLikelyToHold() {
        DataSample sample = files(5).sample(new AdoptionRules(1, 1, 0, 10 * BYTES, 1_000), List.of(), 6_000, SEED);
        assertThat(sample.records()).as(WHAT).isEqualTo((double) DAYS * ROWS);
        assertThat(sample.bytes()).as(WHAT).isEqualTo((double) DAYS * BYTES);
        assertThat(sample.fields()).containsOnlyKeys("day");
        int at = sample.place("at");
        int day = sample.place("day");
        Set<Object> days = new TreeSet<>();
        Set<Integer> segments = new TreeSet<>();
        for (DataSample.Row row : sample.rows()) {
            assertThat(Math.floorDiv((Long) row.values().get(at), DAY))
                    .isEqualTo(row.values().get(day));
            days.add(row.values().get(day));
            segments.add(row.segment());
        }
        assertThat(days).as(WHAT).hasSize(DAYS);
        assertThat(segments).as(WHAT).hasSize(DAYS / 10);
        assertThat(sample.rows().stream()
                        .map(row -> row.values().get(0))
                        .distinct()
                        .count())
                .as(WHAT)
                .isEqualTo(SIGNALS);
    }

    /** Readers without MPSR open each file whose directory passes, whatever its bounds are. */
    @Test
    void stockReadsTheDirectoryAsItLies() {
        CostModel costs = MpsrConfig.read(key -> null).costs();
        DirectoryFiles files = files(5);
        ReplicaGroup lies =
                new ReplicaGroup("time", List.of(Predicate.parse("day(at)")), List.of(), 1, Codecs.parse("snappy"));
        ReplicaGroup other =
                new ReplicaGroup("second", List.of(Predicate.parse("month(at)")), List.of(), 1, Codecs.parse("zstd:3"));
        Advice advice = Advisor.adviseDirectory(
                files.sample(AdoptionRules.of(128 << 20, 1_000), List.of(), 4_000, SEED),
                AskedWorkloads.of(Map.of(
                        List.of(Measured.values("signal", 1)), 90,
                        List.of(Measured.values("day", 1)), 10)),
                lies,
                files.stock(List.of()),
                List.of(other),
                2,
                costs,
                128 << 20,
                GroupSizes.NONE,
                SEED);
        assertThat(advice.groups()).as(WHAT).hasSize(2);
        assertThat(advice.groups().get(0)).isEqualTo(lies);
        assertThat(advice.groups().get(1).name()).isEqualTo("second");
        assertThat(advice.groups().get(1).predicates().get(0).column()).as(WHAT).isEqualTo("signal");
        assertThat(advice.groups().get(1).codec()).isEqualTo(Codecs.parse("zstd:3"));
        Advice.OfClass bySignal = advice.classes().get(0);
        Advice.OfClass byDay = advice.classes().get(1);
        assertThat(bySignal.stock().files()).as(WHAT).isEqualTo(DAYS);
        assertThat(byDay.stock().files()).as(WHAT).isEqualTo(1);
        assertThat(byDay.stock().bytes()).as(WHAT).isBetween(0.9 * BYTES, 1.1 * BYTES);
        assertThat(bySignal.today()).isEqualTo(bySignal.stock());
        assertThat(bySignal.advised().group()).isEqualTo("second");
        assertThat(bySignal.advised().bytes())
                .as(WHAT)
                .isLessThan(bySignal.stock().bytes() / 4);
        assertThat(advice.advisedMs()).as(WHAT).isLessThan(advice.todayMs());
    }

    @Test
    void calendarSpansBeginAndEndWhereTransformsChange() {
        Random random = new Random(SEED);
        for (String unit : List.of("year", "month", "day", "hour")) {
            for (String type : List.of("timestamp", "timestamp_ns", "date")) {
                if (unit.equals("hour") && type.equals("date")) {
                    continue;
                }
                Schema schema = Schema.parse("c " + type);
                Predicate predicate = Predicate.parse(unit + "(c)");
                ColumnType of = schema.columns().get(0).type();
                for (int i = 0; i < 50; i++) {
                    long days = random.nextInt(40_000) - 10_000;
                    long value = type.equals("date") ? days : days * DAY * (type.equals("timestamp") ? 1 : 1_000);
                    Object found = predicate.transform().apply(of, value);
                    var time = (org.hadoopmpsr.core.group.PartitionTransform.Time) predicate.transform();
                    long[] span = CalendarSpan.of(time.unit(), found, of);
                    assertThat(value).as(WHAT).isBetween(span[0], span[1]);
                    assertThat(predicate.transform().apply(of, span[0])).isEqualTo(found);
                    assertThat(predicate.transform().apply(of, span[1])).isEqualTo(found);
                    assertThat(predicate.transform().apply(of, span[0] - 1)).isNotEqualTo(found);
                    assertThat(predicate.transform().apply(of, span[1] + 1)).isNotEqualTo(found);
                }
            }
        }
    }
}
