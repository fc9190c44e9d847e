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
package org.hadoopmpsr.core.reduction;

import java.nio.ByteBuffer;

/**
 * Number, mean and sum of squared differences from the mean, of finite values. Values are added by Welford's method, and two
 * sets of values are merged by the pairwise formulas of Chan, Golub and LeVeque ("Updating Formulae and a Pairwise Algorithm
 * for Computing Sample Variances", Stanford CS-79-773, 1979; The American Statistician 37, 1983), which do not subtract large
 * sums from each other. Another split of the values gives the same within rounding. Mutable; for one thread.
 */
final class Moments {
    static final int BYTES = 3 * Long.BYTES;

    private long count;
    private double mean;
    private double squares;

    /** Adds a finite value. */
    void add(double value) {
        count++;
        double delta = value - mean;
        if (Double.isInfinite(delta)) {
            mean += value / count - mean / count;
            squares = Double.POSITIVE_INFINITY;
        } else {
            mean += delta / count;
            squares += delta * (value - mean);
        }
    }

    void merge(Moments other) {
        if (count == 0) {
            count = other.count;
            mean = other.mean;
            squares = other.squares;
        } else if (other.count > 0) {
            long sum = count + other.count;
            double share = (double) other.count / sum;
            double delta = other.mean - mean;
            if (Double.isInfinite(delta)) {
                mean += other.mean * share - mean * share;
                squares = Double.POSITIVE_INFINITY;
            } else {
                mean += delta * share;
                squares += other.squares + delta * delta * share * count;
            }
            count = sum;
        }
    }

    long count() {
        return count;
    }

    /** Without a meaning where there is no value. */
    double mean() {
        return mean;
    }

    /** Of a sample: divided by one less than there are values. Not a number where there are fewer than two. */
    double deviation() {
        return count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1));
    }

    void write(ByteBuffer out) {
        out.putLong(count).putDouble(mean).putDouble(squares);
    }

    static Moments read(ByteBuffer in) {
        Moments moments = new Moments();
        moments.count = in.getLong();
        moments.mean = in.getDouble();
        moments.squares = in.getDouble();
        return moments;
    }
}
