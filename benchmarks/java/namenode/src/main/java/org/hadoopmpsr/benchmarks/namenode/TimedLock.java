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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A namesystem lock that records how long RPC handlers hold it for writing: an observer of its own. */
final class TimedLock extends ReentrantReadWriteLock {
    private static final long serialVersionUID = 1;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final transient List<Hold> holds = new ArrayList<>();
    private final WriteLock timed = new TimedWriteLock(this);

    /**
     * One hold.
     *
     * @param ns nanoseconds on the clock
     * @param cpuNs nanoseconds of the thread on a core: less where the machine is busy with other things
     */
    record Hold(long ns, long cpuNs) {}

    TimedLock() {
        super(true);
    }

    @Override
    public WriteLock writeLock() {
        return timed;
    }

    /** The holds since the last call, in their order. */
    List<Hold> take() {
        synchronized (holds) {
            List<Hold> taken = List.copyOf(holds);
            holds.clear();
            return taken;
        }
    }

    private final class TimedWriteLock extends WriteLock {
        private static final long serialVersionUID = 1;

        private long since;
        private long cpuSince;

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
                cpuSince = THREADS.getCurrentThreadCpuTime();
                since = System.nanoTime();
            }
        }

        @Override
        public void unlock() {
            if (getHoldCount() == 1 && Thread.currentThread().getName().startsWith("IPC Server handler")) {
                synchronized (holds) {
                    holds.add(new Hold(System.nanoTime() - since, THREADS.getCurrentThreadCpuTime() - cpuSince));
                }
            }
            super.unlock();
        }
    }
}
