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
package org.hadoopmpsr.benchmarks.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A namesystem lock that records how long RPC handlers hold it for writing: an observer of its own. */
final class TimedLock extends ReentrantReadWriteLock {
    private static final long serialVersionUID = 1;

    private final transient List<Long> holdsNs = new ArrayList<>();
    private final WriteLock timed = new TimedWriteLock(this);

    TimedLock() {
        super(true);
    }

    @Override
    public WriteLock writeLock() {
        return timed;
    }

    /** The holds since the last call, in nanoseconds and in their order. */
    List<Long> take() {
        synchronized (holdsNs) {
            List<Long> taken = List.copyOf(holdsNs);
            holdsNs.clear();
            return taken;
        }
    }

    private final class TimedWriteLock extends WriteLock {
        private static final long serialVersionUID = 1;

        private long since;

        TimedWriteLock(ReentrantReadWriteLock lock) {
            super(lock);
        }

        @Override
        public void lock() {
            super.lock();
            begin();
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            super.lockInterruptibly();
            begin();
        }

        private void begin() {
            if (getHoldCount() == 1) {
                since = System.nanoTime();
            }
        }

        @Override
        public void unlock() {
            if (getHoldCount() == 1 && Thread.currentThread().getName().startsWith("IPC Server handler")) {
                synchronized (holdsNs) {
                    holdsNs.add(System.nanoTime() - since);
                }
            }
            super.unlock();
        }
    }
}
