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
package org.hadoopmpsr.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hadoopmpsr.core.plan.Candidate;
import org.junit.jupiter.api.Test;

class WorkloadLogTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final String WHAT = "-Dmpsr.seed=" + SEED;

    private static AskedShape shape(String column, double values) {
        return AskedShape.of(List.of(AskedShape.Measured.values(column, values)), null);
    }

    private static Asked asked(AskedShape shape) {
        return new Asked(
                shape,
                "signal",
                new Amount(2, 100, 10),
                new Amount(20, 1_000, 100),
                List.of(
                        new Candidate("time", 20, 900, 50, true, 0, null),
                        new Candidate("signal", 2, 100, 5, false, 0, null),
                        new Candidate("device", 0, 0, 0, false, 0, "it is damaged")),
                null);
    }

    @Test
    void sumsAreThoseOfTheQueries() {
        WorkloadLog log = new WorkloadLog(100);
        log.asked("d", "form", asked(shape("signal", 1)), 5);
        log.asked("d", "form", asked(shape("signal", 1)), 7);
        log.askedAgain("d", "form", shape("signal", 1).shape(), 9);
        log.askedAgain("d", "form", shape("never", 1).shape(), 9);
        log.took("d", shape("signal", 1).shape(), 40);
        log.asked("d", "form", new Asked(shape("signal", 1), null, Amount.NONE, Amount.NONE, List.of(), null), 11);

        assertThat(log.classes("d")).singleElement().satisfies(one -> {
            assertThat(one.over()).isZero();
            QueryTally tally = one.tally();
            assertThat(tally.queries()).isEqualTo(4);
            assertThat(tally.repeats()).isEqualTo(1);
            assertThat(tally.stock()).isEqualTo(1);
            assertThat(tally.firstMs()).isEqualTo(5);
            assertThat(tally.lastMs()).isEqualTo(11);
            assertThat(tally.measure(0)).isEqualTo(1);
            assertThat(tally.planned()).isEqualTo(new Amount(6, 300, 30));
            assertThat(tally.all()).isEqualTo(new Amount(60, 3_000, 300));
            assertThat(tally.groups()).containsOnlyKeys("signal", "time");
            assertThat(tally.groups().get("signal")).isEqualTo(new GroupTally(3, 3, 0, 6, 300, 15));
            assertThat(tally.groups().get("time")).isEqualTo(new GroupTally(0, 3, 3, 60, 2_700, 150));
            assertThat(tally.reports()).isEqualTo(1);
            assertThat(tally.reportedMs()).isEqualTo(40);
        });
    }

    @Test
    void otherGroupsBeginAnew() {
        WorkloadLog log = new WorkloadLog(100);
        log.asked("d", "three groups", asked(shape("signal", 1)), 5);
        log.asked("d", "four groups", asked(shape("device", 1)), 6);
        assertThat(log.classes("d")).extracting(c -> c.shape().conditions()).containsExactly("device = 1 value");
        assertThat(log.size()).isEqualTo(1);
        log.retain(Set.of());
        assertThat(log.size()).isZero();
        assertThat(log.datasets()).isEmpty();
    }

    @Test
    void nothingIsKeptWhereNothingMayBe() {
        WorkloadLog log = new WorkloadLog(0);
        log.asked("d", "form", asked(shape("signal", 1)), 5);
        assertThat(log.isOn()).isFalse();
        assertThat(log.datasets()).isEmpty();
    }

    /** What is frequent stays, whatever else comes, and no count is wrong by more than is said. */
    @Test
    void aMillionShapesStayWithinBounds() {
        Random random = new Random(SEED);
        int most = 200;
        WorkloadLog log = new WorkloadLog(most);
        Map<String, Map<QueryShape, Long>> truth = new HashMap<>();
        int queries = 1_000_000;
        for (int i = 0; i < queries; i++) {
            String dataset = "d-" + random.nextInt(3);
            // one query of ten is of a few classes; all others are of classes that hardly come again
            AskedShape shape = random.nextInt(10) == 0
                    ? shape("often-" + random.nextInt(3), 1)
                    : shape("c-" + random.nextInt(1 << 30), 1);
            log.asked(dataset, "form", asked(shape), i);
            if (shape.shape().terms().get(0).column().startsWith("often")) {
                truth.computeIfAbsent(dataset, d -> new HashMap<>()).merge(shape.shape(), 1L, Long::sum);
            }
            if (i % 100_000 == 0) {
                assertThat(log.size()).as(WHAT).isLessThanOrEqualTo(most);
            }
        }
        assertThat(log.size()).as(WHAT).isEqualTo(3 * most / 4);
        assertThat(log.evicted()).as(WHAT).isGreaterThan(queries / 2);
        truth.forEach((dataset, shapes) -> {
            List<QueryClass> classes = log.classes(dataset);
            assertThat(classes).hasSize(most / 4);
            shapes.forEach((shape, count) -> {
                QueryClass found = classes.stream()
                        .filter(c -> c.shape().equals(shape))
                        .findFirst()
                        .orElseThrow();
                assertThat(found.tally().queries()).as(WHAT).isLessThanOrEqualTo(count);
                assertThat(found.tally().queries() + found.over()).as(WHAT).isGreaterThanOrEqualTo(count);
            });
        });
    }

    /** A user who may read one dataset alone cannot drive out what is known of others. */
    @Test
    void oneDatasetTakesAQuarterAtMost() {
        WorkloadLog log = new WorkloadLog(40);
        List<QueryShape> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            AskedShape shape = shape("c-" + i, 1);
            others.add(shape.shape());
            log.asked("quiet", "form", asked(shape), i);
        }
        for (int i = 0; i < 10_000; i++) {
            log.asked("loud", "form", asked(shape("x-" + i, 1)), i);
        }
        assertThat(log.classes("loud")).hasSize(10);
        assertThat(log.classes("quiet")).extracting(QueryClass::shape).containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void manyDatasetsShareThePlaces() {
        WorkloadLog log = new WorkloadLog(8);
        for (int i = 0; i < 100; i++) {
            log.asked("d-" + i, "form", asked(shape("c", 1)), i);
        }
        assertThat(log.size()).isEqualTo(8);
        log.retain(log.datasets());
        assertThat(log.datasets()).hasSize(8).contains("d-99");
    }
}
