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

import java.io.Serializable;
import java.util.Arrays;

/**
 * A pattern that windows of as many values are compared with, by the Euclidean distance: the root of the sum of squared
 * differences. Normalized, pattern and window are first shifted and scaled to the mean 0 and the deviation 1, so that their
 * shapes are compared (Goldin and Kanellakis, "On Similarity Queries for Time-Series Data", CP 1995; Rakthanmanon et al.,
 * "Searching and Mining Trillions of Time Series Subsequences under Dynamic Time Warping", KDD 2012). Of equal values all
 * normalized ones are 0. Immutable.
 */
public final class ValuePattern implements Serializable {
    private static final long serialVersionUID = 1;

    /** The most values of a pattern. */
    public static final int MAX_LENGTH = 10_000;

    /** Its square is a number. */
    private static final double MOST = 1e150;
    /** The square of a distance may be a little less than the squares that the distance is the root of. */
    private static final double ROUNDING = 1 + 1e-12;

    private final double[] values;
    private final boolean normalized;
    private final double mostDistance;

    /**
     * A pattern.
     *
     * @param values finite numbers, at least two
     * @param normalized whether shapes are compared
     * @param mostDistance windows that are farther away are not similar
     * @throws IllegalArgumentException for other values or another distance, with a message for the user
     */
    public ValuePattern(double[] values, boolean normalized, double mostDistance) {
        if (values.length < 2 || values.length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the pattern has " + values.length + " values; give from 2 to " + MAX_LENGTH);
        }
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("the pattern has the value " + value + "; give finite numbers");
            }
        }
        if (!(mostDistance >= 0 && mostDistance <= MOST)) {
            throw new IllegalArgumentException("the distance is " + mostDistance + "; give one from 0 to " + MOST);
        }
        this.normalized = normalized;
        this.mostDistance = mostDistance;
        double[] copy = values.clone();
        if (normalized) {
            double mean = mean(values, 0, values.length);
            double deviation = deviation(values, 0, values.length, mean);
            for (int i = 0; i < copy.length; i++) {
                copy[i] = scaled(values[i], mean, deviation);
            }
        }
        this.values = copy;
    }

    /** How many values a window has. */
    public int length() {
        return values.length;
    }

    /**
     * The distance of a window.
     *
     * @param window holds the values of the window
     * @param at the place of its first value
     * @return not a number if it is more than the most distance, or the window has a value that is not finite, or squares
     *     leave the range of a {@code double}
     */
    public double distance(double[] window, int at) {
        double mean = 0;
        double deviation = 1;
        if (normalized) {
            mean = mean(window, at, values.length);
            deviation = deviation(window, at, values.length, mean);
        }
        double squares = 0;
        double most = mostDistance * mostDistance * ROUNDING;
        for (int i = 0; i < values.length; i++) {
            double value = window[at + i];
            double difference = (normalized ? scaled(value, mean, deviation) : value) - values[i];
            squares += difference * difference;
            if (!(squares <= most)) {
                return Double.NaN;
            }
        }
        double distance = Math.sqrt(squares);
        return distance <= mostDistance ? distance : Double.NaN;
    }

    private static double scaled(double value, double mean, double deviation) {
        return deviation == 0 ? 0 : (value - mean) / deviation;
    }

    private static double mean(double[] values, int at, int length) {
        double sum = 0;
        for (int i = at; i < at + length; i++) {
            sum += values[i];
        }
        return sum / length;
    }

    /** Of all values, exactly 0 if they are equal; not a number if one is not finite. */
    private static double deviation(double[] values, int at, int length, double mean) {
        boolean equal = Double.isFinite(mean);
        double squares = 0;
        for (int i = at; i < at + length; i++) {
            equal &= values[i] == values[at];
            squares += (values[i] - mean) * (values[i] - mean);
        }
        return equal ? 0 : Math.sqrt(squares / length);
    }

    @Override
    public String toString() {
        return (normalized ? "normalized " : "") + Arrays.toString(values);
    }
}
