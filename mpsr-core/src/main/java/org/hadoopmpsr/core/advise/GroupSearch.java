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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Searches the groups that answer a workload with the least cost, if each query is answered by the one that counts as the cheapest. Where there are few ways
 * to choose, it looks at all of them; else it takes the best one after the other, and exchanges one for another as long as that helps.
 * The result never costs more than where it may start. A pure function.
 */
final class GroupSearch {
    /** So many ways to choose are all looked at. */
    private static final double FEW = 200_000;
    /** An exchange must help by this share at least, so that the search ends. */
    private static final double LEAST_GAIN = 1e-9;

    private final double[][] planned;
    private final double[][] costs;
    private final double[] weights;
    private final int free;

    /**
     * @param planned for each candidate the cost of each query by which the candidate is chosen for the query
     * @param costs for each candidate what each query costs in it
     * @param weights how often each query is asked
     * @param free how many candidates may be chosen
     */
    GroupSearch(double[][] planned, double[][] costs, double[] weights, int free) {
        this.planned = planned;
        this.costs = costs;
        this.weights = weights;
        this.free = free;
    }

    /**
     * The cheapest choice.
     *
     * @param fixed candidates that are chosen in any case
     * @param starts choices of at most as many others to start from
     * @return the chosen candidates, the fixed ones among them, in order
     */
    List<Integer> search(Collection<Integer> fixed, List<? extends Collection<Integer>> starts) {
        List<Integer> others = new ArrayList<>();
        for (int c = 0; c < costs.length; c++) {
            if (!fixed.contains(c)) {
                others.add(c);
            }
        }
        int most = Math.min(free, others.size());
        return isWhole(others.size(), free) ? all(fixed, others, most) : exchange(fixed, others, most, starts);
    }

    /** True if all ways to choose so many of others are looked at. */
    static boolean isWhole(int others, int free) {
        return ways(others, Math.min(free, others)) <= FEW;
    }

    /** The cost of a choice. */
    double cost(Collection<Integer> chosen) {
        double sum = 0;
        for (int q = 0; q < weights.length; q++) {
            double least = Double.POSITIVE_INFINITY;
            double its = Double.POSITIVE_INFINITY;
            for (int c : chosen) {
                if (planned[c][q] < least) {
                    least = planned[c][q];
                    its = costs[c][q];
                }
            }
            sum += weights[q] * its;
        }
        return sum;
    }

    private static double ways(int n, int k) {
        double ways = 1;
        for (int i = 0; i < k; i++) {
            ways = ways * (n - i) / (i + 1);
        }
        return ways;
    }

    /** Looks at every choice of so many. */
    List<Integer> all(Collection<Integer> fixed, List<Integer> others, int most) {
        Best best = new Best(fixed);
        extend(fixed, others, 0, most, best);
        return best.chosen;
    }

    private void extend(Collection<Integer> chosen, List<Integer> others, int from, int left, Best best) {
        if (left == 0) {
            best.take(chosen);
            return;
        }
        for (int i = from; i <= others.size() - left; i++) {
            List<Integer> more = new ArrayList<>(chosen);
            more.add(others.get(i));
            extend(more, others, i + 1, left - 1, best);
        }
    }

    /** Greedy, then exchanges: from the given choices, from none, and from each candidate as the first one. */
    List<Integer> exchange(
            Collection<Integer> fixed, List<Integer> others, int most, List<? extends Collection<Integer>> starts) {
        Best best = new Best(fixed);
        List<Collection<Integer>> from = new ArrayList<>(starts);
        from.add(fixed);
        others.forEach(first -> from.add(List.of(first)));
        for (Collection<Integer> start : from) {
            List<Integer> chosen = new ArrayList<>(new TreeSet<>(fixed));
            start.stream().filter(c -> !chosen.contains(c)).limit(most).forEach(chosen::add);
            while (chosen.size() < fixed.size() + most && addBest(chosen, others)) {
                // one more
            }
            while (exchangeOne(chosen, fixed, others)) {
                // and again
            }
            best.take(chosen);
        }
        return best.chosen;
    }

    private boolean addBest(List<Integer> chosen, List<Integer> others) {
        int found = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int c : others) {
            if (!chosen.contains(c)) {
                chosen.add(c);
                double cost = cost(chosen);
                chosen.remove(chosen.size() - 1);
                if (cost < least) {
                    least = cost;
                    found = c;
                }
            }
        }
        return found >= 0 && chosen.add(found);
    }

    /** Makes the best exchange, if one helps. */
    private boolean exchangeOne(List<Integer> chosen, Collection<Integer> fixed, List<Integer> others) {
        double least = cost(chosen) * (1 - LEAST_GAIN);
        int[] found = null;
        for (int i = 0; i < chosen.size(); i++) {
            int out = chosen.get(i);
            if (fixed.contains(out)) {
                continue;
            }
            for (int in : others) {
                if (!chosen.contains(in)) {
                    chosen.set(i, in);
                    double cost = cost(chosen);
                    chosen.set(i, out);
                    if (cost < least) {
                        least = cost;
                        found = new int[] {i, in};
                    }
                }
            }
        }
        if (found != null) {
            chosen.set(found[0], found[1]);
        }
        return found != null;
    }

    /** The cheapest choice so far. */
    private final class Best {
        private List<Integer> chosen;
        private double cost = Double.POSITIVE_INFINITY;

        Best(Collection<Integer> fixed) {
            chosen = List.copyOf(fixed);
        }

        void take(Collection<Integer> other) {
            double its = cost(other);
            if (its < cost) {
                cost = its;
                Integer[] sorted = other.toArray(Integer[]::new);
                Arrays.sort(sorted);
                chosen = List.of(sorted);
            }
        }
    }
}
