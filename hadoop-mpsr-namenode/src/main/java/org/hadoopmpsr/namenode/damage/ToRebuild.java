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
package org.hadoopmpsr.namenode.damage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.hadoopmpsr.core.rebuild.DamageCauses;
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause;
import org.hadoopmpsr.namenode.damage.DamageLook.Found;

/**
 * What a group lacks of a dataset, and another group has. Immutable.
 *
 * @param segments the number of segments of which it lacks something
 * @param causes why
 * @param bytes about how long the missing files are together
 * @param sinceMs when the first of it was seen, in milliseconds since the epoch
 */
public record ToRebuild(String group, int segments, DamageCauses causes, long bytes, long sinceMs) {

    /**
     * What is to be rebuilt, one for each group that lacks something, by name. What no group has is left out, and so
     * is what nobody rebuilds unasked.
     *
     * @param sinceMs when it was first seen
     */
    static List<ToRebuild> of(Collection<Found> damage, ToLongFunction<Found> sinceMs) {
        Map<String, List<Found>> byGroup = new TreeMap<>();
        damage.stream()
                .filter(found -> !found.sources().isEmpty() && !found.isLeftToPeople())
                .forEach(found -> byGroup.computeIfAbsent(found.group(), g -> new ArrayList<>())
                        .add(found));
        return byGroup.entrySet().stream()
                .map(e -> of(e.getKey(), e.getValue(), sinceMs))
                .toList();
    }

    private static ToRebuild of(String group, List<Found> damage, ToLongFunction<Found> sinceMs) {
        Map<Cause, Integer> files = new EnumMap<>(Cause.class);
        damage.forEach(found -> found.files().forEach(file -> files.merge(file.cause(), 1, Integer::sum)));
        return new ToRebuild(
                group,
                damage.size(),
                new DamageCauses(
                        files, (int) damage.stream().filter(Found::deleted).count()),
                damage.stream().mapToLong(Found::bytes).sum(),
                damage.stream().mapToLong(sinceMs).min().orElse(0));
    }
}
