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
package org.hadoopmpsr.namenode.plan;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.OrdinaryChanges;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of plans whose further pages may still be asked for. Further pages therefore show the first page's state,
 * although commits came since. The indexes share most of their data with the datasets' current ones. Of a plan of several
 * groups also the choice of groups is kept, because only the first page knows what could be read when. A user has a number
 * of them, and cannot take those of others. Thread-safe.
 */
final class PagedIndexes {
    private static final int MAX = 128;
    private static final int MAX_PER_USER = 16;
    /** Of the segments that the choices of groups of a user name; one choice may have more. */
    private static final int MAX_NAMED_PER_USER = 50_000;

    private static final long KEPT_NS = TimeUnit.MINUTES.toNanos(2);

    private final LongSupplier nanoTime;
    /** From the one that was not asked for longest. */
    private final Map<Key, Entry> held = new LinkedHashMap<>(16, 0.75f, true);

    /** @param nanoTime a clock like {@link System#nanoTime} */
    PagedIndexes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * What a plan of several groups is made of.
     *
     * @param parts the sources of its parts
     * @param ordinary what ordinary writers had changed
     */
    record Union(DatasetIndex index, List<PartSource> parts, OrdinaryChanges ordinary) {
        Union {
            parts = List.copyOf(parts);
        }

        private int named() {
            return parts.stream().mapToInt(part -> part.segments().ids().size()).sum();
        }
    }

    /** @param number the generation of the index, or the number of the union */
    private record Key(String user, String datasetId, boolean isUnion, long number) {}

    private record Entry(Union plan, long usedNs) {}

    /** Keeps the index for a user's further pages. */
    void keep(String user, DatasetRecord dataset, DatasetIndex index) {
        keep(new Key(user, dataset.id(), false, index.generation()), new Union(index, List.of(), OrdinaryChanges.NONE));
    }

    /**
     * Keeps the choice of groups for a user's further pages.
     *
     * @param number no other union has this number
     */
    void keep(String user, DatasetRecord dataset, long number, Union union) {
        keep(new Key(user, dataset.id(), true, number), union);
    }

    private synchronized void keep(Key key, Union plan) {
        held.put(key, new Entry(plan, nanoTime.getAsLong()));
        while (of(key.user).count() > MAX_PER_USER
                || of(key.user).count() > 1
                        && of(key.user)
                                        .mapToInt(held -> held.getValue().plan.named())
                                        .sum()
                                > MAX_NAMED_PER_USER) {
            removeEldest(key.user);
        }
        if (held.size() > MAX) {
            Map<String, Integer> counts = new HashMap<>();
            held.keySet().forEach(k -> counts.merge(k.user, 1, Integer::sum));
            removeEldest(Collections.max(counts.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
        }
    }

    private Stream<Map.Entry<Key, Entry>> of(String user) {
        return held.entrySet().stream().filter(entry -> entry.getKey().user.equals(user));
    }

    private void removeEldest(String user) {
        of(user).map(Map.Entry::getKey).findFirst().ifPresent(held::remove);
    }

    /** The dataset's index of that generation, if it is kept for the user and the dataset was not renamed; else null. */
    @Nullable
    DatasetIndex of(String user, DatasetRecord dataset, long generation) {
        Union known = used(new Key(user, dataset.id(), false, generation), dataset);
        return known == null ? null : known.index;
    }

    /** The union with that number, if it is kept for the user and the dataset was not renamed; else null. */
    @Nullable
    Union union(String user, DatasetRecord dataset, long number) {
        return used(new Key(user, dataset.id(), true, number), dataset);
    }

    private synchronized @Nullable Union used(Key key, DatasetRecord dataset) {
        Entry known = held.get(key);
        if (known == null || !known.plan.index.path().equals(dataset.path())) {
            return null;
        }
        held.put(key, new Entry(known.plan, nanoTime.getAsLong()));
        return known.plan;
    }

    /** Forgets the indexes that were not asked for in the last minutes. */
    synchronized void expire() {
        long now = nanoTime.getAsLong();
        held.values().removeIf(h -> now - h.usedNs > KEPT_NS);
    }
}
