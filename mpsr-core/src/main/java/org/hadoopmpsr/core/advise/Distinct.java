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
package org.hadoopmpsr.core.advise;

import java.util.List;

/**
 * Estimates how many different values a set has of which a sample is known: the Guaranteed-Error Estimator (Charikar, Chaudhuri, Motwani,
 * Narasayya: "Towards Estimation Error Guarantees for Distinct Values", PODS 2000). Values that came once stand for the square root of
 * what the sample leaves out, and others for themselves.
 */
final class Distinct {

    private Distinct() {}

    /**
     * The estimate, from the number of different values in the sample to {@code all}.
     *
     * @param sorted the sample, in order
     * @param all the size of the set
     */
    static double estimate(List<Object> sorted, double all) {
        double once = 0;
        double often = 0;
        int from = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || Orders.compare(sorted.get(i), sorted.get(from)) != 0) {
                once += i - from == 1 ? 1 : 0;
                often += i - from == 1 ? 0 : 1;
                from = i;
            }
        }
        double factor = sorted.isEmpty() ? 1 : Math.sqrt(Math.max(1, all / sorted.size()));
        return Math.min(all, once * factor + often);
    }
}
