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
package org.hadoopmpsr.ingest.commit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory that the buffers of several tasks take together. When it is more than allowed, the tasks that hold the
 * average or more must give theirs back. A busy task therefore does not starve the others, and there is always a task
 * that must give memory back. Safe for use by several threads.
 */
public final class BufferMemory {
    private static final BufferMemory OF_WORKER = new BufferMemory();

    private final Set<Share> shares = ConcurrentHashMap.newKeySet();

    /** The memory of all tasks of all connectors of this worker. */
    public static BufferMemory ofWorker() {
        return OF_WORKER;
    }

    /** A share for one more buffer, of 0 bytes. */
    public Share join() {
        Share share = new Share();
        shares.add(share);
        return share;
    }

    /** What one buffer takes. */
    public final class Share implements AutoCloseable {
        private volatile long bytes;

        private Share() {}

        /** Takes note of how many bytes the buffer takes now. */
        public void set(long now) {
            bytes = now;
        }

        /** Whether this buffer must be emptied for all to stay within {@code limit} bytes. */
        public boolean mustGive(long limit) {
            long total = 0;
            int holders = 0;
            for (Share share : shares) {
                long its = share.bytes;
                total += its;
                holders += its > 0 ? 1 : 0;
            }
            return total > limit && bytes > 0 && bytes >= total / holders;
        }

        @Override
        public void close() {
            shares.remove(this);
        }
    }
}
