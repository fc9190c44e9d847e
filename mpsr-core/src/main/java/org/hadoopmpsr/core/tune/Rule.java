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

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A leaf of a tree as a rule: for workloads whose features lie between bounds, these settings.
 *
 * @param conditions texts such as {@code bandwidth <= 42 MB/s}; none if the rule holds for all workloads
 * @param workloads how many of the measured workloads it is for
 * @param reach what these reach with its settings; (1, 1) if there are none
 */
public record Rule(List<String> conditions, Settings settings, int workloads, Reach reach) {
    /** What a feature is above and up to. */
    private record Bounds(double above, double upTo) {}

    public Rule {
        conditions = List.copyOf(conditions);
    }

    /** The rules of a tree, low answers first. Exactly one holds for each workload. */
    public static List<Rule> of(Tuning tuning) {
        List<Rule> rules = new ArrayList<>();
        add(tuning, tuning.tree(), new EnumMap<>(Feature.class), rules);
        return rules;
    }

    private static void add(Tuning tuning, TreeNode node, Map<Feature, Bounds> bounds, List<Rule> rules) {
        Feature feature = node.feature();
        TreeNode low = node.low();
        TreeNode high = node.high();
        if (feature == null || low == null || high == null) {
            rules.add(leaf(tuning, node, bounds));
            return;
        }
        Bounds before = bounds.getOrDefault(feature, new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
        Map<Feature, Bounds> below = new EnumMap<>(bounds);
        below.put(feature, new Bounds(before.above, Math.min(before.upTo, node.threshold())));
        add(tuning, low, below, rules);
        Map<Feature, Bounds> above = new EnumMap<>(bounds);
        above.put(feature, new Bounds(Math.max(before.above, node.threshold()), before.upTo));
        add(tuning, high, above, rules);
    }

    private static Rule leaf(Tuning tuning, TreeNode node, Map<Feature, Bounds> bounds) {
        RunTable table = tuning.table();
        List<Integer> held = table.all().stream()
                .filter(w -> bounds.entrySet().stream().allMatch(bound -> {
                    double value = table.workloads().get(w).features().get(bound.getKey());
                    return value > bound.getValue().above && value <= bound.getValue().upTo;
                }))
                .toList();
        List<String> conditions = new ArrayList<>();
        bounds.forEach((feature, bound) -> {
            if (bound.above != Double.NEGATIVE_INFINITY) {
                conditions.add(feature.key() + " > " + number(bound.above) + feature.unit());
            }
            if (bound.upTo != Double.POSITIVE_INFINITY) {
                conditions.add(feature.key() + " <= " + number(bound.upTo) + feature.unit());
            }
        });
        return new Rule(
                conditions,
                table.configurations().get(node.label()),
                held.size(),
                held.isEmpty() ? new Reach(1, 1) : Reach.of(table, held, w -> node.label()));
    }

    /** Four digits, without an exponent. */
    static String number(double value) {
        return value == 0
                ? "0"
                : new BigDecimal(value)
                        .round(new MathContext(4))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
