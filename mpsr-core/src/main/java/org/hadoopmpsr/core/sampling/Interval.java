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

/**
 * What a sample says of all things: an estimate, and the bounds between which the truth lies with the confidence that was asked for.
 *
 * @param estimate from {@code low} to {@code high}
 */
public record Interval(double estimate, double low, double high) {

    /** Of the estimate and its bounds, each times a number from 0 on. */
    public Interval times(double factor) {
        return new Interval(estimate * factor, low * factor, high * factor);
    }

    /** The greater distance from the estimate to a bound. */
    public double margin() {
        return Math.max(high - estimate, estimate - low);
    }
}
