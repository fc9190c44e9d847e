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
package org.apache.hadoop.hdfs.server.namenode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** How long MPSR holds the namesystem's lock. Holds within a hold are parts of it. Thread-safe. */
public final class LockHolds {
    /** A longer hold is a long one. */
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LongSupplier nanoTime;
    private final AtomicLong longestNs = new AtomicLong();
    private final AtomicLong longHolds = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    LockHolds(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The present time, for {@link #ended}. */
    long begun() {
        return nanoTime.getAsLong();
    }

    /** Counts a hold that ends now. */
    void ended(long begunNs) {
        long heldNs = nanoTime.getAsLong() - begunNs;
        count.incrementAndGet();
        longestNs.accumulateAndGet(heldNs, Math::max);
        if (heldNs > LONG_NS) {
            longHolds.incrementAndGet();
        }
    }

    /** The longest hold, in milliseconds. */
    public long longestMs() {
        return TimeUnit.NANOSECONDS.toMillis(longestNs.get());
    }

    /** The number of holds. */
    public long count() {
        return count.get();
    }

    /** The number of holds of more than 10 ms. */
    public long longHolds() {
        return longHolds.get();
    }
}
