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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Some of all combinations of values of settings, far from each other: each next one differs from the chosen ones in as many settings as
 * a random draw of candidates allows, and among those has values that were chosen least often (the coffee-house design of Müller,
 * "Coffee-house designs", 2001, with Hamming's distance).
 */
public final class DesignedGrid {
    /** So many combinations are drawn for each next one. */
    private static final int DRAWN = 40;

    private DesignedGrid() {}

    /**
     * Chooses.
     *
     * @param values of each key, at least one
     * @param first is always chosen, such as the defaults; has a value for each key
     * @param count how many; all combinations if there are fewer
     * @return different ones, {@code first} first
     */
    public static List<Settings> of(Map<String, List<String>> values, Settings first, int count, long seed) {
        List<Settings> left = all(values);
        List<Settings> chosen = new ArrayList<>(List.of(first));
        left.remove(first);
        Map<String, Integer> used = new TreeMap<>();
        use(used, first);
        Random random = new Random(seed);
        while (chosen.size() < count && !left.isEmpty()) {
            int best = -1;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < DRAWN; i++) {
                int place = random.nextInt(left.size());
                double merit = merit(left.get(place), chosen, used);
                if (merit > most) {
                    most = merit;
                    best = place;
                }
            }
            Settings next = left.remove(best);
            use(used, next);
            chosen.add(next);
        }
        return chosen;
    }

    private static List<Settings> all(Map<String, List<String>> values) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (Map.Entry<String, List<String>> of : new TreeMap<>(values).entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> begun : all) {
                for (String value : of.getValue()) {
                    Map<String, String> with = new LinkedHashMap<>(begun);
                    with.put(of.getKey(), value);
                    longer.add(with);
                }
            }
            all = longer;
        }
        return new ArrayList<>(all.stream().map(Settings::new).toList());
    }

    /** The distance to the nearest chosen one; of equal distances the one whose values were used least counts more. */
    private static double merit(Settings candidate, List<Settings> chosen, Map<String, Integer> used) {
        long nearest = chosen.stream()
                .mapToLong(other -> distance(candidate, other))
                .min()
                .orElse(0);
        int uses = candidate.values().entrySet().stream()
                .mapToInt(entry -> used.getOrDefault(entry.toString(), 0))
                .sum();
        return nearest - uses / (1.0 + chosen.size() * (candidate.values().size() + 1.0));
    }

    private static long distance(Settings one, Settings other) {
        return one.values().entrySet().stream()
                .filter(entry -> !entry.getValue().equals(other.values().get(entry.getKey())))
                .count();
    }

    private static void use(Map<String, Integer> used, Settings settings) {
        settings.values().entrySet().forEach(entry -> used.merge(entry.toString(), 1, Integer::sum));
    }
}
