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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TuningTest {
    private static final Settings FAST = new Settings(Map.of("codec", "lz4_raw"));
    private static final Settings SMALL = new Settings(Map.of("codec", "zstd:9"));
    private static final Settings USUAL = new Settings(Map.of("codec", "zstd:3"));

    /** Asks for the bandwidth, and learns the classes to both sides by what the examples weigh. */
    private static final TreeLearner ASKS_BANDWIDTH = (examples, classes, depth, seed) ->
            TreeNode.question(Feature.BANDWIDTH, 50, heaviest(examples, true), heaviest(examples, false));

    private static TreeNode heaviest(List<Example> examples, boolean low) {
        Map<Integer, Double> weights = new LinkedHashMap<>();
        examples.stream()
                .filter(e -> e.features().get(Feature.BANDWIDTH) <= 50 == low)
                .forEach(e -> weights.merge(e.label(), e.weight(), Double::sum));
        return TreeNode.leaf(weights.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0));
    }

    @Test
    void lossesAreThoseOfAHandComputation() {
        // best / time: slow 1.0 with SMALL, 0.5 with FAST, 0.8 with USUAL; fast 0.4, 1.0, 0.8
        RunTable table = RunTable.of(runs(2, 2));

        Tuning tuning = Tuning.of(table, ASKS_BANDWIDTH, 4, 2, 1);

        assertThat(table.configurations().get(tuning.standard())).isEqualTo(USUAL);
        assertThat(tuning.withStandard().mean()).isCloseTo(0.8, within(1e-12));
        assertThat(tuning.withStandard().worst()).isCloseTo(0.8, within(1e-12));
        assertThat(tuning.learnt()).isEqualTo(new Reach(1, 1));
        assertThat(tuning.prescribed(features(20))).isEqualTo(SMALL);
        assertThat(tuning.prescribed(features(50))).isEqualTo(SMALL);
        assertThat(tuning.prescribed(features(51))).isEqualTo(FAST);
        assertThat(tuning.folds()).hasSize(2).allSatisfy(fold -> {
            assertThat(fold.workloads()).isEqualTo(2);
            assertThat(fold.tree()).isEqualTo(new Reach(1, 1));
            assertThat(fold.standard().mean()).isCloseTo(0.8, within(1e-12));
        });
        assertThat(tuning.validated()).isEqualTo(new Reach(1, 1));
    }

    @Test
    void meansWeighFoldsByTheirWorkloads() {
        RunTable table = RunTable.of(runs(3, 1)); // three slow ones and a fast one: SMALL reaches 0.85, USUAL 0.8
        Reach of = Reach.of(table, table.all(), w -> table.bestDefault(table.all()));

        assertThat(table.configurations().get(table.bestDefault(table.all()))).isEqualTo(SMALL);
        assertThat(of.mean()).isCloseTo((0.4 + 1 + 1 + 1) / 4, within(1e-12));
        assertThat(of.worst()).isCloseTo(0.4, within(1e-12));
        Tuning tuning = new Tuning(
                table,
                TreeNode.leaf(0),
                0,
                List.of(
                        new Fold(3, new Reach(0.9, 0.7), new Reach(0.5, 0.4)),
                        new Fold(1, new Reach(0.5, 0.5), new Reach(0.1, 0.1))));
        assertThat(tuning.validated()).isEqualTo(new Reach((3 * 0.9 + 0.5) / 4, 0.5));
        assertThat(tuning.validatedStandard()).isEqualTo(new Reach((3 * 0.5 + 0.1) / 4, 0.1));
    }

    @Test
    void aFoldIsJudgedByATreeThatHasNotSeenIt() {
        // all slow workloads are of one family: the tree for them has seen fast ones alone
        List<MeasuredRun> runs = new ArrayList<>();
        runs.addAll(runs("slow1", "slow", 20, 1, 2, 1.25));
        runs.addAll(runs("slow2", "slow", 30, 1, 2, 1.25));
        runs.addAll(runs("fast1", "fast", 400, 2.5, 1, 1.25));
        runs.addAll(runs("fast2", "fast", 500, 2.5, 1, 1.25));

        Tuning tuning = Tuning.of(RunTable.of(runs), ASKS_BANDWIDTH, 4, 2, 1);

        assertThat(tuning.folds()).extracting(fold -> fold.tree().mean()).containsExactlyInAnyOrder(0.5, 0.4);
        assertThat(tuning.learnt().mean()).isEqualTo(1);
    }

    @Test
    void rulesSayConditionsAndSettings() {
        Tuning tuning = Tuning.of(RunTable.of(runs(2, 2)), ASKS_BANDWIDTH, 4, 2, 1);

        assertThat(TuningText.lines(tuning))
                .containsSubsequence(
                        "IF bandwidth <= 50 MB/s",
                        "THEN set   (2 workloads; they reach 100.0 % of the best, 100.0 % at worst)",
                        "  codec=zstd:9",
                        "IF bandwidth > 50 MB/s",
                        "  codec=lz4_raw",
                        "the best single configuration:",
                        "  codec=zstd:3");
        assertThat(TuningText.prescription(tuning, features(5000)))
                .contains("  codec=lz4_raw", "  bandwidth is 5000 MB/s, and was measured from 10 to 200 MB/s");
        assertThat(TuningText.json(tuning)).containsEntry("bestDefault", Map.of("codec", "zstd:3"));
    }

    @Test
    void conditionsOnOneFeatureAreJoined() {
        RunTable table = RunTable.of(runs(2, 2));
        TreeNode tree = TreeNode.question(
                Feature.BANDWIDTH,
                100,
                TreeNode.question(Feature.BANDWIDTH, 15, TreeNode.leaf(0), TreeNode.leaf(1)),
                TreeNode.leaf(2));

        assertThat(Rule.of(new Tuning(table, tree, 0, List.of())))
                .extracting(Rule::conditions, Rule::workloads)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(List.of("bandwidth <= 15 MB/s"), 1),
                        org.assertj.core.groups.Tuple.tuple(List.of("bandwidth > 15 MB/s", "bandwidth <= 100 MB/s"), 2),
                        org.assertj.core.groups.Tuple.tuple(List.of("bandwidth > 100 MB/s"), 1));
    }

    @Test
    void aTreeOfOneConfigurationAsksNothing() {
        List<MeasuredRun> runs = new ArrayList<>();
        runs.addAll(runs("a", "a", 10, 1, 2, 3));
        runs.addAll(runs("b", "b", 1000, 1, 2, 3));

        Tuning tuning = Tuning.of(
                RunTable.of(runs),
                (examples, classes, depth, seed) -> {
                    throw new AssertionError("nothing is to be learnt");
                },
                4,
                2,
                1);

        assertThat(tuning.tree()).isEqualTo(TreeNode.leaf(tuning.standard()));
        assertThat(TuningText.lines(tuning)).contains("IF any workload");
    }

    @Test
    void badTrainingIsTold() {
        assertThatThrownBy(() -> RunTable.of(List.of())).hasMessageContaining("there is no measured run");
        assertThatThrownBy(() -> RunTable.of(List.of(
                        new MeasuredRun(new Workload("a", "a", features(1)), FAST, 1),
                        new MeasuredRun(new Workload("b", "b", features(2)), FAST, 1))))
                .hasMessage(
                        "all runs have one configuration, codec=lz4_raw; there is nothing to choose. Measure others on the"
                                + " same workloads");
        assertThatThrownBy(() -> RunTable.of(runs("a", "a", 1, 1, 1, 1))).hasMessageContaining("of one workload");
        assertThatThrownBy(() -> RunTable.of(List.of(
                        new MeasuredRun(new Workload("a", "a", features(1)), FAST, 1),
                        new MeasuredRun(new Workload("b", "b", features(2)), FAST, 1),
                        new MeasuredRun(new Workload("b", "b", features(2)), SMALL, 1))))
                .hasMessage(
                        "the workload 'a' was measured with 1 of 2 configurations, and not with codec=zstd:9; measure all of"
                                + " them on each workload");
        assertThatThrownBy(() -> RunTable.of(List.of(
                        new MeasuredRun(new Workload("a", "a", features(1)), FAST, 1),
                        new MeasuredRun(new Workload("a", "a", features(2)), SMALL, 1))))
                .hasMessageContaining("different features");
        assertThatThrownBy(() -> Tuning.of(RunTable.of(runs(2, 2)), ASKS_BANDWIDTH, 4, 5, 1))
                .hasMessageContaining("4 families of workloads, which cannot be divided into 5 folds");
        assertThatThrownBy(() -> Tuning.of(RunTable.of(runs(2, 2)), ASKS_BANDWIDTH, 0, 2, 1))
                .hasMessageContaining("--depth is 0");
        assertThatThrownBy(() -> new MeasuredRun(new Workload("a", "a", features(1)), FAST, 0))
                .hasMessageContaining("above 0");
    }

    @Test
    void badFeaturesAreTold() {
        Map<String, Double> good = map(10);
        Map<String, Double> missing = new HashMap<>(good);
        missing.remove("width");
        assertThatThrownBy(() -> Features.of(missing))
                .hasMessage("the feature 'width' is missing: bytes of a record without compression");
        Map<String, Double> share = new HashMap<>(good);
        share.put("selectivity", 1.5);
        assertThatThrownBy(() -> Features.of(share)).hasMessageContaining("give a share from 0 to 1");
        Map<String, Double> other = new HashMap<>(good);
        other.put("colour", 1.0);
        assertThatThrownBy(() -> Features.of(other))
                .hasMessageContaining("there is no feature 'colour'; there are rows");
    }

    @Test
    void theMedianOfRepeatedRunsCounts() {
        Workload a = new Workload("a", "a", features(1));
        Workload b = new Workload("b", "b", features(2));
        RunTable table = RunTable.of(List.of(
                new MeasuredRun(a, FAST, 9),
                new MeasuredRun(a, FAST, 1),
                new MeasuredRun(a, FAST, 2),
                new MeasuredRun(a, SMALL, 4),
                new MeasuredRun(a, SMALL, 8),
                new MeasuredRun(b, FAST, 1),
                new MeasuredRun(b, SMALL, 1)));

        assertThat(table.reached(0, 0)).isEqualTo(1);
        assertThat(table.reached(0, 1)).isEqualTo(2.0 / 4);
    }

    private static List<MeasuredRun> runs(int slow, int fast) {
        List<MeasuredRun> runs = new ArrayList<>();
        for (int i = 1; i <= slow; i++) {
            runs.addAll(runs("slow" + i, "slow" + i, 10 * i, 1, 2, 1.25));
        }
        for (int i = 1; i <= fast; i++) {
            runs.addAll(runs("fast" + i, "fast" + i, 100 * i, 2.5, 1, 1.25));
        }
        return runs;
    }

    private static List<MeasuredRun> runs(
            String name, String family, double bandwidth, double small, double quick, double usual) {
        Workload workload = new Workload(name, family, features(bandwidth));
        return List.of(
                new MeasuredRun(workload, SMALL, small),
                new MeasuredRun(workload, FAST, quick),
                new MeasuredRun(workload, USUAL, usual));
    }

    private static Features features(double bandwidth) {
        return Features.of(map(bandwidth));
    }

    private static Map<String, Double> map(double bandwidth) {
        Map<String, Double> map = new HashMap<>();
        for (Feature feature : Feature.values()) {
            map.put(feature.key(), 1.0);
        }
        map.put("bandwidth", bandwidth);
        return map;
    }
}
