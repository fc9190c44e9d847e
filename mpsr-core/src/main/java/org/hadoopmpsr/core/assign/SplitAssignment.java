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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Assigns splits to nodes by the locality-aware algorithm of Ng et al., "VisDSI: Locality Aware I/O Solution for Large
 * Scale Data Visualization", Algorithm 1: for each split in turn, the node with the least sum of the node's load so far
 * and the {@link ReadCost cost} to read the split there.
 *
 * <p>The paper leaves the order of the splits open. Here each split has a home among the nodes that hold most of it.
 * Splits come in the order in which their homes would start to read them, the largest first. A split is therefore read
 * elsewhere only if the home is behind a node that has nothing of its own left to read. Evenly spread data is read
 * where it lies.
 *
 * <p>No node reads longer than the average plus one remote read. Of equal candidates the first node and the first split
 * win, and equal arguments give equal results. The algorithm takes m log m for m splits, plus log n for each split on n
 * nodes.
 */
public final class SplitAssignment {
    private static final int NOWHERE = -1;

    private final List<Split> splits;
    private final ReadCost cost;
    private final List<String> nodes;
    /** For each split, the nodes that hold some of the split, in ascending order. */
    private final int[][] holders;
    /** For each split, the bytes that each of its holders has. */
    private final long[][] held;

    private SplitAssignment(List<Split> splits, List<String> nodes, ReadCost cost) {
        this.splits = splits;
        this.nodes = nodes;
        this.cost = cost;
        this.holders = new int[splits.size()][];
        this.held = new long[splits.size()][];
    }

    /**
     * Assigns each split to one of the nodes.
     *
     * @param nodes the names of the nodes, at least one, without repetition
     */
    public static Assignment assign(List<Split> splits, List<String> nodes, ReadCost cost) {
        Map<String, Integer> indices = new HashMap<>();
        for (String node : nodes) {
            if (indices.putIfAbsent(node, indices.size()) != null) {
                throw new IllegalArgumentException("the node '" + node + "' is named twice; name each node once");
            }
        }
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("there is no node to read " + splits.size() + " splits; name one");
        }
        SplitAssignment assignment = new SplitAssignment(splits, List.copyOf(nodes), cost);
        for (int i = 0; i < splits.size(); i++) {
            assignment.find(i, indices);
        }
        return assignment.result(assignment.assign(assignment.order()));
    }

    private void find(int split, Map<String, Integer> indices) {
        Map<String, Long> local = splits.get(split).localBytes();
        int[] found = local.keySet().stream()
                .filter(indices::containsKey)
                .mapToInt(indices::get)
                .sorted()
                .toArray();
        holders[split] = found;
        held[split] = Arrays.stream(found)
                .mapToLong(n -> Math.min(
                        local.getOrDefault(nodes.get(n), 0L), splits.get(split).bytes()))
                .toArray();
    }

    private double costMs(int split, int holder) {
        return cost.costMs(splits.get(split).bytes(), holder == NOWHERE ? 0 : held[split][holder]);
    }

    /** The order in which the splits are assigned: by the time at which the split's home would start to read it. */
    private int[] order() {
        int[] largestFirst = IntStream.range(0, splits.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> -splits.get(i).bytes()))
                .mapToInt(i -> i)
                .toArray();
        double[] busyMs = new double[nodes.size()];
        double[] beginMs = new double[splits.size()];
        for (int split : largestFirst) {
            int home = leastBusy(split, busyMs);
            if (home == NOWHERE) {
                beginMs[split] = Double.POSITIVE_INFINITY;
            } else {
                beginMs[split] = busyMs[holders[split][home]];
                busyMs[holders[split][home]] += costMs(split, home);
            }
        }
        return Arrays.stream(largestFirst)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> beginMs[i]))
                .mapToInt(i -> i)
                .toArray();
    }

    /** The holder that would finish the split first, or {@link #NOWHERE}. */
    private int leastBusy(int split, double[] busyMs) {
        int best = NOWHERE;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < holders[split].length; i++) {
            double done = busyMs[holders[split][i]] + costMs(split, i);
            if (done < least) {
                best = i;
                least = done;
            }
        }
        return best;
    }

    /** Algorithm 1. Of the nodes that hold nothing of a split, only the node with the least load can be the best. */
    private int[] assign(int[] order) {
        int[] nodeOf = new int[splits.size()];
        LeastLoad loads = new LeastLoad(nodes.size());
        for (int split : order) {
            int best = loads.least();
            double bestCost = costMs(split, holderIndex(split, best));
            for (int i = 0; i < holders[split].length; i++) {
                int node = holders[split][i];
                double costHere = costMs(split, i);
                double difference = loads.of(node) + costHere - (loads.of(best) + bestCost);
                if (difference < 0 || difference == 0 && node < best) {
                    best = node;
                    bestCost = costHere;
                }
            }
            loads.add(best, bestCost);
            nodeOf[split] = best;
        }
        return nodeOf;
    }

    /** The position of the node among the split's holders, or {@link #NOWHERE}. */
    private int holderIndex(int split, int node) {
        return Math.max(NOWHERE, Arrays.binarySearch(holders[split], node));
    }

    private Assignment result(int[] nodeOf) {
        int[] counts = new int[nodes.size()];
        long[] bytes = new long[nodes.size()];
        long[] localBytes = new long[nodes.size()];
        double[] costMs = new double[nodes.size()];
        for (int split = 0; split < nodeOf.length; split++) {
            int node = nodeOf[split];
            int holder = holderIndex(split, node);
            counts[node]++;
            bytes[node] += splits.get(split).bytes();
            localBytes[node] += holder == NOWHERE ? 0 : held[split][holder];
            costMs[node] += costMs(split, holder);
        }
        List<Assignment.Load> loads = new ArrayList<>();
        for (int n = 0; n < nodes.size(); n++) {
            loads.add(new Assignment.Load(nodes.get(n), counts[n], bytes[n], localBytes[n], costMs[n]));
        }
        return new Assignment(Arrays.stream(nodeOf).boxed().toList(), loads);
    }
}
