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
 * What a process knows of its lease, by its own clock, which need not agree with the NameNode's. Times are milliseconds of a
 * clock that never goes back. Immutable.
 *
 * @param untilMs until then nobody else holds the lease, if this process was given it at all
 */
public record HeldLease(long untilMs) {
    /** Of a process that was given none. */
    public static final HeldLease NONE = new HeldLease(Long.MIN_VALUE);

    /** What is left for the jobs to end before another process holds the lease, at most. */
    private static final long MARGIN_MS = TimeUnit.SECONDS.toMillis(30);

    /**
     * The lease after an answer.
     *
     * @param askedMs when the request was sent, which is before the NameNode began to count
     */
    public HeldLease after(LeaseAnswer answer, long askedMs) {
        return answer.granted() ? new HeldLease(askedMs + answer.remainingMs()) : NONE;
    }

    /**
     * True if runs may start and go on. Becomes false before the lease ends, so that jobs have time to end.
     *
     * @param leaseMs the length of lease for which the process asks
     */
    public boolean isHeld(long nowMs, long leaseMs) {
        return untilMs != NONE.untilMs && untilMs - nowMs > Math.min(MARGIN_MS, leaseMs / 2);
    }
}
