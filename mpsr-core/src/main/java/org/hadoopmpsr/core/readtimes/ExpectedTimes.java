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

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hadoopmpsr.core.assign.ReadCost;

/**
 * The time that each cause is expected to take. Immutable.
 *
 * @param times of every cause
 * @param spreads of every cause the standard deviation of the logarithms of times around it; empty if nothing is measured
 */
public record ExpectedTimes(Map<Cause, LinearTime> times, Map<Cause, Double> spreads) {
    /** As vaguely as a slow disk and a pause are expected: with a standard deviation of a factor of e. */
    private static final double VAGUE = 1;

    public ExpectedTimes {
        times = Map.copyOf(times);
        spreads = Map.copyOf(spreads);
    }

    /** The times that the costs of a cluster make: what memory costs is a constant. */
    public static ExpectedTimes of(ReadCost cost) {
        Map<Cause, LinearTime> times = new EnumMap<>(Cause.class);
        for (Cause cause : Cause.values()) {
            times.put(cause, cause.expected(cost));
        }
        return new ExpectedTimes(times, Map.of());
    }

    /**
     * The times that a calibration has measured, by pieces that were each read twice ({@link ReadCosts#ofTwice}). A disk's time is
     * that of the first reads beside the cached ones among them ({@link Mixture}). What is not measured follows from what is: a remote read is a local one and the network, a slow disk takes ten times as long as a disk, and a pause follows a
     * read from a disk.
     *
     * @param first the first reads of the pieces; at least one
     * @param again the second ones; at least one
     * @param otherwise the costs for a cause of which nothing is measured
     */
    public static ExpectedTimes of(List<ReadTime> first, List<ReadTime> again, ReadCost otherwise) {
        Map<Cause, LinearTime> found = new EnumMap<>(Cause.class);
        Map<Cause, Double> spreads = new EnumMap<>(Cause.class);
        ReadCosts costs = ReadCosts.ofTwice(first, again);
        for (ReadCosts.Part part : costs.parts()) {
            boolean remote = part.cause().isRemote();
            List<ReadTime> cached =
                    again.stream().filter(r -> r.isRemote() == remote).toList();
            LinearTime memory = LinearTime.fit(cached);
            found.put(part.cause(), memory);
            spreads.put(part.cause(), memory.spread(cached));
            if (part.cause().isOfDisk()) {
                List<ReadTime> read =
                        first.stream().filter(r -> r.isRemote() == remote).toList();
                Mixture both = Mixture.besideKnown(read, memory, memory.spread(cached), part.time(), VAGUE);
                found.put(part.cause(), both.line(1));
                spreads.put(part.cause(), both.spread(1));
            }
        }
        LinearTime network = costs.network()
                .orElseGet(
                        () -> new LinearTime(otherwise.networkPrepareMs() * 1e6, 1e6 / otherwise.networkBytesPerMs()));
        Map<Cause, LinearTime> times = completed(found, network, otherwise);
        times.keySet().forEach(cause -> spreads.putIfAbsent(cause, VAGUE));
        return new ExpectedTimes(times, spreads);
    }

    private static Map<Cause, LinearTime> completed(Map<Cause, LinearTime> of, LinearTime network, ReadCost otherwise) {
        for (boolean memory : new boolean[] {true, false}) {
            Cause near = memory ? Cause.MEMORY : Cause.DISK;
            Cause far = memory ? Cause.REMOTE_MEMORY : Cause.REMOTE_DISK;
            LinearTime local = Optional.ofNullable(of.get(near))
                    .or(() -> Optional.ofNullable(of.get(far)).map(time -> time.minus(network)))
                    .orElseGet(() -> near.expected(otherwise));
            of.put(near, local);
            of.putIfAbsent(far, local.plus(network));
        }
        LinearTime disk = Objects.requireNonNull(of.get(Cause.DISK));
        of.putIfAbsent(Cause.SLOW_DISK, Cause.slow(disk));
        of.putIfAbsent(Cause.PAUSE, Cause.paused(disk));
        return of;
    }

    /** Whether the times are measured, and not only assumed. */
    public boolean isMeasured() {
        return !spreads.isEmpty();
    }

    double spreadOf(Cause cause) {
        return Objects.requireNonNull(spreads.get(cause));
    }

    /** The time of a cause. */
    public LinearTime of(Cause cause) {
        return Objects.requireNonNull(times.get(cause));
    }
}
