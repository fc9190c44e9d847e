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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of plans whose further pages may still be asked for. Further pages therefore show the first page's state,
 * although commits came since. The indexes share most of their data with the datasets' current ones. A user has a number
 * of them, and cannot take those of others. Thread-safe.
 */
final class PagedIndexes {
    private static final int MAX = 128;
    private static final int MAX_PER_USER = 16;
    private static final long KEPT_NS = TimeUnit.MINUTES.toNanos(2);

    private final LongSupplier nanoTime;
    /** From the one that was not asked for longest. */
    private final Map<Key, Entry> held = new LinkedHashMap<>(16, 0.75f, true);

    /** @param nanoTime a clock like {@link System#nanoTime} */
    PagedIndexes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Key(String user, String datasetId, long generation) {}

    private record Entry(DatasetIndex index, long usedNs) {}

    /** Keeps the index for a user's further pages. */
    synchronized void keep(String user, DatasetRecord dataset, DatasetIndex index) {
        held.put(new Key(user, dataset.id(), index.generation()), new Entry(index, nanoTime.getAsLong()));
        Map<String, Integer> counts = new HashMap<>();
        held.keySet().forEach(key -> counts.merge(key.user, 1, Integer::sum));
        if (counts.getOrDefault(user, 0) > MAX_PER_USER) {
            removeEldest(user);
        } else if (held.size() > MAX) {
            removeEldest(Collections.max(counts.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
        }
    }

    private void removeEldest(String user) {
        held.keySet().stream().filter(key -> key.user.equals(user)).findFirst().ifPresent(held::remove);
    }

    /** The dataset's index of that generation, if it is kept for the user and the dataset was not renamed; else null. */
    synchronized @Nullable DatasetIndex of(String user, DatasetRecord dataset, long generation) {
        Key key = new Key(user, dataset.id(), generation);
        Entry known = held.get(key);
        if (known == null || !known.index.path().equals(dataset.path())) {
            return null;
        }
        held.put(key, new Entry(known.index, nanoTime.getAsLong()));
        return known.index;
    }

    /** Forgets the indexes that were not asked for in the last minutes. */
    synchronized void expire() {
        long now = nanoTime.getAsLong();
        held.values().removeIf(h -> now - h.usedNs > KEPT_NS);
    }
}
