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
package org.hadoopmpsr.benchmarks.namenode;

import java.util.Locale;

/**
 * What a figure should be.
 *
 * @param least the least that meets it, or negative infinity
 * @param most the most that meets it, or infinity
 */
record Goal(double least, double most) {
    static final Goal NONE = new Goal(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    static Goal atMost(double most) {
        return new Goal(Double.NEGATIVE_INFINITY, most);
    }

    static Goal atLeast(double least) {
        return new Goal(least, Double.POSITIVE_INFINITY);
    }

    /** For example {@code ≤ 20: met}; empty where there is no goal. */
    String text(double value) {
        if (equals(NONE)) {
            return "";
        }
        String met = value >= least && value <= most ? "met" : "missed";
        return Double.isInfinite(most)
                ? String.format(Locale.ROOT, "≥ %s: %s", least, met)
                : String.format(Locale.ROOT, "≤ %s: %s", most, met);
    }
}
