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
package org.hadoopmpsr.core.readtimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where values divide into classes: at the minima of their {@link Density}. The bandwidth for all values hides classes that are near to
 * each other where others are far away; therefore each class is looked at anew, with its own bandwidth, until none divides any more.
 */
final class Minima {
    /** A minimum divides if the density there is at most this share of the lower one of the two maxima beside it. */
    private static final double DEPTH = 0.6;
    /** A class has at least so many values, and this share of those that are divided. */
    private static final int LEAST = 20;

    private static final double LEAST_SHARE = 0.01;
    private static final int DEEPEST = 6;

    private Minima() {}

    /**
     * The values that divide.
     *
     * @param samples in any order
     * @return ascending
     */
    static double[] of(double[] samples) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        List<Double> cuts = new ArrayList<>();
        int least = Math.max(LEAST, (int) (LEAST_SHARE * sorted.length));
        divide(sorted, least, 0, cuts);
        return cuts.stream().mapToDouble(c -> c).sorted().toArray();
    }

    private static void divide(double[] sorted, int least, int depth, List<Double> cuts) {
        if (depth == DEEPEST || sorted.length < 2 * least) {
            return;
        }
        double cut = deepest(sorted, least);
        if (!Double.isNaN(cut)) {
            cuts.add(cut);
            int at = below(sorted, cut);
            divide(Arrays.copyOf(sorted, at), least, depth + 1, cuts);
            divide(Arrays.copyOfRange(sorted, at, sorted.length), least, depth + 1, cuts);
        }
    }

    /** The minimum that is deepest in proportion to the maxima beside it; NaN if none divides. */
    private static double deepest(double[] sorted, int least) {
        Density density = Density.of(sorted);
        int n = density.points();
        double[] left = new double[n]; // the highest up to a point
        double[] right = new double[n];
        for (int i = 0; i < n; i++) {
            left[i] = Math.max(i == 0 ? 0 : left[i - 1], density.at(i));
            int j = n - 1 - i;
            right[j] = Math.max(i == 0 ? 0 : right[j + 1], density.at(j));
        }
        double best = DEPTH;
        double cut = Double.NaN;
        for (int i = 1; i < n - 1; i++) {
            double depth = density.at(i) / Math.min(left[i], right[i]);
            if (depth < best) {
                int below = below(sorted, density.x(i));
                if (below >= least && sorted.length - below >= least) {
                    best = depth;
                    cut = density.x(i);
                }
            }
        }
        return cut;
    }

    /** How many values are below. */
    static int below(double[] sorted, double value) {
        int at = Arrays.binarySearch(sorted, value);
        return at >= 0 ? at : -at - 1;
    }
}
