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

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads that take alike.
 *
 * @param time by size
 * @param spread the standard deviation of the logarithms of the times around it, from the median of the deviations
 * @param reads how many
 * @param bytes of all of them
 * @param cause what they go through, by the nearest expected time
 * @param others further causes whose reads cannot be told apart from these by their times; mostly empty
 * @param factor the time that they take, divided by the expected one of the cause
 */
public record ReadClass(
        LinearTime time, double spread, int reads, long bytes, Cause cause, Set<Cause> others, double factor) {
    /** A normal distribution's standard deviation, divided by the median of the deviations. */
    private static final double DEVIATION = 1.4826;

    public ReadClass {
        others = Set.copyOf(others);
    }

    /**
     * The class of reads.
     *
     * @param its at least one
     * @param causes at least one; the one whose expected time is nearest comes first
     */
    static ReadClass of(List<ReadTime> its, Set<Cause> causes, ExpectedTimes expected) {
        LinearTime line = LinearTime.fit(its);
        double usual = ReadClasses.quantile(its, 0.5);
        Cause nearest = causes.stream()
                .min(Comparator.comparingDouble(
                        cause -> Math.abs(expected.of(cause).logOf(usual) - line.logOf(usual))))
                .orElseThrow();
        Set<Cause> others = new TreeSet<>(causes);
        others.remove(nearest);
        return of(its, nearest, others, expected);
    }

    /** The class of reads, at least one, with its causes. */
    static ReadClass of(List<ReadTime> its, Cause cause, Set<Cause> others, ExpectedTimes expected) {
        LinearTime line = LinearTime.fit(its);
        double usual = ReadClasses.quantile(its, 0.5);
        return new ReadClass(
                line,
                medianSpread(its, line),
                its.size(),
                its.stream().mapToLong(ReadTime::bytes).sum(),
                cause,
                others,
                line.of(usual) / expected.of(cause).of(usual));
    }

    static double medianSpread(List<ReadTime> its, LinearTime line) {
        double[] off = its.stream().mapToDouble(line::off).sorted().toArray();
        return DEVIATION * off[off.length / 2];
    }

    /** All causes that the reads may have, as reports name them. */
    public String text() {
        Set<Cause> all = new TreeSet<>(others);
        all.add(cause);
        return all.stream().map(Cause::text).collect(Collectors.joining(" or "));
    }
}
