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
package org.hadoopmpsr.core.rebuild;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What came of the changes of one run, so that the run ends. For one thread. */
public final class RebuildTries {
    /** Damage that comes back as often is not rebuilt again by the same run. */
    private static final int MOST_REBUILDS = 3;

    private record Place(String segment, String group) {
        static Place of(Damage damage) {
            return new Place(damage.segment(), damage.group());
        }
    }

    private final Set<Place> alone = new HashSet<>();
    private final Map<Place, Integer> rebuilt = new HashMap<>();
    private final Map<Place, Map<String, String>> failed = new HashMap<>();

    /**
     * A unit came to nothing. Of several segments each is tried alone then; a segment that was alone is tried with another
     * source.
     *
     * @param reason why
     */
    public void failed(RebuildUnit unit, String reason) {
        for (RebuildUnit.Part part : unit.parts()) {
            if (unit.parts().size() > 1) {
                alone.add(Place.of(part.damage()));
            } else {
                failed.computeIfAbsent(Place.of(part.damage()), p -> new HashMap<>())
                        .put(part.source(), reason);
            }
        }
    }

    /** A unit is published. */
    public void rebuilt(RebuildUnit unit) {
        for (RebuildUnit.Part part : unit.parts()) {
            rebuilt.merge(Place.of(part.damage()), 1, Integer::sum);
        }
    }

    boolean isAlone(Damage damage) {
        return alone.contains(Place.of(damage));
    }

    boolean hasFailed(Damage damage, String source) {
        return isRebuiltOften(damage)
                || failed.getOrDefault(Place.of(damage), Map.of()).containsKey(source);
    }

    private boolean isRebuiltOften(Damage damage) {
        return rebuilt.getOrDefault(Place.of(damage), 0) >= MOST_REBUILDS;
    }

    /** Why it is not tried with some source; empty if it may be tried with each. */
    Optional<String> problem(Damage damage) {
        if (isRebuiltOften(damage)) {
            return Optional.of("it was rebuilt " + MOST_REBUILDS
                    + " times, and was damaged again each time; look at the" + " DataNodes of the group");
        }
        Map<String, String> reasons = failed.getOrDefault(Place.of(damage), Map.of());
        return reasons.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(e -> "from group " + e.getKey() + ": " + e.getValue())
                .reduce((a, b) -> a + "; " + b);
    }
}
