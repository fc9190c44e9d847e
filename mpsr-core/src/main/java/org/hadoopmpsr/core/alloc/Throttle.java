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
 * Bounds how many bytes are begun in a second, on average: after each piece, however large, it is closed for as long as
 * the piece takes at that rate. What was not used counts for one second. For one thread.
 */
public final class Throttle {
    private static final long SECOND_NS = 1_000_000_000L;

    private final long bytesPerSecond;
    private long openAtNs;

    /**
     * Makes a throttle that is open.
     *
     * @param bytesPerSecond 0 for any number
     * @param nowNs any clock's time, as in the other calls
     */
    public Throttle(long bytesPerSecond, long nowNs) {
        this.bytesPerSecond = bytesPerSecond;
        this.openAtNs = nowNs;
    }

    public long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** True when a piece may be begun. */
    public boolean isOpen(long nowNs) {
        return bytesPerSecond == 0 || nowNs - openAtNs >= 0;
    }

    /** Takes account of a piece that was begun. */
    public void begin(long bytes, long nowNs) {
        if (bytesPerSecond > 0) {
            long unused = Math.min(SECOND_NS, nowNs - openAtNs);
            openAtNs = nowNs - unused + Math.round((double) bytes / bytesPerSecond * SECOND_NS);
        }
    }
}
