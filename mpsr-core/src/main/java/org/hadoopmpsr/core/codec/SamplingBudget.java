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
package org.hadoopmpsr.core.codec;

/** Keeps the CPU time of samples below a share of the time of all work. Safe for use by several threads. */
public final class SamplingBudget {
    /** The share that samples may take: below 3 %, with room for what a sample takes more than expected. */
    public static final double SHARE = 0.025;

    private final double share;
    private double workedNs;
    private double sampledNs;

    /** @param share of the time of work, above 0 */
    public SamplingBudget(double share) {
        this.share = share;
    }

    /** Counts work, without samples. */
    public synchronized void worked(long ns) {
        workedNs += ns;
    }

    /** Whether a sample that takes so long keeps to the budget. */
    public synchronized boolean allows(double ns) {
        return sampledNs + ns <= workedNs * share;
    }

    /** Counts a sample. */
    public synchronized void sampled(long ns) {
        sampledNs += ns;
    }

    /** The part of the work's time that samples took; 0 before any work. */
    public synchronized double share() {
        return workedNs == 0 ? 0 : sampledNs / workedNs;
    }
}
