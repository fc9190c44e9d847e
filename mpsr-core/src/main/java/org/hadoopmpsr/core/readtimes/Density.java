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
 * The density of values, as a Gaussian kernel estimates it, at equal distances. The bandwidth is {@code s n^(-1/5)}, with the standard
 * deviation {@code s} of {@code n} values (Scott: "Multivariate Density Estimation", 1992, equation 6.44 for one dimension). Immutable.
 */
public final class Density {
    private static final int POINTS = 512;
    /** Kernels are cut off at so many bandwidths. */
    private static final double REACH = 4;

    private final double from;
    private final double step;
    private final double bandwidth;
    private final double[] values;

    private Density(double from, double step, double bandwidth, double[] values) {
        this.from = from;
        this.step = step;
        this.bandwidth = bandwidth;
        this.values = values;
    }

    /**
     * Estimates.
     *
     * @param samples in any order; at least one
     */
    public static Density of(double[] samples) {
        double mean = Arrays.stream(samples).average().orElseThrow();
        double variance =
                Arrays.stream(samples).map(x -> (x - mean) * (x - mean)).sum() / Math.max(1, samples.length - 1);
        double bandwidth = Math.max(1e-6, Math.sqrt(variance) * Math.pow(samples.length, -0.2));
        double least = Arrays.stream(samples).min().orElseThrow() - REACH * bandwidth;
        double most = Arrays.stream(samples).max().orElseThrow() + REACH * bandwidth;
        double step = (most - least) / (POINTS - 1);
        return new Density(least, step, bandwidth, smooth(binned(samples, least, step), bandwidth / step));
    }

    /** Each sample is shared by the two points beside it. */
    private static double[] binned(double[] samples, double from, double step) {
        double[] bins = new double[POINTS];
        for (double sample : samples) {
            double at = (sample - from) / step;
            int below = Math.min(POINTS - 2, (int) at);
            bins[below] += 1 - (at - below);
            bins[below + 1] += at - below;
        }
        return bins;
    }

    private static double[] smooth(double[] bins, double width) {
        int reach = Math.min(POINTS, (int) Math.ceil(REACH * width));
        double[] kernel = new double[reach + 1];
        for (int d = 0; d <= reach; d++) {
            kernel[d] = Math.exp(-0.5 * d * d / (width * width));
        }
        double[] smooth = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            for (int j = Math.max(0, i - reach); j <= Math.min(POINTS - 1, i + reach); j++) {
                smooth[i] += bins[j] * kernel[Math.abs(i - j)];
            }
        }
        double sum = Arrays.stream(smooth).sum();
        return Arrays.stream(smooth).map(v -> v / sum).toArray();
    }

    public double bandwidth() {
        return bandwidth;
    }

    /** The number of points. */
    public int points() {
        return values.length;
    }

    /** The value at a point. */
    public double x(int point) {
        return from + point * step;
    }

    /** The share of the values that are nearest to a point. */
    public double at(int point) {
        return values[point];
    }
}
