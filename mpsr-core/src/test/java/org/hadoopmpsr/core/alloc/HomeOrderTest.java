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
package org.hadoopmpsr.core.alloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class HomeOrderTest {
    private record Weighted(String id, long weight) {}

    private static HomeOrder<Weighted> order(List<Weighted> nodes) {
        return new HomeOrder<>(nodes, Weighted::id, Weighted::weight);
    }

    private static List<Weighted> nodes(Random random, int count) {
        List<Weighted> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = new UUID(random.nextLong(), random.nextLong()).toString();
            nodes.add(new Weighted(id, (1L << 40) * (1 + random.nextInt(4))));
        }
        return nodes;
    }

    private static SegmentFiles files(int i) {
        return new SegmentFiles("meas-1a2b3c4d", "meas-3-" + i + "-" + (i + 1) + "-0a1b2c3d", "signal");
    }

    @Test
    void aNodeThatComesOrGoesLeavesTheOrderOfTheOthers() {
        Seeds.forAll(20, random -> {
            List<Weighted> nodes = nodes(random, 2 + random.nextInt(30));
            Weighted one = nodes.get(random.nextInt(nodes.size()));
            List<Weighted> others = nodes.stream().filter(n -> n != one).toList();
            for (int i = 0; i < 50; i++) {
                List<Weighted> with = new ArrayList<>(order(nodes).of(files(i)));
                with.remove(one);
                assertThat(with).isEqualTo(order(others).of(files(i)));
            }
        });
    }

    @Test
    void eachNodeIsFirstForItsShareOfTheWeights() {
        Seeds.forAll(5, random -> {
            List<Weighted> nodes = nodes(random, 2 + random.nextInt(20));
            HomeOrder<Weighted> order = order(nodes);
            int segments = 20_000;
            Map<Weighted, Integer> first = new HashMap<>();
            for (int i = 0; i < segments; i++) {
                first.merge(order.of(files(i)).get(0), 1, Integer::sum);
            }
            double weights = nodes.stream().mapToLong(Weighted::weight).sum();
            for (Weighted node : nodes) {
                double share = node.weight() / weights;
                double deviation = Math.sqrt(segments * share * (1 - share));
                assertThat((double) first.getOrDefault(node, 0))
                        .as("share %s", share)
                        .isCloseTo(segments * share, within(5 * deviation));
            }
        });
    }

    /** A change of a weight moves segments to the node that grew, and none between other nodes. */
    @Test
    void aNodeThatGrowsTakesFromAllAndMovesNothingElse() {
        Seeds.forAll(20, random -> {
            List<Weighted> nodes = nodes(random, 2 + random.nextInt(20));
            List<Weighted> grown = new ArrayList<>(nodes);
            int n = random.nextInt(nodes.size());
            grown.set(n, new Weighted(nodes.get(n).id(), nodes.get(n).weight() * 2));
            for (int i = 0; i < 100; i++) {
                String before = order(nodes).of(files(i)).get(0).id();
                String after = order(grown).of(files(i)).get(0).id();
                assertThat(after).isIn(before, grown.get(n).id());
            }
        });
    }

    @Test
    void theOrderInWhichNodesAreListedDoesNotCount() {
        Seeds.forAll(20, random -> {
            List<Weighted> nodes = nodes(random, 10);
            List<Weighted> shuffled = new ArrayList<>(nodes);
            Collections.shuffle(shuffled, random);

            assertThat(order(shuffled).of(files(1))).isEqualTo(order(nodes).of(files(1)));
        });
    }

    @Test
    void datasetSegmentAndGroupEachCount() {
        HomeOrder<Weighted> order = order(nodes(new Random(7), 50));
        assertThat(List.of(
                        order.of(new SegmentFiles("a", "b", "c")),
                        order.of(new SegmentFiles("x", "b", "c")),
                        order.of(new SegmentFiles("a", "x", "c")),
                        order.of(new SegmentFiles("a", "b", "x")),
                        order.of(new SegmentFiles("ab", "", "c"))))
                .doesNotHaveDuplicates();
    }

    /** Later versions must find the homes of earlier ones, or re-replication spreads a segment. */
    @Test
    void theOrderIsTheOneOfEarlierVersions() {
        List<Weighted> nodes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            nodes.add(new Weighted("dn" + i, 1L << (40 + i % 2)));
        }
        assertThat(order(nodes).of(files(42)).stream().map(Weighted::id))
                .containsExactly("dn7", "dn5", "dn4", "dn2", "dn6", "dn0", "dn1", "dn3");
    }

    @Test
    void nodesOfUnknownCapacityWeighTheSame() {
        List<Weighted> nodes = List.of(new Weighted("a", 0), new Weighted("b", -1), new Weighted("c", 1));
        assertThat(order(nodes).of(files(1))).hasSize(3);
        assertThat(order(List.of()).of(files(1))).isEmpty();
    }
}
