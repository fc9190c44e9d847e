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
package org.hadoopmpsr.core.readtimes;

import org.hadoopmpsr.core.assign.ReadCost;

/** What a read goes through, and so why it takes as long as it does. */
public enum Cause {
    /** The page cache of the reader's own host. */
    MEMORY("cached"),
    /** The page cache of another host. */
    REMOTE_MEMORY("cached on another host"),
    DISK("local disk"),
    REMOTE_DISK("disk of another host"),
    /** A disk that takes ten times as long as it should. */
    SLOW_DISK("slow or throttled disk"),
    /** Something that has nothing to do with the bytes: a pause of the JVM, a retry, a lock. */
    PAUSE("pause, such as of a JVM");

    private static final double MEMORY_NANOS = 40_000;
    private static final double MEMORY_NANOS_PER_BYTE = 0.3;
    private static final double SLOW = 10;
    private static final double PAUSE_NANOS = 200_000_000;

    private final String text;

    Cause(String text) {
        this.text = text;
    }

    /** As reports name it. */
    public String text() {
        return text;
    }

    /** True if bytes come from another host. */
    boolean isRemote() {
        return this == REMOTE_MEMORY || this == REMOTE_DISK;
    }

    /** True if bytes come from a disk that is as fast as it should be. */
    boolean isOfDisk() {
        return this == DISK || this == REMOTE_DISK;
    }

    /** True if it can be in reads of any host. */
    boolean isOfAny() {
        return this == SLOW_DISK || this == PAUSE;
    }

    /** The expected time, from the costs of the cluster. */
    LinearTime expected(ReadCost cost) {
        LinearTime memory = new LinearTime(MEMORY_NANOS, MEMORY_NANOS_PER_BYTE);
        LinearTime disk = new LinearTime(cost.diskPrepareMs() * 1e6, 1e6 / cost.diskBytesPerMs());
        LinearTime network = new LinearTime(cost.networkPrepareMs() * 1e6, 1e6 / cost.networkBytesPerMs());
        switch (this) {
            case MEMORY:
                return memory;
            case REMOTE_MEMORY:
                return memory.plus(network);
            case DISK:
                return disk;
            case REMOTE_DISK:
                return disk.plus(network);
            case SLOW_DISK:
                return slow(disk);
            default:
                return paused(disk);
        }
    }

    /** The time of a slow disk, from that of others. */
    static LinearTime slow(LinearTime disk) {
        return disk.times(SLOW);
    }

    /** The time of a read from a disk that something holds up. */
    static LinearTime paused(LinearTime disk) {
        return disk.plus(new LinearTime(PAUSE_NANOS, 0));
    }
}
