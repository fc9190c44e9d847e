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
package org.hadoopmpsr.benchmarks.encode;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/** How long the processor has worked. */
public final class CpuTime {
    private CpuTime() {}

    /** For the calling thread, in nanoseconds since the thread began. */
    public static long ofThread() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Of the calling thread and of those with which the sink writes files, in nanoseconds. */
    public static long ofThreadAndWriters() {
        return byWorker().values().stream().mapToLong(Long::longValue).sum();
    }

    /** The same by the threads' numbers. */
    public static Map<Long, Long> byWorker() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<Long, Long> ns = new HashMap<>();
        ns.put(Thread.currentThread().getId(), threads.getCurrentThreadCpuTime());
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith("mpsr-writer-")) {
                ns.put(thread.getThreadId(), Math.max(0, threads.getThreadCpuTime(thread.getThreadId())));
            }
        }
        return ns;
    }

    /** What the threads that are there now have worked since then; others may have ended meanwhile. */
    public static long since(Map<Long, Long> byWorker) {
        return byWorker().entrySet().stream()
                .mapToLong(now -> now.getValue() - byWorker.getOrDefault(now.getKey(), 0L))
                .sum();
    }
}
