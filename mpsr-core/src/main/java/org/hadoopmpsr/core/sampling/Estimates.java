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
package org.hadoopmpsr.core.sampling;

/** What samples say of all things. Pure functions. */
public final class Estimates {
    private Estimates() {}

    /**
     * How many things a simple random sample must hold, so that the share of things with any property is known to a precision: Cochran, "Sampling
     * Techniques", 3rd edition (1977), equations 4.1 and 4.2, for the share of one half, which needs the most.
     *
     * @param precision half the width of the interval, such as 0.02; above 0
     * @param z the quantile of the normal distribution for the confidence, such as 1.96 for 95 %
     * @param all how many things there are, from 0 on
     * @return from 1, or 0 where there is nothing, to {@code all}
     */
    public static long sizeForShare(double precision, double z, long all) {
        if (!(precision > 0)) {
            throw new IllegalArgumentException("a precision of " + precision);
        }
        if (all == 0) {
            return 0;
        }
        double unlimited = z * z * 0.25 / (precision * precision);
        return Math.min(all, Math.max(1, (long) Math.ceil(unlimited / (1 + (unlimited - 1) / all))));
    }

    /**
     * The share of things that have a property, from a simple random sample without replacement: the interval of Wilson, "Probable inference, the
     * law of succession, and statistical inference", Journal of the American Statistical Association 22 (1927), for the sample's effective
     * size, which is greater than its size where it holds much of all (Cochran, section 2.6).
     *
     * @param hits how many things of the sample have it
     * @param sampled how many things the sample holds, from 1 on
     * @param all how many things there are
     * @param z as in {@link #sizeForShare}
     */
    public static Interval share(long hits, long sampled, long all, double z) {
        if (hits < 0 || hits > sampled || sampled < 1 || sampled > all) {
            throw new IllegalArgumentException(hits + " of " + sampled + " of " + all);
        }
        double share = (double) hits / sampled;
        if (sampled == all) {
            return new Interval(share, share, share);
        }
        return wilson(share, sampled * ((all - 1.0) / (all - sampled)), z);
    }

    /**
     * The share of bytes that have a property, from draws with replacement by size: each draw is a look at one byte of all.
     *
     * @param hits how many draws have it
     * @param draws how many there are, from 1 on
     * @param z as in {@link #sizeForShare}
     */
    public static Interval shareOfSize(long hits, long draws, double z) {
        if (hits < 0 || hits > draws || draws < 1) {
            throw new IllegalArgumentException(hits + " of " + draws + " draws");
        }
        return wilson((double) hits / draws, draws, z);
    }

    private static Interval wilson(double share, double size, double z) {
        double square = z * z / size;
        double middle = (share + square / 2) / (1 + square);
        double half = z / (1 + square) * Math.sqrt(share * (1 - share) / size + square / (4 * size));
        return new Interval(
                share, Math.min(share, Math.max(0, middle - half)), Math.max(share, Math.min(1, middle + half)));
    }

    /**
     * The ratio of a sum over all things to the sum of their sizes, from draws with replacement by size: the mean of the ratios of the things that
     * were drawn (Hansen and Hurwitz, "On the theory of sampling from finite populations", Annals of Mathematical Statistics 14 (1943)).
     *
     * @param ratios of each draw, the value of its thing divided by the thing's size
     * @param t the quantile of Student's distribution for the confidence and one degree of freedom less than there are draws
     * @return with bounds at infinity where there is only one draw
     */
    public static Interval ratio(double[] ratios, double t) {
        if (ratios.length == 0) {
            throw new IllegalArgumentException("no draws");
        }
        double mean = 0;
        for (double ratio : ratios) {
            mean += ratio / ratios.length;
        }
        if (ratios.length == 1) {
            return new Interval(mean, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        double squares = 0;
        for (double ratio : ratios) {
            squares += (ratio - mean) * (ratio - mean);
        }
        double half = t * Math.sqrt(squares / (ratios.length - 1) / ratios.length);
        return new Interval(mean, mean - half, mean + half);
    }
}
