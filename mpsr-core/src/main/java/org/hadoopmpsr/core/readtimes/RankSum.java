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

import java.util.Arrays;

/**
 * How likely it is that two samples are alike (Mann, Whitney: "On a Test of Whether one of Two Random Variables is Stochastically Larger
 * than the Other", Annals of Mathematical Statistics 18, 1947), by the normal approximation for samples of some tens. Nothing is assumed
 * of the distribution.
 */
final class RankSum {
    private RankSum() {}

    /**
     * The probability that the first sample's values are so much larger by chance.
     *
     * @param some at least one
     * @param others at least one, not among {@code some}
     */
    static double chance(double[] some, double[] others) {
        double[] sorted = others.clone();
        Arrays.sort(sorted);
        double larger = 0;
        for (double value : some) {
            larger += below(sorted, value) + 0.5 * (below(sorted, Math.nextUp(value)) - below(sorted, value));
        }
        double n = some.length;
        double m = others.length;
        double z = (larger - n * m / 2 - 0.5) / Math.sqrt(n * m * (n + m + 1) / 12);
        return upperTail(z);
    }

    /** How many values are below; equal ones are not. */
    private static int below(double[] sorted, double value) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The probability that a standard normal variable is above {@code z}, with a relative error below 1.2e-7 (Press and others: "Numerical
     * Recipes", 2nd edition, section 6.2, {@code erfcc}).
     */
    static double upperTail(double z) {
        double x = Math.abs(z) / Math.sqrt(2);
        double t = 1 / (1 + 0.5 * x);
        double[] c = {
            -1.26551223,
            1.00002368,
            0.37409196,
            0.09678418,
            -0.18628806,
            0.27886807,
            -1.13520398,
            1.48851587,
            -0.82215223,
            0.17087277
        };
        double sum = 0;
        for (int i = c.length - 1; i >= 0; i--) {
            sum = sum * t + c[i];
        }
        double tail = 0.5 * t * Math.exp(-x * x + sum);
        return z >= 0 ? tail : 1 - tail;
    }
}
