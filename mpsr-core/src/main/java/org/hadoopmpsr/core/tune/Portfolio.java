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
 * A few configurations of which one is good for each workload: a tree cannot tell hundreds of nearly equal ones apart. They are added one
 * after the other, each time the one with which the best of the chosen ones reach most on average. What workloads reach with the best of
 * a set is submodular, and the sum of n of them is therefore at least 1 - 1/e of that of the best n (Nemhauser, Wolsey, Fisher, "An
 * Analysis of Approximations for Maximizing Submodular Set Functions", 1978).
 */
final class Portfolio {
    /** A further configuration must add so much to the mean. */
    private static final double LEAST_GAIN = 0.001;

    private Portfolio() {}

    /**
     * Chooses.
     *
     * @param of the places of workloads, at least one
     * @param most how many configurations at most, at least one
     * @return the places of configurations, the best single one first
     */
    static List<Integer> of(RunTable table, List<Integer> of, int most) {
        List<Integer> chosen = new ArrayList<>();
        double[] held = new double[table.workloads().size()];
        while (chosen.size() < most) {
            int best = -1;
            double gain = chosen.isEmpty() ? -1 : LEAST_GAIN * of.size();
            for (int configuration = 0; configuration < table.configurations().size(); configuration++) {
                double more = 0;
                for (int workload : of) {
                    more += Math.max(0, table.reached(workload, configuration) - held[workload]);
                }
                if (more > gain) {
                    gain = more;
                    best = configuration;
                }
            }
            if (best < 0) {
                break;
            }
            chosen.add(best);
            for (int workload : of) {
                held[workload] = Math.max(held[workload], table.reached(workload, best));
            }
        }
        return chosen;
    }
}
