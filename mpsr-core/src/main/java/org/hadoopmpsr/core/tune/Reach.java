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

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * What workloads reach with the configurations that are chosen for them, of the best one for each ({@link RunTable}).
 *
 * @param mean on average, above 0, up to 1; the loss is what is missing to 1
 * @param worst that of the workload that loses most
 */
public record Reach(double mean, double worst) {
    /**
     * Of some workloads, at least one.
     *
     * @param chosen the configuration for each workload
     */
    static Reach of(RunTable table, List<Integer> workloads, IntUnaryOperator chosen) {
        double[] reached = workloads.stream()
                .mapToDouble(workload -> table.reached(workload, chosen.applyAsInt(workload)))
                .toArray();
        double sum = 0;
        double worst = 1;
        for (double each : reached) {
            sum += each;
            worst = Math.min(worst, each);
        }
        return new Reach(sum / reached.length, worst);
    }
}
