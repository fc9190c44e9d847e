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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What measured runs say of settings, as lines for people and as a tree of values for programs. */
public final class TuningText {
    private TuningText() {}

    /** Rules, and what they are worth. */
    public static List<String> lines(Tuning tuning) {
        List<String> lines = new ArrayList<>();
        RunTable table = tuning.table();
        lines.add(table.workloads().size() + " workloads were measured with "
                + table.configurations().size() + " configurations each; a tree of depth "
                + tuning.tree().depth() + " prescribes:");
        for (Rule rule : Rule.of(tuning)) {
            lines.add("IF " + (rule.conditions().isEmpty() ? "any workload" : String.join(" AND ", rule.conditions())));
            lines.add("THEN set   (" + rule.workloads() + " workloads; they reach "
                    + percent(rule.reach().mean()) + " of the best, "
                    + percent(rule.reach().worst()) + " at worst)");
            lines.addAll(set(rule.settings()));
        }
        lines.add("the best single configuration:");
        lines.addAll(set(table.configurations().get(tuning.standard())));
        lines.addAll(worth(tuning));
        return lines;
    }

    private static List<String> worth(Tuning tuning) {
        List<String> lines = new ArrayList<>();
        lines.add("time of the best of all configurations / time of the chosen one, mean (worst) of workloads:");
        lines.add(String.format(Locale.ROOT, "  %-37s%-20s%s", "", "tree", "best single one"));
        for (int i = 0; i < tuning.folds().size(); i++) {
            Fold fold = tuning.folds().get(i);
            lines.add(row(
                    "fold " + (i + 1) + ", " + fold.workloads() + " workloads unseen", fold.tree(), fold.standard()));
        }
        lines.add(row("all folds", tuning.validated(), tuning.validatedStandard()));
        lines.add(row("all workloads, none of them unseen", tuning.learnt(), tuning.withStandard()));
        return lines;
    }

    private static String row(String name, Reach tree, Reach standard) {
        return String.format(Locale.ROOT, "  %-37s%-20s%s", name, both(tree), both(standard));
    }

    private static String both(Reach reach) {
        return percent(reach.mean()) + " (" + percent(reach.worst()) + ")";
    }

    /** The settings for a workload, and where it lies outside of what was measured. */
    public static List<String> prescription(Tuning tuning, Features features) {
        List<String> lines = new ArrayList<>(List.of("to set for this workload:"));
        lines.addAll(set(tuning.prescribed(features)));
        List<String> beyond = MeasuredRange.beyond(tuning.table(), features);
        if (!beyond.isEmpty()) {
            lines.add("measure workloads like this one before you trust that:");
            beyond.forEach(sentence -> lines.add("  " + sentence));
        }
        return lines;
    }

    private static List<String> set(Settings settings) {
        return settings.values().entrySet().stream()
                .map(entry -> "  " + entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** Everything: maps, lists, texts and numbers. */
    public static Map<String, Object> json(Tuning tuning) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("workloads", tuning.table().workloads().size());
        json.put("configurations", tuning.table().configurations().size());
        json.put("depth", tuning.tree().depth());
        json.put("rules", Rule.of(tuning).stream().map(TuningText::json).toList());
        json.put(
                "bestDefault",
                tuning.table().configurations().get(tuning.standard()).values());
        json.put(
                "folds",
                tuning.folds().stream()
                        .map(fold -> both(fold.workloads(), fold.tree(), fold.standard()))
                        .toList());
        json.put("validated", both(tuning.table().workloads().size(), tuning.validated(), tuning.validatedStandard()));
        json.put("learnt", both(tuning.table().workloads().size(), tuning.learnt(), tuning.withStandard()));
        return json;
    }

    /** The settings for a workload, for programs. */
    public static Map<String, Object> prescriptionJson(Tuning tuning, Features features) {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, Object> asked = new LinkedHashMap<>();
        for (Feature feature : Feature.values()) {
            asked.put(feature.key(), features.get(feature));
        }
        json.put("features", asked);
        json.put("settings", tuning.prescribed(features).values());
        json.put("beyond", MeasuredRange.beyond(tuning.table(), features));
        return json;
    }

    private static Map<String, Object> json(Rule rule) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("if", rule.conditions());
        json.put("set", rule.settings().values());
        json.put("workloads", rule.workloads());
        json.put("mean", rule.reach().mean());
        json.put("worst", rule.reach().worst());
        return json;
    }

    private static Map<String, Object> both(int workloads, Reach tree, Reach standard) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("workloads", workloads);
        json.put("tree", Map.of("mean", tree.mean(), "worst", tree.worst()));
        json.put("bestDefault", Map.of("mean", standard.mean(), "worst", standard.worst()));
        return json;
    }
}
