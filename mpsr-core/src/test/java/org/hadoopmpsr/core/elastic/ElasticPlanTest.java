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
package org.hadoopmpsr.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.elastic.ElasticPlan.Change;
import org.junit.jupiter.api.Test;

class ElasticPlanTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final int QUERIES = 100;
    private static final long ALL = Long.MAX_VALUE;

    private static ElasticFile file(long id, int now, double heat) {
        return new ElasticFile(id, 10, 1, 4, now, heat);
    }

    private static List<Change> changes(long budget, ElasticFile... files) {
        return ElasticPlan.of(List.of(files), QUERIES, budget, ALL).changes();
    }

    /** The files after the changes, with a heat that is {@code factor} times as high. */
    private static List<ElasticFile> after(List<ElasticFile> files, ElasticPlan plan, double factor) {
        Map<Long, Integer> to = plan.changes().stream().collect(Collectors.toMap(Change::id, Change::to));
        return files.stream()
                .map(f -> new ElasticFile(
                        f.id(), f.bytes(), f.least(), f.most(), to.getOrDefault(f.id(), f.now()), f.heat() * factor))
                .collect(Collectors.toList());
    }

    @Test
    void copiesFollowTheReads() {
        assertThat(changes(ALL, file(1, 1, 99))).isEmpty();
        assertThat(changes(ALL, file(1, 1, 100))).containsExactly(new Change(1, 1, 2, 10));
        assertThat(changes(ALL, file(1, 1, 250))).containsExactly(new Change(1, 1, 3, 10));
        assertThat(changes(ALL, file(1, 1, 9_999)))
                .containsExactly(new Change(1, 1, 4, 10)); // no more than it may have
    }

    @Test
    void aCopyIsGivenBackWhenHalfAsMuchIsRead() {
        assertThat(changes(ALL, file(1, 2, 50))).isEmpty();
        assertThat(changes(ALL, file(1, 2, 49.9))).containsExactly(new Change(1, 2, 1, 10));
        assertThat(changes(ALL, file(1, 4, 101))).containsExactly(new Change(1, 4, 3, 10));
        assertThat(changes(ALL, file(1, 4, 0))).containsExactly(new Change(1, 4, 1, 10));
    }

    @Test
    void aFileWithMoreCopiesThanItMayHaveGivesThemBack() {
        assertThat(changes(ALL, new ElasticFile(1, 10, 2, 3, 6, 1e9))).containsExactly(new Change(1, 6, 3, 10));
    }

    @Test
    void theBudgetIsDividedCopyByCopy() {
        assertThat(changes(30, file(1, 1, 1_000), file(2, 1, 600)))
                .containsExactly(new Change(1, 1, 3, 10), new Change(2, 1, 2, 10));
    }

    @Test
    void whatDoesNotFitIsRefusedAndASmallerFileGetsTheRoom() {
        ElasticFile large = new ElasticFile(1, 100, 1, 4, 1, 1_000);
        ElasticPlan plan = ElasticPlan.of(List.of(large, file(2, 1, 150)), QUERIES, 50, ALL);
        assertThat(plan.changes()).containsExactly(new Change(2, 1, 2, 10));
        assertThat(plan.refused()).isEqualTo(3);
        assertThat(plan.bytes()).isEqualTo(10);
    }

    @Test
    void aSmallerBudgetTakesTheCopiesThatAreReadLeast() {
        assertThat(changes(10, file(1, 2, 300), file(2, 2, 200))).containsExactly(new Change(2, 2, 1, 10));
        assertThat(changes(0, file(1, 2, 300), file(2, 2, 200)))
                .containsExactly(new Change(1, 2, 1, 10), new Change(2, 2, 1, 10));
    }

    @Test
    void aCopyMakesRoomForAFileThatIsReadTwiceAsMuch() {
        assertThat(changes(10, file(1, 2, 100), file(2, 1, 199))).isEmpty();
        assertThat(changes(10, file(1, 2, 100), file(2, 1, 201)))
                .containsExactly(new Change(1, 2, 1, 10), new Change(2, 1, 2, 10));
    }

    @Test
    void whatIsCopiedAtATimeIsLimited() {
        ElasticPlan plan = ElasticPlan.of(List.of(file(1, 1, 400), file(2, 1, 300), file(3, 2, 0)), QUERIES, ALL, 11);
        assertThat(plan.changes())
                .containsExactly(new Change(3, 2, 1, 10), new Change(1, 1, 2, 10), new Change(2, 1, 2, 10));
        assertThat(plan.waiting()).isEqualTo(4);
        assertThat(ElasticPlan.of(List.of(file(1, 1, 400), file(2, 2, 0)), QUERIES, ALL, 0)
                        .changes())
                .containsExactly(new Change(2, 2, 1, 10));
    }

    @Test
    void aCopyThatWaitsKeepsItsRoom() {
        ElasticPlan plan = ElasticPlan.of(List.of(file(1, 1, 300), file(2, 1, 299)), QUERIES, 20, 10);
        assertThat(plan.changes()).containsExactly(new Change(1, 1, 2, 10));
        assertThat(plan.waiting()).isEqualTo(1);
        assertThat(plan.refused()).isEqualTo(3);
    }

    @Test
    void badValuesAreRefused() {
        assertThatThrownBy(() -> new ElasticFile(1, 10, 2, 1, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("copies from 2 to 1");
        assertThatThrownBy(() -> new ElasticSettings(10, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("out of range");
    }

    @Test
    void theBudgetIsAShareOfAllBytes() {
        assertThat(new ElasticSettings(10, 1, 1, 0).budgetBytes(1_999)).isEqualTo(199);
        assertThat(new ElasticSettings(100, 1, 1, 0).budgetBytes(Long.MAX_VALUE))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(new ElasticSettings(0, 1, 1, 0).isOn()).isFalse();
    }

    @Test
    void whateverIsReadThePlanKeepsItsRules() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            String what = "-Dmpsr.seed=" + SEED + ", round " + round;
            List<ElasticFile> files = new ArrayList<>();
            for (int id = 0; id < random.nextInt(30); id++) {
                int least = 1 + random.nextInt(3);
                int most = least + random.nextInt(5);
                files.add(new ElasticFile(
                        id,
                        random.nextInt(1_000),
                        least,
                        most,
                        least + random.nextInt(6),
                        Math.exp(random.nextDouble() * 9)));
            }
            long budget = random.nextInt(10_000);
            long copy = random.nextInt(4) == 0 ? ALL : random.nextInt(3_000);
            ElasticPlan plan = ElasticPlan.of(files, QUERIES, budget, copy);

            Map<Long, ElasticFile> before = files.stream().collect(Collectors.toMap(ElasticFile::id, f -> f));
            List<ElasticFile> after = after(files, plan, 1);
            assertThat(after).as(what).allSatisfy(f -> assertThat(f.now()).isBetween(f.least(), f.most()));
            assertThat(after.stream()
                            .mapToLong(f -> f.bytes() * (f.now() - f.least()))
                            .sum())
                    .as(what)
                    .isLessThanOrEqualTo(budget)
                    .isEqualTo(plan.bytes());
            long copied = plan.changes().stream().mapToLong(Change::copied).sum();
            long largest = files.stream().mapToLong(ElasticFile::bytes).max().orElse(0);
            assertThat(copied).as(what).isLessThanOrEqualTo(copy == ALL ? ALL : copy + largest);
            assertThat(plan.changes()).as(what).allSatisfy(c -> {
                assertThat(c.from()).isEqualTo(before.get(c.id()).now()).isNotEqualTo(c.to());
                if (c.to() > c.from()) {
                    assertThat(before.get(c.id()).heat())
                            .isGreaterThanOrEqualTo(
                                    QUERIES * (c.to() - before.get(c.id()).least()));
                }
            });
            List<ElasticFile> shuffled = new ArrayList<>(files);
            Collections.shuffle(shuffled, random);
            assertThat(ElasticPlan.of(shuffled, QUERIES, budget, copy)).as(what).isEqualTo(plan);
            if (copy == ALL) { // all is done at once, and nothing is undone
                assertThat(ElasticPlan.of(after, QUERIES, budget, ALL).changes())
                        .as(what)
                        .isEmpty();
                assertThat(ElasticPlan.of(after(files, plan, 1.5), QUERIES, budget, 0)
                                .changes())
                        .as(what)
                        .isEmpty();
            }
        }
    }
}
