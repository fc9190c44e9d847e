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
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GroupSearchTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);

    /** Queries of a few kinds, each of which some candidates serve well and others badly. */
    private static double[][] costs(Random random, int candidates, int queries) {
        double[][] costs = new double[candidates][queries];
        for (double[] ofCandidate : costs) {
            int kind = random.nextInt(6);
            for (int q = 0; q < queries; q++) {
                double fit = q % 6 == kind ? 0.02 + 0.1 * random.nextDouble() : 0.3 + 0.7 * random.nextDouble();
                ofCandidate[q] = fit * (1 + q % 4);
            }
        }
        return costs;
    }

    private static double[] weights(Random random, int queries) {
        double[] weights = new double[queries];
        for (int q = 0; q < queries; q++) {
            weights[q] = Math.pow(10, 3 * random.nextDouble());
        }
        return weights;
    }

    private static List<Integer> numbers(int from, int to) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    @Test
    void exchangesComeNearToTheBestOfAllChoices() {
        for (int run = 0; run < 300; run++) {
            Random random = new Random(SEED + run);
            int queries = 5 + random.nextInt(20);
            int candidates = 10 + random.nextInt(30);
            int free = 1 + random.nextInt(3);
            double[][] costs = costs(random, candidates, queries);
            GroupSearch search = new GroupSearch(costs, costs, weights(random, queries), free);
            Set<Integer> today = new TreeSet<>(numbers(0, free + 1));
            List<Integer> others = numbers(1, candidates);

            double best = search.cost(search.all(Set.of(0), others, free));
            List<Integer> found = search.exchange(Set.of(0), others, free, List.of(today));
            String what = "-Dmpsr.seed=" + (SEED + run);
            assertThat(found).as(what).hasSize(free + 1).contains(0).doesNotHaveDuplicates();
            assertThat(search.cost(found)).as(what).isBetween(best - 1e-9, best * 1.05);
            assertThat(search.cost(found)).as(what).isLessThanOrEqualTo(search.cost(today));
        }
    }

    @Test
    void manyChoicesAreNotAllLookedAt() {
        assertThat(GroupSearch.isWhole(100, 2)).isTrue();
        assertThat(GroupSearch.isWhole(119, 3)).isFalse();
        Random random = new Random(SEED);
        double[][] costs = costs(random, 120, 30);
        GroupSearch search = new GroupSearch(costs, costs, weights(random, 30), 3);
        List<Integer> found = search.search(Set.of(0), List.of());
        double best = search.cost(search.all(Set.of(0), numbers(1, 120), 3));
        assertThat(search.cost(found)).as("-Dmpsr.seed=%s", SEED).isLessThanOrEqualTo(best * 1.05);
    }

    @Test
    void noMoreAreChosenThanThereAre() {
        double[][] costs = {{3, 1}, {1, 3}};
        GroupSearch search = new GroupSearch(costs, costs, new double[] {1, 1}, 5);
        assertThat(search.search(Set.of(0), List.of())).containsExactly(0, 1);
        assertThat(new GroupSearch(costs, costs, new double[] {1, 1}, 0).search(Set.of(0), List.of()))
                .containsExactly(0);
    }

    /** A candidate that would be cheap helps only if it also looks cheap. */
    @Test
    void queriesCostWhatTheyCostInTheCandidateThatTheyAreGiven() {
        double[][] planned = {{9, 9}, {5, 4}, {6, 3}, {4, 8}};
        double[][] costs = {{9, 9}, {1, 2}, {6, 3}, {4, 8}};
        GroupSearch search = new GroupSearch(planned, costs, new double[] {1, 1}, 2);
        assertThat(search.cost(List.of(0, 1, 2))).isEqualTo(1 + 3);
        assertThat(search.cost(List.of(0, 1, 3))).isEqualTo(4 + 2);
        assertThat(search.search(Set.of(0), List.of())).containsExactly(0, 1, 2);
    }
}
