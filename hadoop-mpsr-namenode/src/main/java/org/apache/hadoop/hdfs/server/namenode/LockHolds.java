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
import org.jspecify.annotations.Nullable;

/**
 * How long MPSR holds the namesystem's lock, and for how much work: the inodes that it looks at, and the edits that it
 * makes. Holds within a hold are parts of it. Thread-safe.
 */
public final class LockHolds {
    /** A longer hold is a long one. */
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LongSupplier nanoTime;
    private final AtomicLong longestNs = new AtomicLong();
    private final AtomicLong longHolds = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong mostLooks = new AtomicLong();
    private final AtomicLong mostEdits = new AtomicLong();
    private final ThreadLocal<Hold> current = ThreadLocal.withInitial(Hold::new);

    LockHolds(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The work of one thread in its present hold. */
    private static final class Hold {
        private int depth;
        private long begunNs;
        private long looks;
        private long edits;
    }

    /** A hold begins in this thread. */
    void begin() {
        Hold hold = current.get();
        if (hold.depth++ == 0) {
            hold.looks = 0;
            hold.edits = 0;
            hold.begunNs = nanoTime.getAsLong();
        }
    }

    /** The present hold looks at so many inodes. */
    public void look(int inodes) {
        current.get().looks += inodes;
    }

    /** The present hold makes an edit. */
    void edit() {
        current.get().edits++;
    }

    /**
     * The hold of this thread ends.
     *
     * @return a text for operators if it is long, and the longest until now; else null
     */
    @Nullable
    String end() {
        Hold hold = current.get();
        if (--hold.depth > 0) {
            return null;
        }
        long heldNs = nanoTime.getAsLong() - hold.begunNs;
        count.incrementAndGet();
        mostLooks.accumulateAndGet(hold.looks, Math::max);
        mostEdits.accumulateAndGet(hold.edits, Math::max);
        boolean longest = longestNs.getAndAccumulate(heldNs, Math::max) < heldNs;
        if (heldNs <= LONG_NS) {
            return null;
        }
        longHolds.incrementAndGet();
        return longest
                ? TimeUnit.NANOSECONDS.toMillis(heldNs) + " ms, for " + hold.looks + " inodes and " + hold.edits
                        + " edits"
                : null;
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

    /** The most inodes that one hold looked at. */
    public long mostLooks() {
        return mostLooks.get();
    }

    /** The most edits that one hold made. */
    public long mostEdits() {
        return mostEdits.get();
    }
}
