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
package org.hadoopmpsr.namenode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An honest and a hostile writer publish to the same partitions of a dataset. What the hostile one states of its own
 * files, if it is accepted at all, hides no file of the honest one from any plan.
 */
class HostileWriterTest {
    private static final long SEED = Long.getLong("mpsr.seed", 43);
    private static final int COMMITS = 60;
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final LocalDate FIRST_DAY = LocalDate.of(2014, 5, 1);

    private static TestCluster cluster;
    private static MpsrClient client;

    private final Random random = new Random(SEED);
    private final List<HonestCommit> honest = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private int accepted;
    private int refused;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    /** What the records of an honest commit have in common. */
    private record HonestCommit(String commitId, String signal, long day) {}

    /** What a hostile writer states of a file. */
    private interface Lie {
        FileStatistics of(FileStatistics right);
    }

    /** @param refused what the refusal says; empty if it is not refused, because a file could be so */
    private record Attack(String refused, Lie lie) {}

    private static Lie records(long count) {
        return s -> new FileStatistics(
                s.commitId(),
                new ContentHash(
                        s.content().kind(),
                        count,
                        s.content().high(),
                        s.content().low()),
                s.partition(),
                s.columns());
    }

    private static Lie column(String name, ColumnStatistics statistics) {
        return s -> {
            Map<String, ColumnStatistics> columns = new HashMap<>(s.columns());
            columns.put(name, statistics);
            return new FileStatistics(s.commitId(), s.content(), s.partition(), columns);
        };
    }

    private static Lie columns(Map<String, ColumnStatistics> columns) {
        return s -> new FileStatistics(s.commitId(), s.content(), s.partition(), columns);
    }

    /** In the group of buckets, whose numbers are below those of days. */
    private static Lie bucket(Object value) {
        return s -> s.partition().get(0) instanceof Long bucket && bucket < 4
                ? new FileStatistics(s.commitId(), s.content(), List.of(value), s.columns())
                : s;
    }

    private static Lie day(Object value) {
        return s -> s.partition().get(0) instanceof Long day && day > 4
                ? new FileStatistics(s.commitId(), s.content(), List.of(value), s.columns())
                : s;
    }

    private static final List<Attack> ATTACKS = List.of(
            new Attack("a count of -10 records", records(-10)),
            new Attack("a count of 9223372036854775807 records", records(Long.MAX_VALUE)),
            new Attack("a count of 0 records", records(0)),
            new Attack("with 20 nulls in 10 records", column("value", new ColumnStatistics(null, null, 20))),
            new Attack("with -10 nulls", column("value", new ColumnStatistics(null, null, -10))),
            new Attack("although it is 'not null'", column("signal", new ColumnStatistics(null, null, 10))),
            new Attack("the minimum NaN", column("value", new ColumnStatistics(Double.NaN, Double.NaN, 0))),
            new Attack("the minimum 1;", column("signal", new ColumnStatistics(1L, 2L, 0))),
            new Attack("which the dataset lacks", column("other", ColumnStatistics.UNKNOWN)),
            new Attack(
                    "different values",
                    column("device", ColumnStatistics.of("D1", "D1", 0).withDistinct(1L << 60))),
            new Attack(
                    "more bytes than",
                    column("device", ColumnStatistics.of("D1", "D1", 0).withBytes(1L << 60))),
            new Attack("never gives", day(1L << 62)),
            new Attack("never gives", bucket("3")),
            new Attack("never gives", bucket(-1L)),
            new Attack("", records(1L << 40)),
            new Attack("", column("value", new ColumnStatistics(null, null, 10))),
            new Attack("", column("signal", ColumnStatistics.of("\uD83D\uDE00", "\uD83D\uDE00", 0))),
            new Attack("", column("timestamp_ns", ColumnStatistics.of(Long.MIN_VALUE, Long.MIN_VALUE, 0))),
            new Attack("", column("timestamp_ns", ColumnStatistics.of(Long.MAX_VALUE, Long.MAX_VALUE, 0))),
            new Attack("", column("device", ColumnStatistics.of("D0", "D0", 0).withValues(filter("x", "y")))),
            new Attack("", columns(Map.of())),
            new Attack("", columns(Map.of("value", new ColumnStatistics(-1e300, -1e300, 0)))));

    private static ValueFilter filter(String... values) {
        return ValueFilter.of(Stream.of(values).map(v -> v.getBytes(UTF_8)).toList())
                .orElseThrow();
    }

    @Test
    void noRecordOfTheHonestWriterIsHidden() throws Exception {
        Dataset dataset = client.createDataset("/hostile/meas", TestCluster.SCHEMA);
        long[] offsets = {0, 0};
        List<Attack> attacks = new ArrayList<>(ATTACKS);
        for (int i = 0; i < COMMITS; i++) {
            boolean isHonest = i % 2 == 0;
            long start = offsets[i % 2];
            CommitSource source = new CommitSource(isHonest ? "honest" : "hostile", 0, start, start + 10);
            String signal = "PT-" + random.nextInt(2);
            LocalDate day = FIRST_DAY.plusDays(random.nextInt(2));
            TestCommit commit = new TestCommit(dataset, source.topic() + "-" + i, source, signal, day, 1);
            if (isHonest) {
                assertThat(commit.stage(client, cluster.fs()).publish(client).outcome())
                        .isEqualTo(Outcome.COMMITTED);
                honest.add(new HonestCommit(commit.id(), signal, day.toEpochDay()));
                offsets[0] += 10;
            } else {
                attacks = attacks.isEmpty() ? new ArrayList<>(ATTACKS) : attacks;
                offsets[1] += attack(dataset, commit, attacks.remove(random.nextInt(attacks.size()))) ? 10 : 0;
            }
        }
        assertThat(accepted).isGreaterThan(5);
        assertThat(refused).isGreaterThan(ATTACKS.size() / 2);
        check(client, dataset, false);
        cluster.restartNameNode();
        try (MpsrClient after = cluster.client()) {
            check(after, dataset, true);
        }
        assertThat(failures).as("seed %d (-Dmpsr.seed)", SEED).isEmpty();
    }

    /** Publishes the commit with false statistics; true if it is accepted. */
    private boolean attack(Dataset dataset, TestCommit commit, Attack attack) throws Exception {
        commit.stage(client, cluster.fs());
        List<StagedFile> files = commit.files().stream()
                .map(f ->
                        new StagedFile(f.group(), f.relativePath(), attack.lie().of(f.statistics())))
                .toList();
        PublishResult result = client.publish(dataset.path(), dataset.id(), commit.id(), commit.sources(), files);
        boolean taken = result.outcome() == Outcome.COMMITTED;
        String reason = result.reason();
        if (taken != attack.refused().isEmpty() || !reason.contains(attack.refused())) {
            failures.add(attack + ": " + result);
        }
        if (!taken) {
            if (result.refusal() == null || result.refusal().kind() != Kind.INVALID) {
                failures.add(attack + ": " + result);
            }
            client.abortCommit(dataset.path(), dataset.id(), commit.id());
        }
        accepted += taken ? 1 : 0;
        refused += taken ? 0 : 1;
        return taken;
    }

    private void check(MpsrClient reader, Dataset dataset, boolean restarted) throws Exception {
        Map<Filter, Predicate<HonestCommit>> filters = filters();
        for (String group : dataset.groups().names()) {
            for (Map.Entry<Filter, Predicate<HonestCommit>> filter : filters.entrySet()) {
                ReadPlan plan =
                        reader.plan(dataset.path(), filter.getKey(), group).orElseThrow();
                List<String> missing = honest.stream()
                        .filter(filter.getValue())
                        .map(HonestCommit::commitId)
                        .filter(id ->
                                plan.files().stream().noneMatch(f -> f.path().contains("/" + id + "-")))
                        .toList();
                if (plan.stock() || !missing.isEmpty()) {
                    failures.add(group + " " + filter.getKey() + (restarted ? " after a restart" : "") + ": stock "
                            + plan.stock() + ", without " + missing);
                }
            }
        }
        assertThat(reader.getDataset(dataset.path()).representations()).allSatisfy(r -> {
            assertThat(r.unusable()).isNull();
            assertThat(r.files()).isEqualTo(honest.size() + (long) accepted);
            assertThat(r.content().count()).isPositive();
        });
        assertThat(cluster.counter("Records")).isPositive();
    }

    private static Filter.Compare compare(Operator operator, String column, Object literal) {
        return new Filter.Compare(operator, column, literal);
    }

    /** Filters, and which honest commits have records that pass. */
    private static Map<Filter, Predicate<HonestCommit>> filters() {
        Map<Filter, Predicate<HonestCommit>> filters = new HashMap<>();
        filters.put(Filter.ALL, r -> true);
        filters.put(compare(Operator.EQ, "device", "D1"), r -> true);
        filters.put(new Filter.In("system", List.of("CRYO", "VAC")), r -> true);
        filters.put(new Filter.IsNull("value"), r -> true);
        filters.put(new Filter.Not(new Filter.IsNull("value")), r -> true);
        filters.put(compare(Operator.GT, "value", 1.0), r -> true);
        filters.put(new Filter.StartsWith("signal", "PT"), r -> true);
        for (int i = 0; i < 2; i++) {
            String signal = "PT-" + i;
            long day = FIRST_DAY.plusDays(i).toEpochDay();
            Filter signalIs = compare(Operator.EQ, "signal", signal);
            Filter dayIs = new Filter.And(List.of(
                    compare(Operator.GE, "timestamp_ns", day * DAY_NS),
                    compare(Operator.LT, "timestamp_ns", (day + 1) * DAY_NS)));
            filters.put(signalIs, r -> r.signal().equals(signal));
            filters.put(dayIs, r -> r.day() == day);
            filters.put(compare(Operator.EQ, "timestamp_ns", day * DAY_NS + 3), r -> r.day() == day);
            filters.put(
                    new Filter.And(List.of(signalIs, dayIs)), r -> r.signal().equals(signal) && r.day() == day);
        }
        return filters;
    }
}
