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
package org.hadoopmpsr.core.place;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Chooses where a reduction is made, and whether it moves: Algorithm 1 of FlexAnalytics, from a profile (t_m, t_c, c_p, m_p) and
 * monitoring. The paper's quantities are
 *
 * <pre>
 * (1) t_m = start + bytes / bandwidth + files · result / bandwidth of results
 * (2) t_c = (files · open + records · c_p) / min(cores, files)
 * (3) a place is possible if min(cores, files) · m_p ≤ its free memory
 * (4) the place is the possible one with the least t_m + t_c
 * (5) T_c = elapsed · (1 − done) / done
 * (6) the reduction moves from its place to the possible one with the least t_m + t_c if T_c &gt; t_c + t_m
 * </pre>
 *
 * <p>What was done is lost with a move, so (6) takes t_c and t_m of all that is to be done. The paper's abstract, and the words of the
 * request for this, name these quantities and condition (6); the terms of (1), (2) and (3) are MPSR's own. Pure functions; times are in
 * seconds.
 */
public final class Placement {
    private Placement() {}

    /**
     * What the reduction costs in a place: (1) to (3).
     *
     * @return with a reason if it is excluded
     */
    public static PlaceCost cost(ReductionProfile profile, PlaceState state) {
        long working = Math.max(1, Math.min(state.cores(), profile.files()));
        double move = state.startSeconds()
                + profile.bytes() / state.bytesPerSecond()
                + profile.files() * (profile.resultBytes() / state.resultBytesPerSecond());
        double compute =
                (profile.files() * state.openSeconds() + profile.records() * profile.recordSeconds()) / working;
        long needed = working * profile.memoryBytes();
        String excluded = needed <= state.freeBytes()
                ? null
                : "it takes " + needed + " bytes of memory, and " + state.freeBytes() + " are free";
        return new PlaceCost(state.place(), move, compute, excluded);
    }

    /**
     * Chooses the place: (4). Of two with equal costs it is the first one that is given.
     *
     * @param known whether statistics of files, or answers that were kept, tell all: nothing is read then
     * @param states of the places, at least one
     */
    public static PlaceChoice choose(ReductionProfile profile, boolean known, List<PlaceState> states) {
        if (known) {
            return new PlaceChoice(Place.SOURCE, List.of(), "what is known of the files tells the answer");
        }
        List<PlaceCost> costs = costs(profile, states);
        Optional<PlaceCost> best = least(costs);
        if (best.isEmpty()) {
            return new PlaceChoice(
                    states.get(0).place(), costs, "no place has the memory, and this one is the first that was named");
        }
        PlaceCost chosen = best.get();
        return new PlaceChoice(
                chosen.place(),
                costs,
                costs.size() == 1
                        ? "there is no other place"
                        : "it has the answer soonest of " + costs.size() + " places");
    }

    private static List<PlaceCost> costs(ReductionProfile profile, List<PlaceState> states) {
        return states.stream().map(state -> cost(profile, state)).collect(Collectors.toUnmodifiableList());
    }

    private static Optional<PlaceCost> least(List<PlaceCost> costs) {
        return costs.stream()
                .filter(cost -> cost.excluded() == null)
                .min(Comparator.comparingDouble(PlaceCost::seconds));
    }

    /**
     * How long the rest will take where the reduction is: (5).
     *
     * @param elapsed since it began there
     * @param done the share that is done, from 0 to 1
     * @return empty if nothing is done, so that nothing is known
     */
    public static OptionalDouble remaining(double elapsed, double done) {
        return done > 0 ? OptionalDouble.of(elapsed * (1 - Math.min(1, done)) / done) : OptionalDouble.empty();
    }

    /**
     * Whether the reduction moves: (6).
     *
     * @param profile of all that is to be done in another place
     * @param remaining T_c, how long the rest will take where it is
     * @param others states of the other places
     * @return where it moves to; empty if it stays
     */
    public static Optional<PlaceChoice> move(ReductionProfile profile, double remaining, List<PlaceState> others) {
        List<PlaceCost> costs = costs(profile, others);
        return least(costs)
                .filter(best -> remaining > best.seconds())
                .map(best -> new PlaceChoice(
                        best.place(),
                        costs,
                        String.format(Locale.ROOT, "where it is, the rest takes %.3f s more", remaining)));
    }
}
