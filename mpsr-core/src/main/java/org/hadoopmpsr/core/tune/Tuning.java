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

/**
 * What measured runs say of settings: a tree that prescribes them, learnt from all runs, and what trees reach for workloads that they
 * were not learnt from.
 *
 * @param tree its labels are places of configurations
 * @param standard the place of the best single configuration of all workloads
 * @param folds of the validation
 */
public record Tuning(RunTable table, TreeNode tree, int standard, List<Fold> folds) {
    /** The deepest tree that can be asked for. */
    public static final int MOST_DEPTH = 16;

    public Tuning {
        folds = List.copyOf(folds);
    }

    /**
     * Learns, and validates: the workloads are divided into folds, and each fold is prescribed settings by a tree that was learnt from the
     * others.
     *
     * @param depth from 1 to {@link #MOST_DEPTH}
     * @param folds from 2
     * @throws IllegalArgumentException if depth or folds are others, or the runs do not suffice for the folds, with a message for the user
     */
    public static Tuning of(RunTable table, TreeLearner learner, int depth, int folds, long seed) {
        check(depth, folds);
        Prescriber prescriber = new Prescriber(table, learner, depth, seed);
        List<Fold> found = new ArrayList<>();
        for (List<Integer> fold : Folds.of(table, folds, seed)) {
            List<Integer> others = new ArrayList<>(table.all());
            others.removeAll(fold);
            TreeNode tree = prescriber.learn(others);
            int standard = table.bestDefault(others);
            found.add(new Fold(
                    fold.size(),
                    Reach.of(table, fold, w -> label(table, tree, w)),
                    Reach.of(table, fold, w -> standard)));
        }
        return new Tuning(table, prescriber.learn(table.all()), table.bestDefault(table.all()), found);
    }

    /**
     * Looks at what a user wishes.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static void check(int depth, int folds) {
        if (depth < 1 || depth > MOST_DEPTH) {
            throw new IllegalArgumentException("--depth is " + depth + "; give a number from 1 to " + MOST_DEPTH);
        }
        if (folds < 2) {
            throw new IllegalArgumentException("--folds is " + folds + "; give a number from 2");
        }
    }

    private static int label(RunTable table, TreeNode tree, int workload) {
        return tree.label(table.workloads().get(workload).features());
    }

    /** The settings for a workload. */
    public Settings prescribed(Features features) {
        return table.configurations().get(tree.label(features));
    }

    /** What all workloads reach with the tree, which was learnt from them: an upper limit of what it is worth. */
    public Reach learnt() {
        return Reach.of(table, table.all(), w -> label(table, tree, w));
    }

    /** What all workloads reach with the best single configuration, which was chosen for them. */
    public Reach withStandard() {
        return Reach.of(table, table.all(), w -> standard);
    }

    /** What workloads reach with trees that were not learnt from them: the mean over all workloads, and the worst of all. */
    public Reach validated() {
        return new Reach(
                folds.stream().mapToDouble(f -> f.workloads() * f.tree().mean()).sum()
                        / folds.stream().mapToInt(Fold::workloads).sum(),
                folds.stream().mapToDouble(f -> f.tree().worst()).min().orElse(1));
    }

    /** What they reach with the single configurations that are best for the others; means and worst as above. */
    public Reach validatedStandard() {
        return new Reach(
                folds.stream()
                                .mapToDouble(f -> f.workloads() * f.standard().mean())
                                .sum()
                        / folds.stream().mapToInt(Fold::workloads).sum(),
                folds.stream().mapToDouble(f -> f.standard().worst()).min().orElse(1));
    }
}
