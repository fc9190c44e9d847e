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
package org.hadoopmpsr.namenode.budget;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.core.config.ConfigKey;
import org.hadoopmpsr.core.config.ConfigKeys;

/**
 * The places for the calls to MPSR that are carried out at one time, and the memory that they share. HDFS keeps the other
 * handlers and the rest of the heap. Thread-safe.
 */
public final class CallPlaces {
    private final int most;
    private final int mostPerUser;
    private final long memoryBytes;
    private final Caller caller;

    private final Map<String, Integer> byUser = new HashMap<>();
    private int taken;
    private long reservedBytes;

    /** Names the user of the current call. */
    public interface Caller {
        String name() throws IOException;
    }

    /**
     * @param most the maximum number of calls
     * @param mostPerUser the maximum number of calls of one user
     * @param memoryBytes the maximum number of bytes of the heap that all calls take, as they estimate it
     */
    public CallPlaces(int most, int mostPerUser, long memoryBytes, Caller caller) {
        this.most = most;
        this.mostPerUser = mostPerUser;
        this.memoryBytes = memoryBytes;
        this.caller = caller;
    }

    /**
     * Takes a place for the current call.
     *
     * @throws RetriableException if all places, or all of the calling user, are taken
     */
    public Place take() throws IOException {
        return take(caller.name());
    }

    private synchronized Place take(String user) throws RetriableException {
        int own = byUser.getOrDefault(user, 0);
        if (own >= mostPerUser) {
            throw busy(mostPerUser + " calls of user " + user, ConfigKeys.MAX_USER_CALLS);
        }
        if (taken >= most) {
            throw busy(most + " calls", ConfigKeys.MAX_CALLS);
        }
        taken++;
        byUser.put(user, own + 1);
        return new Place(user);
    }

    private static RetriableException busy(String calls, ConfigKey key) {
        return new RetriableException("the NameNode carries out " + calls + " to MPSR already, as many as " + key.name()
                + " allows; try again in a moment");
    }

    /** The number of calls that are carried out. */
    public synchronized int taken() {
        return taken;
    }

    /** The memory that these calls take, in bytes. */
    public synchronized long reservedBytes() {
        return reservedBytes;
    }

    private synchronized void reserve(long bytes, long before) throws IOException {
        if (before + bytes > memoryBytes) {
            throw new IOException("the call is refused: it would take about " + (before + bytes)
                    + " bytes of the NameNode's heap, more than the " + memoryBytes + " that "
                    + ConfigKeys.CALL_HEAP.name()
                    + " gives to all calls; send less at a time, or raise it or the heap");
        }
        if (reservedBytes + bytes > memoryBytes) {
            throw new RetriableException("the calls to MPSR that the NameNode carries out take as much memory as "
                    + ConfigKeys.CALL_HEAP.name() + " allows; try again in a moment");
        }
        reservedBytes += bytes;
    }

    private synchronized void leave(String user, long bytes) {
        taken--;
        reservedBytes -= bytes;
        byUser.computeIfPresent(user, (u, own) -> own == 1 ? null : own - 1);
    }

    /** The place of one call, until it is closed. For one thread. */
    public final class Place implements AutoCloseable {
        private final String user;
        private long bytes;
        private boolean left;

        private Place(String user) {
            this.user = user;
        }

        /**
         * Reserves memory until the place is left.
         *
         * @throws RetriableException if other calls take it at the moment
         * @throws IOException if the call would take more than all calls may
         */
        public void reserve(long more) throws IOException {
            CallPlaces.this.reserve(more, bytes);
            bytes += more;
        }

        /** Leaves the place. No effect if that is done. */
        @Override
        public void close() {
            if (!left) {
                left = true;
                leave(user, bytes);
            }
        }
    }
}
