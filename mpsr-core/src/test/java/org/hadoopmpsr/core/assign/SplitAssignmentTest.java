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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SplitAssignmentTest {
    private static final ReadCost COST = new ReadCost(2, 150_000, 1, 100_000);

    private static List<String> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
    }

    private static List<Split> randomSplits(Random random, List<String> nodes) {
        int count = random.nextInt(200);
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Set<String> hosts = new HashSet<>();
            for (int r = random.nextInt(4); r > 0; r--) {
                // skewed, and sometimes on a node that does not read
                hosts.add("n" + (int) (random.nextDouble() * random.nextDouble() * (nodes.size() + 2)));
            }
            long bytes = random.nextInt(10) == 0 ? 0 : (long) Math.exp(random.nextDouble() * 19);
            splits.add(random.nextInt(4) > 0 ? Split.on(bytes, hosts) : partlyOn(random, bytes, hosts));
        }
        return splits;
    }

    private static Split partlyOn(Random random, long bytes, Set<String> hosts) {
        Map<String, Long> held = new java.util.HashMap<>();
        hosts.forEach(h -> held.put(h, (long) (bytes * random.nextDouble())));
        return new Split(bytes, held);
    }

    private static double costMs(Split split, String node) {
        return COST.costMs(split.bytes(), split.localBytes().getOrDefault(node, 0L));
    }

    @Test
    void everySplitIsReadOnceAndLoadsAddUp() {
        Seeds.forAll(300, random -> {
            List<String> nodes = nodes(1 + random.nextInt(12));
            List<Split> splits = randomSplits(random, nodes);

            Assignment assignment = SplitAssignment.assign(splits, nodes, COST);

            assertThat(assignment.nodeOf()).hasSameSizeAs(splits);
            for (int n = 0; n < nodes.size(); n++) {
                String node = nodes.get(n);
                List<Split> its = IntStream.range(0, splits.size())
                        .filter(i -> assignment.node(i).equals(node))
                        .mapToObj(splits::get)
                        .toList();
                Assignment.Load load = assignment.loads().get(n);
                assertThat(load.node()).isEqualTo(node);
                assertThat(load.splits()).isEqualTo(its.size());
                assertThat(load.bytes())
                        .isEqualTo(its.stream().mapToLong(Split::bytes).sum());
                assertThat(load.localBytes())
                        .isEqualTo(its.stream()
                                .mapToLong(s -> s.localBytes().getOrDefault(node, 0L))
                                .sum());
                assertThat(load.costMs())
                        .isCloseTo(
                                its.stream().mapToDouble(s -> costMs(s, node)).sum(), within(1e-6));
            }
            assertThat(assignment.loads().stream()
                            .mapToInt(Assignment.Load::splits)
                            .sum())
                    .isEqualTo(splits.size());
        });
    }

    @Test
    void noNodeReadsLongerThanTheAverageAndOneRemoteRead() {
        Seeds.forAll(300, random -> {
            List<String> nodes = nodes(1 + random.nextInt(12));
            List<Split> splits = randomSplits(random, nodes);

            List<Assignment.Load> loads =
                    SplitAssignment.assign(splits, nodes, COST).loads();

            double average = loads.stream()
                    .mapToDouble(Assignment.Load::costMs)
                    .average()
                    .orElseThrow();
            double largest = splits.stream()
                    .mapToDouble(s -> COST.costMs(s.bytes(), 0))
                    .max()
                    .orElse(0);
            assertThat(loads).allSatisfy(l -> assertThat(l.costMs()).isLessThanOrEqualTo(average + largest + 1e-6));
        });
    }

    /** Nodes hold splits of about the same total size, in any order: nothing needs the network. */
    @Test
    void evenlySpreadSplitsAreReadWhereTheyLie() {
        Seeds.forAll(300, random -> {
            List<String> nodes = nodes(1 + random.nextInt(12));
            long total = 1_000_000 + random.nextInt(1_000_000_000);
            List<Split> splits = new ArrayList<>();
            int each = 1 + random.nextInt(20);
            for (String node : nodes) {
                long left = total;
                for (int i = each; i > 0; i--) {
                    long bytes = i == 1 ? left : (long) (left * random.nextDouble() / i);
                    splits.add(Split.on(bytes, List.of(node)));
                    left -= bytes;
                }
            }
            Collections.shuffle(splits, random);

            Assignment assignment = SplitAssignment.assign(splits, nodes, COST);

            assertThat(assignment.localShare()).isEqualTo(1);
            assertThat(assignment.spread()).isCloseTo(1, within(1e-9));
        });
    }

    /** What Algorithm 1 demands of each split, with the loads at that time unknown: the last one of a node shows it. */
    @Test
    void aNodeThatHoldsEverythingGivesAwayWhatOthersReadSooner() {
        List<Split> splits = IntStream.range(0, 30)
                .mapToObj(i -> Split.on(150_000, List.of("n0")))
                .toList();

        Assignment assignment = SplitAssignment.assign(splits, nodes(3), COST);

        // 3 ms on n0, 5.5 ms elsewhere: 45.9 / 14.1 reads
        assertThat(assignment.loads().get(0).splits()).isBetween(14, 15);
        assertThat(assignment.loads().get(1).localBytes()).isZero();
        assertThat(assignment.spread()).isLessThan(1.1);
    }

    @Test
    void aSlowNetworkKeepsReadsAtHome() {
        List<Split> splits = IntStream.range(0, 10)
                .mapToObj(i -> Split.on(150_000, List.of("n0")))
                .toList();
        Assignment assignment = SplitAssignment.assign(splits, nodes(3), new ReadCost(2, 150_000, 1_000, 1));
        assertThat(assignment.loads().get(0).splits()).isEqualTo(10);
    }

    @Test
    void aSplitOfSeveralBlocksGoesWhereMostOfItLies() {
        Split split = new Split(1_000_000, Map.of("n0", 100_000L, "n1", 600_000L, "n2", 300_000L));
        Assignment assignment = SplitAssignment.assign(List.of(split), nodes(4), COST);
        assertThat(assignment.node(0)).isEqualTo("n1");
        assertThat(assignment.localShare()).isEqualTo(0.6);
    }

    @Test
    void equalArgumentsGiveEqualResults() {
        Seeds.forAll(50, random -> {
            long seed = random.nextLong();
            List<String> nodes = nodes(1 + random.nextInt(12));
            assertThat(SplitAssignment.assign(randomSplits(new Random(seed), nodes), nodes, COST))
                    .isEqualTo(SplitAssignment.assign(randomSplits(new Random(seed), nodes), nodes, COST));
        });
    }

    @Test
    void noSplitsLeaveNodesWithoutLoad() {
        Assignment assignment = SplitAssignment.assign(List.of(), nodes(2), COST);
        assertThat(assignment.localShare()).isEqualTo(1);
        assertThat(assignment.spread()).isEqualTo(1);
        assertThat(assignment.loads()).hasSize(2);
    }

    /** If each split were compared with each node these were 10^8 comparisons of loads; it takes a fraction of a second. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void manySplitsOnManyNodes() {
        Random random = new Random(1);
        List<String> nodes = nodes(1_000);
        List<Split> splits = IntStream.range(0, 100_000)
                .mapToObj(i -> Split.on(
                        random.nextInt(128 << 20),
                        random.ints(3, 0, 1_000).mapToObj(nodes::get).toList()))
                .toList();

        Assignment assignment = SplitAssignment.assign(splits, nodes, COST);

        assertThat(assignment.localShare()).isGreaterThan(0.99);
        assertThat(assignment.spread()).isLessThan(1.02);
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThatThrownBy(() -> SplitAssignment.assign(List.of(), List.of(), COST))
                .hasMessage("there is no node to read 0 splits; name one");
        assertThatThrownBy(() -> SplitAssignment.assign(List.of(), List.of("a", "a"), COST))
                .hasMessage("the node 'a' is named twice; name each node once");
        assertThatThrownBy(() -> new ReadCost(1, 0, 1, 1)).hasMessageContaining("bandwidths must be above 0");
    }

    /**
     * Assignments that the package for Python must make as well: the file is a test of both. Written anew with {@code
     * -Dmpsr.write=true}.
     */
    @Test
    void theSharedCasesAreAssignedAsWritten() throws IOException {
        Random random = new Random(20);
        StringBuilder cases =
                new StringBuilder("# Written by SplitAssignmentTest. case NODES DISK_MS DISK_RATE NETWORK_MS"
                        + " NETWORK_RATE, then lines of SIZE HOST=BYTES,… NODE: the node that reads the split\n");
        for (int i = 0; i < 60; i++) {
            List<String> nodes = nodes(1 + random.nextInt(9));
            ReadCost cost = new ReadCost(
                    random.nextInt(3),
                    1 << (10 + random.nextInt(10)),
                    random.nextInt(3),
                    1 << (10 + random.nextInt(10)));
            cases.append(String.format(
                    Locale.ROOT,
                    "case %s %s %s %s %s%n",
                    String.join(",", nodes),
                    cost.diskPrepareMs(),
                    cost.diskBytesPerMs(),
                    cost.networkPrepareMs(),
                    cost.networkBytesPerMs()));
            List<Split> splits = randomSplits(random, nodes);
            Assignment assignment = SplitAssignment.assign(splits, nodes, cost);
            for (int s = 0; s < splits.size(); s++) {
                cases.append(splits.get(s).bytes())
                        .append(' ')
                        .append(new TreeMap<>(splits.get(s).localBytes())
                                .entrySet().stream()
                                        .map(held -> held.getKey() + "=" + held.getValue())
                                        .collect(Collectors.joining(",")))
                        .append(' ')
                        .append(assignment.nodeOf().get(s))
                        .append('\n');
            }
        }
        Path file = Path.of("src/test/resources/assignment/cases.txt");
        if (Boolean.getBoolean("mpsr.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, cases);
        }
        assertThat(file).hasContent(cases.toString());
    }
}
