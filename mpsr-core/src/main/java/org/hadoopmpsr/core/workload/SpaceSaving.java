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
package org.hadoopmpsr.core.workload;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts the most frequent keys of a stream in bounded memory: the algorithm Space-Saving (Metwally, Agrawal, El Abbadi: "Efficient
 * Computation of Frequent and Top-k Elements in Data Streams", ICDT 2005). A new key that finds no room takes the place of the
 * rarest one, and inherits its count as an error. Of n keys in m places, every key that came more than n/m times has a place, and no
 * key's count is below what is true. Each key has a value besides, which begins anew with the place. For one thread.
 */
final class SpaceSaving<K, V> {
    private final Map<K, Place<V>> places = new HashMap<>();
    /** The keys by their counts; those of one count in the order in which they got it. */
    private final TreeMap<Long, Set<K>> byCount = new TreeMap<>();

    /**
     * A key's place.
     *
     * @param count at least how often the key came
     * @param error by how much {@code count} may be too large
     */
    record Place<V>(long count, long error, V value) {}

    int size() {
        return places.size();
    }

    @Nullable
    Place<V> get(K key) {
        return places.get(key);
    }

    /** The least count; 0 without keys. */
    long least() {
        return byCount.isEmpty() ? 0 : byCount.firstKey();
    }

    /** Counts a key that has a place. */
    void count(K key, UnaryOperator<V> change) {
        Place<V> place = places.get(key);
        if (place == null) {
            throw new IllegalArgumentException("the key has no place");
        }
        unlist(key, place.count());
        put(key, new Place<>(place.count() + 1, place.error(), change.apply(place.value())));
    }

    /** Changes the value of a key that has a place, and counts nothing. */
    void change(K key, UnaryOperator<V> change) {
        places.computeIfPresent(
                key, (k, place) -> new Place<>(place.count(), place.error(), change.apply(place.value())));
    }

    /**
     * Gives a key a place that is free.
     *
     * @param inherited the count of the key that had the place before; 0 if none had
     */
    void place(K key, V value, long inherited) {
        put(key, new Place<>(inherited + 1, inherited, value));
    }

    /**
     * Takes its place from the rarest key; of several, from the one that has had this count for the longest time.
     *
     * @return its count; 0 if there was no key
     */
    long free() {
        if (byCount.isEmpty()) {
            return 0;
        }
        long least = byCount.firstKey();
        K rarest = byCount.firstEntry().getValue().iterator().next();
        unlist(rarest, least);
        places.remove(rarest);
        return least;
    }

    /** All keys with their places, in any order. */
    List<Map.Entry<K, Place<V>>> entries() {
        return List.copyOf(places.entrySet());
    }

    private void put(K key, Place<V> place) {
        places.put(key, place);
        byCount.computeIfAbsent(place.count(), c -> new LinkedHashSet<>()).add(key);
    }

    private void unlist(K key, long count) {
        byCount.computeIfPresent(count, (c, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys);
    }
}
