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
package org.hadoopmpsr.core.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes trees whose labels are configurations. A few configurations are the classes ({@link Portfolio}); a workload is of the class that
 * it reaches most with, and counts as much as it would lose with the others. Each leaf of the learnt tree then gets the configuration of
 * the portfolio with which its workloads reach most on average, which need not be that of the most of them. Questions whose two answers
 * prescribe the same go.
 */
final class Prescriber {
    /** A leaf of a deep tree has its own configuration, and more than this nobody reads. */
    private static final int MOST_CLASSES = 16;
    /** The weight of a workload for which all classes are as good. */
    private static final double LEAST_WEIGHT = 1e-4;

    private final RunTable table;
    private final TreeLearner learner;
    private final int depth;
    private final long seed;

    Prescriber(RunTable table, TreeLearner learner, int depth, long seed) {
        this.table = table;
        this.learner = learner;
        this.depth = depth;
        this.seed = seed;
    }

    /**
     * Learns from some workloads.
     *
     * @param of their places, at least one
     * @return a tree whose labels are places of configurations
     */
    TreeNode learn(List<Integer> of) {
        List<Integer> portfolio = Portfolio.of(table, of, (int) Math.min(MOST_CLASSES, 1L << Math.min(depth, 30)));
        if (portfolio.size() == 1) {
            return TreeNode.leaf(portfolio.get(0));
        }
        List<Example> examples = new ArrayList<>();
        for (int workload : of) {
            examples.add(example(workload, portfolio));
        }
        return prescribed(learner.learn(examples, portfolio.size(), depth, seed), portfolio, of);
    }

    private Example example(int workload, List<Integer> portfolio) {
        int best = IntStream.range(0, portfolio.size())
                .reduce((a, b) ->
                        table.reached(workload, portfolio.get(b)) > table.reached(workload, portfolio.get(a)) ? b : a)
                .orElseThrow();
        double most = table.reached(workload, portfolio.get(best));
        double lost = portfolio.stream()
                .mapToDouble(configuration -> most - table.reached(workload, configuration))
                .sum();
        return new Example(
                table.workloads().get(workload).features(),
                best,
                Math.max(LEAST_WEIGHT, lost / (portfolio.size() - 1)));
    }

    private TreeNode prescribed(TreeNode node, List<Integer> portfolio, List<Integer> of) {
        Feature feature = node.feature();
        TreeNode low = node.low();
        TreeNode high = node.high();
        if (feature == null || low == null || high == null) {
            return TreeNode.leaf(of.isEmpty() ? portfolio.get(0) : table.best(portfolio, of));
        }
        TreeNode first = prescribed(low, portfolio, answering(feature, node.threshold(), true, of));
        TreeNode second = prescribed(high, portfolio, answering(feature, node.threshold(), false, of));
        boolean same = isLeaf(first) && isLeaf(second) && first.label() == second.label();
        return same ? first : TreeNode.question(feature, node.threshold(), first, second);
    }

    private List<Integer> answering(@Nullable Feature feature, double threshold, boolean low, List<Integer> of) {
        return of.stream()
                .filter(workload -> feature != null
                        && (table.workloads().get(workload).features().get(feature) <= threshold) == low)
                .toList();
    }

    private static boolean isLeaf(TreeNode node) {
        return node.depth() == 0;
    }
}
