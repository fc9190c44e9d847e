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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;

/** Divides workloads for validation. All workloads of a family are in one part. */
final class Folds {
    private Folds() {}

    /**
     * Divides.
     *
     * @param parts from 2
     * @return the places of the workloads of each part, none of which is empty
     * @throws IllegalArgumentException if there are fewer families than parts, with a message for the user
     */
    static List<List<Integer>> of(RunTable table, int parts, long seed) {
        List<String> families = new ArrayList<>(
                new TreeSet<>(table.workloads().stream().map(Workload::family).toList()));
        if (families.size() < parts) {
            throw new IllegalArgumentException("the runs are of " + families.size()
                    + " families of workloads, which cannot be divided into " + parts
                    + " folds; measure more, or lower --folds");
        }
        Collections.shuffle(families, new Random(seed));
        Map<String, Integer> part = new HashMap<>();
        for (int i = 0; i < families.size(); i++) {
            part.put(families.get(i), i % parts);
        }
        List<List<Integer>> folds = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            folds.add(new ArrayList<>());
        }
        for (int workload : table.all()) {
            String family = table.workloads().get(workload).family();
            folds.get(Objects.requireNonNull(part.get(family))).add(workload);
        }
        return folds;
    }
}
