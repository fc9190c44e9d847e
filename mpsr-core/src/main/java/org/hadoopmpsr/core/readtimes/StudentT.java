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
 * How likely it is that the means of two samples of few values differ so much by chance (Student: "The Probable Error of a Mean", Biometrika 6,
 * 1908; two samples of one variance). Values are to be about normal, as logarithms of mean times are.
 */
final class StudentT {
    private static final int MOST_TERMS = 300;
    private static final double SMALL = 1e-300;
    private static final double PRECISION = 1e-12;
    /** Lanczos' coefficients for the logarithm of the gamma function. */
    private static final double[] GAMMA = {
        76.18009172947146,
        -86.50532032941677,
        24.01409824083091,
        -1.231739572450155,
        0.1208650973866179e-2,
        -0.5395239384953e-5
    };

    private StudentT() {}

    /**
     * The probability that the first sample's mean is so much larger by chance.
     *
     * @param some at least one
     * @param others at least one, not among {@code some}; three or more in both
     */
    static double chance(double[] some, double[] others) {
        double n = some.length;
        double m = others.length;
        double freedom = n + m - 2;
        double variance = (squares(some) + squares(others)) / freedom;
        double t = (mean(some) - mean(others)) / Math.sqrt(Math.max(SMALL, variance * (1 / n + 1 / m)));
        return upperTail(t, freedom);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double squares(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    }

    /**
     * The probability that a variable of Student's distribution is above {@code t} (Press and others: "Numerical Recipes", 2nd edition, equation
     * 6.4.9).
     */
    static double upperTail(double t, double freedom) {
        double both = beta(freedom / 2, 0.5, freedom / (freedom + t * t));
        return t >= 0 ? both / 2 : 1 - both / 2;
    }

    /** The incomplete beta function I_x(a, b) (the same, section 6.4, {@code betai}). */
    private static double beta(double a, double b, double x) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
        return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a : 1 - front * fraction(b, a, 1 - x) / b;
    }

    /** The continued fraction, by Lentz's method ({@code betacf}). */
    private static double fraction(double a, double b, double x) {
        double c = 1;
        double d = 1 / away(1 - (a + b) * x / (a + 1));
        double h = d;
        for (int m = 1; m <= MOST_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / away(1 + even * d);
            c = away(1 + even / c);
            h *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / away(1 + odd * d);
            c = away(1 + odd / c);
            h *= d * c;
            if (Math.abs(d * c - 1) < PRECISION) {
                break;
            }
        }
        return h;
    }

    private static double away(double value) {
        return Math.abs(value) < SMALL ? SMALL : value;
    }

    /** The logarithm of the gamma function, above 0 (the same, section 6.1, {@code gammln}). */
    private static double logGamma(double x) {
        double t = x + 5.5;
        double sum = 1.000000000190015;
        for (int i = 0; i < GAMMA.length; i++) {
            sum += GAMMA[i] / (x + 1 + i);
        }
        return (x + 0.5) * Math.log(t) - t + Math.log(2.5066282746310005 * sum / x);
    }
}
