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
package org.hadoopmpsr.benchmarks.scatter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;
import org.hadoopmpsr.core.alloc.HomeOrder;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.hadoopmpsr.core.alloc.SegmentFiles;
import org.hadoopmpsr.core.hash.Mix64;

/** Where the blocks of an archive lie: a third of the nodes for each group, and the homes of each segment among them. */
final class Layout {
    private final int nodes;
    private final long seed;
    private final List<HomeOrder<Integer>> orders = new ArrayList<>();
    private final int most;
    private final int[][][][] homes; // by group, dataset, segment

    /** @param most the number of homes that are kept of each segment */
    Layout(Archive archive, int nodes, int most, long seed) {
        this.nodes = nodes / Group.values().length;
        this.most = Math.min(most, this.nodes);
        this.seed = seed;
        this.homes = new int[Group.values().length][archive.datasets()][][];
        for (Group group : Group.values()) {
            orders.add(new HomeOrder<>(
                    IntStream.range(0, this.nodes).boxed().toList(),
                    node -> group + "-" + node + "-" + seed,
                    node -> 1L << 44));
            for (int dataset = 0; dataset < archive.datasets(); dataset++) {
                homes[group.ordinal()][dataset] = homes(archive, group, dataset);
            }
        }
    }

    private int[][] homes(Archive archive, Group group, int dataset) {
        HomeOrder<Integer> order = orders.get(group.ordinal());
        return archive.of(dataset).stream()
                .map(segment ->
                        new SegmentFiles("d" + dataset, "s" + segment.from() + "-" + segment.to(), group.name()))
                .map(files ->
                        order.of(files).stream().limit(most).mapToInt(n -> n).toArray())
                .toArray(int[][]::new);
    }

    /** The nodes of each group. */
    int nodes() {
        return nodes;
    }

    /** The homes of a segment, the first ones of the most that are kept. */
    int[] homes(Segment segment, Group group) {
        return homes[group.ordinal()][segment.dataset()][segment.number()];
    }

    /** The node, from 0 in its group, that holds a block of a partition. */
    int node(Segment segment, Group group, int partition, int block, ScatterWidth width) {
        long key = seed;
        for (long part : new long[] {segment.dataset(), segment.from(), group.ordinal(), partition, block}) {
            key = Mix64.of(key + part);
        }
        int spread = Math.min(nodes, width.nodes());
        int drawn = (int) Math.floorMod(key, (long) spread);
        return width.isAll() || spread > most ? drawn : homes(segment, group)[drawn];
    }
}
