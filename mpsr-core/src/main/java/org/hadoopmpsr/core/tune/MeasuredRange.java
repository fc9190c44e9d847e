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

/** Where the features of a workload lie outside of what was measured: there a tree only continues what it knows. */
public final class MeasuredRange {
    private MeasuredRange() {}

    /** A sentence for each feature below the least or above the greatest value of the measured workloads. */
    public static List<String> beyond(RunTable table, Features features) {
        List<String> beyond = new ArrayList<>();
        for (Feature feature : Feature.values()) {
            double least = table.workloads().stream()
                    .mapToDouble(w -> w.features().get(feature))
                    .min()
                    .orElseThrow();
            double most = table.workloads().stream()
                    .mapToDouble(w -> w.features().get(feature))
                    .max()
                    .orElseThrow();
            double value = features.get(feature);
            if (value < least || value > most) {
                beyond.add(feature.key() + " is " + Rule.number(value) + feature.unit() + ", and was measured from "
                        + Rule.number(least) + " to " + Rule.number(most) + feature.unit());
            }
        }
        return beyond;
    }
}
