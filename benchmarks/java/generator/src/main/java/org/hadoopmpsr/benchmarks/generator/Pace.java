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
package org.hadoopmpsr.benchmarks.generator;

import java.util.concurrent.locks.LockSupport;

/** Holds a thread to a number of steps per second; steps that came late are made up for. */
final class Pace {
    private static final int CHECK_EVERY = 256;

    private final double nsPerStep;
    private long startNs;
    private long steps;

    /** @param stepsPerSecond 0 for as fast as it goes */
    Pace(double stepsPerSecond) {
        nsPerStep = stepsPerSecond > 0 ? 1e9 / stepsPerSecond : 0;
    }

    /** Counts a step, and waits when there were too many. */
    void step() {
        if (nsPerStep == 0) {
            return;
        }
        if (steps == 0) {
            startNs = System.nanoTime();
        }
        steps++;
        if (steps % CHECK_EVERY == 0 || nsPerStep * CHECK_EVERY > 1e8) {
            long due = startNs + (long) (steps * nsPerStep);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
