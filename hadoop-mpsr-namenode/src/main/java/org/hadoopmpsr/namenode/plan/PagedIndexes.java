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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of plans whose further pages may still be asked for. Further pages therefore show the first page's state,
 * although commits came since. The indexes share most of their data with the datasets' current ones. Thread-safe.
 */
final class PagedIndexes {
    private static final int MAX = 8;
    private static final long KEPT_NS = TimeUnit.MINUTES.toNanos(2);

    private final LongSupplier nanoTime;
    private final Map<Key, Entry> held = new LinkedHashMap<>(16, 0.75f, true);

    /** @param nanoTime a clock like {@link System#nanoTime} */
    PagedIndexes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Key(String datasetId, long generation) {}

    private record Entry(DatasetIndex index, long usedNs) {}

    synchronized void keep(DatasetRecord dataset, DatasetIndex index) {
        held.put(new Key(dataset.id(), index.generation()), new Entry(index, nanoTime.getAsLong()));
        Iterator<Key> eldest = held.keySet().iterator();
        while (held.size() > MAX) {
            eldest.next();
            eldest.remove();
        }
    }

    /** The dataset's index of that generation, if it is still known and the dataset was not renamed; otherwise null. */
    synchronized @Nullable DatasetIndex of(DatasetRecord dataset, long generation) {
        Key key = new Key(dataset.id(), generation);
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
