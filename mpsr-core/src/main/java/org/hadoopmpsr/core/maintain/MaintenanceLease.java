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
package org.hadoopmpsr.core.maintain;

import java.util.concurrent.TimeUnit;

/**
 * Who maintains the cluster: one process at a time, which says again and again that it is alive. The NameNode keeps it. A
 * lease only saves work that would be done twice: the NameNode takes or refuses each change whoever makes it. Times are
 * milliseconds since the epoch, of the NameNode's clock. Immutable.
 *
 * @param holder the name that the process gave itself; empty if nobody holds it
 * @param sinceMs since when the holder has it, or when the last one left
 * @param expiresMs from then on another process may take it
 * @param checkedMs when all tasks were last found to have nothing left to do, or did it; 0 if never
 */
public record MaintenanceLease(String holder, long sinceMs, long expiresMs, long checkedMs) {
    /** As long as nobody has maintained the cluster. */
    public static final MaintenanceLease NONE = new MaintenanceLease("", 0, 0, 0);

    /** The shortest and the longest time for which a process may ask. */
    public static final long MIN_MS = TimeUnit.SECONDS.toMillis(10);

    public static final long MAX_MS = TimeUnit.MINUTES.toMillis(10);

    /** What is written holds for so many times as long as asked, and is therefore written only now and then. */
    private static final int WRITTEN_AHEAD = 2;

    private static final long CHECKED_STEP_MS = TimeUnit.MINUTES.toMillis(1);

    /**
     * The decision about a request.
     *
     * @param granted whether the asking process holds the lease now
     * @param lease what is to be kept; equal to what is kept if nothing changes
     * @param remainingMs how long whoever holds it still has it
     */
    public record Decision(boolean granted, MaintenanceLease lease, long remainingMs) {}

    /** True if a process may take the lease. */
    public boolean isFree(long nowMs) {
        // no process gets one that ends later: the clock was ahead when it was written, and nobody waits for that
        return holder.isEmpty() || expiresMs <= nowMs || expiresMs - nowMs > WRITTEN_AHEAD * MAX_MS;
    }

    /** Decides about a request of a process for the lease, or for a longer one. */
    public Decision ask(LeaseRequest request, long nowMs) {
        boolean free = isFree(nowMs);
        if (!free && !holder.equals(request.holder())) {
            return new Decision(false, this, expiresMs - nowMs);
        }
        if (request.release()) {
            MaintenanceLease left = free ? this : new MaintenanceLease("", nowMs, nowMs, checkedMs);
            return new Decision(false, left.checked(request, nowMs), 0);
        }
        boolean enough = !free && expiresMs - nowMs >= request.leaseMs();
        long expires = enough ? expiresMs : nowMs + WRITTEN_AHEAD * request.leaseMs();
        MaintenanceLease now = new MaintenanceLease(request.holder(), free ? nowMs : sinceMs, expires, checkedMs)
                .checked(request, nowMs);
        return new Decision(true, now, expires - nowMs);
    }

    private MaintenanceLease checked(LeaseRequest request, long nowMs) {
        boolean news = request.checked() && Math.abs(nowMs - checkedMs) >= CHECKED_STEP_MS;
        return news ? new MaintenanceLease(holder, sinceMs, expiresMs, nowMs) : this;
    }
}
