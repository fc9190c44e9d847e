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
package org.hadoopmpsr.namenode.rights;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.apache.hadoop.util.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The distinct rights of the files and directories below one dataset directory. A scan finds them. Between two scans,
 * rights that appear are added before anybody relies on them; rights that disappear stay until the next scan, which
 * keeps out more callers than necessary, and never fewer. Thread-safe.
 */
final class RightsBelow {
    /** A scan that takes longer is repeated less often than it is asked for. */
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Long scans may take this part of the time. */
    private static final int SCAN_SHARE = 10;

    private final Timer clock;
    private final ReentrantLock scanning = new ReentrantLock();
    /** Those that appeared since the last scan began. */
    private final Set<NodeRights> added = new HashSet<>();

    private volatile @Nullable Known known;
    private boolean disappeared;
    private int changing;

    /** @param watched false if changes may go unnoticed, and every call of {@link #ensure} has to scan */
    RightsBelow(Timer clock, boolean watched) {
        this.clock = clock;
        this.changing = watched ? 0 : 1;
    }

    /** Finds the present rights. */
    interface Scan {
        Set<NodeRights> run() throws IOException;
    }

    /**
     * The state of the NameNode.
     *
     * @param transition a number that changes with the HA state
     * @param transaction on a NameNode that is not active, the last transaction; else 0
     */
    record State(long transition, long transaction) {}

    /** @param nextNs before this time, rights that may have disappeared are no reason for a scan */
    private record Known(State state, Set<NodeRights> rights, long nextNs) {
        Known {
            rights = Set.copyOf(rights);
        }
    }

    /** The rights, or null if they are not known. */
    @Nullable
    Set<NodeRights> get(long transition) {
        Known now = known;
        return now != null && now.state.transition == transition ? now.rights : null;
    }

    /** Scans if that is necessary. Takes locks; must be called without the namesystem's lock. */
    void ensure(State state, Scan scan) throws IOException {
        if (isCurrent(state)) {
            return;
        }
        scanning.lock();
        try {
            if (!isCurrent(state)) {
                begin();
                long start = clock.monotonicNowNanos();
                Set<NodeRights> found = scan.run();
                long end = clock.monotonicNowNanos();
                end(state, found, end + (end - start < SHORT_NS ? 0 : SCAN_SHARE * (end - start)));
            }
        } finally {
            scanning.unlock();
        }
    }

    private synchronized boolean isCurrent(State state) {
        Known now = known;
        return now != null
                && changing == 0
                && now.state.transition == state.transition
                && (now.state.equals(state) && !disappeared || clock.monotonicNowNanos() - now.nextNs < 0);
    }

    private synchronized void begin() {
        added.clear();
        disappeared = false;
    }

    private synchronized void end(State state, Set<NodeRights> found, long nextNs) {
        Set<NodeRights> all = new HashSet<>(found);
        all.addAll(added);
        known = new Known(state, all, nextNs);
    }

    /** Rights have appeared. */
    synchronized void add(NodeRights rights) {
        if (added.size() <= DatasetRights.MAX) {
            added.add(rights);
        }
        Known now = known;
        if (now != null && now.rights.size() <= DatasetRights.MAX && !now.rights.contains(rights)) {
            Set<NodeRights> all = new HashSet<>(now.rights);
            all.add(rights);
            known = new Known(now.state, all, now.nextNs);
        }
    }

    /** Rights may have disappeared. */
    synchronized void disappeared() {
        disappeared = true;
    }

    /** Until {@link #changed}, every call of {@link #ensure} scans. */
    synchronized void changing() {
        changing++;
    }

    synchronized void changed() {
        changing--;
        disappeared = true;
    }
}
