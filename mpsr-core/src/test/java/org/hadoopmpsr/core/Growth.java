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
package org.hadoopmpsr.core;

import java.lang.management.ManagementFactory;

/** How the time of work grows with its size, whatever else the machine does: in processor time of this thread. */
public final class Growth {
    private static final int RUNS = 5;

    private Growth() {}

    /** Work that takes at least some milliseconds. */
    public interface Work {
        void run();
    }

    /** How many times longer the large work takes than the small one, each in the best of several runs. */
    public static double factor(Work small, Work large) {
        return best(large) / best(small);
    }

    private static double best(Work work) {
        work.run(); // compiles it
        double best = Double.MAX_VALUE;
        for (int i = 0; i < RUNS; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            work.run();
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return Math.max(1, best);
    }
}
