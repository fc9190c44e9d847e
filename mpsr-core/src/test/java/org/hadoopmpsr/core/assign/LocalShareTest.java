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
package org.hadoopmpsr.core.assign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class LocalShareTest {

    @Test
    void oneReplicaIsLocalAsOftenAsItsNodeIs() {
        List<String> nodes = List.of("a", "b", "c", "d");
        assertThat(LocalShare.of(nodes, Set.of("a", "x"), 1)).isEqualTo(0.25);
        assertThat(LocalShare.of(nodes, Set.of("a", "b", "c", "d"), 1)).isEqualTo(1);
        assertThat(LocalShare.of(nodes, Set.of("x"), 1)).isZero();
    }

    @Test
    void nodesOfOneHostCountEach() {
        assertThat(LocalShare.of(List.of("a", "a", "a", "b"), Set.of("a"), 1)).isEqualTo(0.75);
    }

    @Test
    void whatIsNotKnownIsTakenForLocal() {
        assertThat(LocalShare.of(List.of("a"), Set.of(), 1)).isEqualTo(1);
        assertThat(LocalShare.of(List.of(), Set.of("a"), 1)).isEqualTo(1);
    }

    @Test
    void withAReplicaOnEachNodeAllIsLocal() {
        assertThat(LocalShare.of(List.of("a", "b"), Set.of("a"), 2)).isEqualTo(1);
        assertThat(LocalShare.of(List.of("a", "b"), Set.of("b"), 3)).isEqualTo(1);
        assertThat(LocalShare.of(List.of("a", "b"), Set.of("x"), 3)).isZero();
    }

    /** All ways to place the replicas of a block are gone through. */
    @Test
    void isTheShareOfPlacesWithAReplicaOnTheReadersHosts() {
        Seeds.forAll(300, random -> {
            int count = 1 + random.nextInt(8);
            List<String> nodes =
                    IntStream.range(0, count).mapToObj(i -> "h" + i).toList();
            Set<String> readers = IntStream.range(0, 1 + random.nextInt(10))
                    .mapToObj(i -> "h" + random.nextInt(12))
                    .collect(Collectors.toSet());
            int replicas = 1 + random.nextInt(count);
            long readable = IntStream.range(0, count)
                    .filter(i -> readers.contains(nodes.get(i)))
                    .mapToLong(i -> 1L << i)
                    .sum();
            long[] places = IntStream.range(0, 1 << count)
                    .filter(p -> Integer.bitCount(p) == replicas)
                    .asLongStream()
                    .toArray();
            double local = IntStream.range(0, places.length)
                    .filter(i -> (places[i] & readable) != 0)
                    .count();
            assertThat(LocalShare.of(nodes, readers, replicas)).isCloseTo(local / places.length, within(1e-9));
        });
    }
}
