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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.workload.AskedShape.Measured;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.Term.Operator;
import org.junit.jupiter.api.Test;

class AdvisorTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final long SECOND_NS = 1_000_000_000;
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, device string not null, timestamp_ns timestamp_ns not null, value double");
    private static final CostModel COSTS = MpsrConfig.read(key -> null).costs();

    /** Sixty days of readings: 500 signals of 40 devices. */
    private static DataSample sample(Random random) {
        List<DataSample.Row> rows = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            int signal = random.nextInt(500);
            long second = 1_398_902_400L + random.nextInt(60 * 86_400);
            rows.add(new DataSample.Row(
                    0,
                    List.of(
                            String.format("S%04d", signal),
                            "D" + signal % 40,
                            second * SECOND_NS,
                            random.nextDouble() * 1_000)));
        }
        return new DataSample(
                SCHEMA,
                2e8,
                4e9,
                Map.of("signal", 0.2e9, "device", 0.1e9, "timestamp_ns", 1.2e9, "value", 2.5e9),
                rows);
    }

    private static ReplicaGroup group(String name, String predicate, String sort) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse(predicate)), SortKey.parseList(sort), 1, Codecs.parse("zstd:3"));
    }

    private static final List<ReplicaGroup> ONE = List.of(group("time", "day(timestamp_ns)", ""));
    private static final List<ReplicaGroup> THREE = List.of(
            group("time", "day(timestamp_ns)", ""),
            group("second", "hour(timestamp_ns)", "value"),
            group("third", "month(timestamp_ns)", "timestamp_ns"));

    private static Advice advise(List<QueryClass> classes, List<ReplicaGroup> today, int count, long seed) {
        return Advisor.advise(sample(new Random(seed)), classes, today, count, COSTS, 128 << 20, seed);
    }

    @Test
    void whatIsAskedForIsPartitionedBy() {
        List<QueryClass> classes = AskedWorkloads.of(Map.of(
                List.of(Measured.values("signal", 1)), 100,
                List.of(Measured.values("device", 1), Measured.range("timestamp_ns", Operator.RANGE, 0.1)), 50,
                List.of(Measured.range("timestamp_ns", Operator.RANGE, 0.01)), 10));
        Advice advice = advise(classes, ONE, 3, SEED);
        assertThat(advice.groups()).hasSize(3);
        assertThat(advice.groups().get(0)).isEqualTo(ONE.get(0));
        assertThat(advice.optimal()).isTrue();
        assertThat(advice.covered()).isEqualTo(1);
        List<String> columns = advice.groups().stream()
                .map(g -> g.predicates().get(0).column())
                .toList();
        assertThat(columns).contains("signal", "device");
        assertThat(advice.advisedMs()).isLessThan(advice.stockMs() / 4);
        assertThat(advice.reasons().values()).anySatisfy(r -> assertThat(r).contains("signal = 1 value"));
        advice.groups().forEach(g -> assertThat(g.sortKeys(SCHEMA)).isNotEmpty());
    }

    @Test
    void goodGroupsStay() {
        List<QueryClass> classes =
                AskedWorkloads.of(Map.of(List.of(Measured.range("timestamp_ns", Operator.RANGE, 0.01)), 10));
        Advice advice = advise(classes, ONE, 1, SEED);
        assertThat(advice.isAsToday()).isTrue();
        assertThat(advice.groups()).isEqualTo(ONE);
    }

    /** Advised groups get the codec of those that are there, also one that is chosen for each file. */
    @Test
    void aChosenCodecStays() {
        ReplicaGroup today = ONE.get(0);
        ReplicaGroup auto =
                new ReplicaGroup(today.name(), today.predicates(), today.sort(), 1, Codecs.parse("auto, value=zstd:9"));
        List<QueryClass> classes = AskedWorkloads.of(Map.of(
                List.of(Measured.values("signal", 1)), 100,
                List.of(Measured.range("timestamp_ns", Operator.RANGE, 0.01)), 10));
        Advice advice = advise(classes, List.of(auto), 2, SEED);
        assertThat(advice.groups()).hasSize(2).contains(auto);
        assertThat(advice.groups()).extracting(ReplicaGroup::codec).containsOnly(auto.codec());
        Advice ofZstd = advise(classes, ONE, 2, SEED);
        assertThat(advice.advisedMs()).isEqualTo(ofZstd.advisedMs());
    }

    /** Whatever is asked, advice is not worse than what is there, and near the best of all choices among its candidates. */
    @Test
    void adviceIsNeverWorseThanToday() {
        for (int run = 0; run < 4; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            Map<List<Measured>, Integer> queries = new HashMap<>();
            for (int i = 2 + random.nextInt(6); i > 0; i--) {
                List<Measured> terms = new ArrayList<>();
                if (random.nextBoolean()) {
                    terms.add(Measured.values("signal", 1 + random.nextInt(5)));
                }
                if (random.nextInt(3) == 0) {
                    terms.add(Measured.values("device", 1));
                }
                if (random.nextBoolean()) {
                    terms.add(Measured.range("timestamp_ns", Operator.RANGE, Math.pow(10, -3 * random.nextDouble())));
                }
                if (random.nextInt(4) == 0) {
                    terms.add(Measured.range("value", Operator.RANGE, random.nextDouble()));
                }
                queries.put(terms, 1 + random.nextInt(100));
            }
            Advice advice = advise(AskedWorkloads.of(queries), THREE, 3, seed);
            String what = "-Dmpsr.seed=" + seed;
            assertThat(advice.groups()).as(what).hasSize(3);
            assertThat(advice.groups().get(0)).as(what).isEqualTo(THREE.get(0));
            assertThat(advice.advisedMs()).as(what).isLessThanOrEqualTo(advice.todayMs() * (1 + 1e-9));
            assertThat(advice.todayMs()).as(what).isLessThanOrEqualTo(advice.stockMs() * 1.1 + 1e-9);
            if (run == 0) {
                assertThat(advise(AskedWorkloads.of(queries), THREE, 3, seed).groups())
                        .as(what)
                        .isEqualTo(advice.groups());
            }
        }
    }

    @Test
    void withoutQueriesOrRecordsThereIsNoAdvice() {
        assertThatThrownBy(() -> advise(List.of(), ONE, 3, SEED)).hasMessageContaining("no query is known");
        DataSample none = new DataSample(SCHEMA, 0, 0, Map.of(), List.of());
        assertThatThrownBy(() -> Advisor.advise(none, List.of(), ONE, 3, COSTS, 1, SEED))
                .hasMessageContaining("no records");
    }
}
