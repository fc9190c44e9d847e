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
package org.hadoopmpsr.core.alloc;

/**
 * Limits the average number of bytes that are started per second. After each piece, whatever its size, the throttle is
 * closed for the time that the piece takes at the given rate. Unused time counts for at most one second. For one
 * thread.
 */
public final class Throttle {
    private static final long SECOND_NS = 1_000_000_000L;

    private final long bytesPerSecond;
    private long openAtNs;

    /**
     * Makes an open throttle.
     *
     * @param bytesPerSecond the rate, or 0 for no limit
     * @param nowNs the time of any clock; all calls must use the same clock
     */
    public Throttle(long bytesPerSecond, long nowNs) {
        this.bytesPerSecond = bytesPerSecond;
        this.openAtNs = nowNs;
    }

    public long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** True if a piece may be started. */
    public boolean isOpen(long nowNs) {
        return bytesPerSecond == 0 || nowNs - openAtNs >= 0;
    }

    /** Records that a piece was started. */
    public void begin(long bytes, long nowNs) {
        if (bytesPerSecond > 0) {
            long unused = Math.min(SECOND_NS, nowNs - openAtNs);
            openAtNs = nowNs - unused + Math.round((double) bytes / bytesPerSecond * SECOND_NS);
        }
    }
}
