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

import java.util.Optional;

/**
 * Finds the {@link WriteRates} of a process from the files that its threads write. Safe for use by several threads.
 *
 * <p>A thread that waits for HDFS tells the bandwidth: its file is sent as long as it is written, so the bandwidth is the file's length over all
 * of its time. A thread that does not wait tells only that the bandwidth is not less than that. After such a file a byte is taken to need a
 * little less time than before, as TCP tries out more (at first in large steps, after the first wait in small ones), so that a network which
 * becomes faster is noticed. Each time that this ends with a wait and the network was no faster, steps become half as large.
 */
public final class WriteMonitor {
    /** A file that waits for a smaller part of its time is not held up by HDFS. */
    static final double WAITING = 0.2;

    /** The greatest time that a file may take to open and close whatever its length, in nanoseconds. */
    public static final double MOST_FIXED_NS = 20e6;

    private static final double WEIGHT = 0.25;
    private static final double KEPT = 0.9;
    private static final double FIRST_STEP = 0.2;
    private static final double STEP = 0.02;
    private static final double LEAST_STEP = 0.0005;

    /** A network that takes this part of the time that it took before has become faster. */
    private static final double FASTER = 0.8;

    private double cpuNs;
    private double busyNs;
    private double compressNs;
    private double rawBytes;
    private double fixedNs;
    private double transferNs;
    private boolean isAny;
    private double step = STEP;
    private double knownNs;
    private boolean isKnown;
    private boolean isHeldUp;

    /** For HDFS. */
    public WriteMonitor() {
        this(MOST_FIXED_NS);
    }

    /** @param mostFixedNs the greatest time that a file may take to open and close whatever its length, in nanoseconds */
    public WriteMonitor(double mostFixedNs) {
        fixedNs = mostFixedNs;
    }

    /** Pages that were compressed, by a codec that was chosen, of a file whose {@link #file} follows. */
    public synchronized void pages(long bytes, long cpuNs) {
        rawBytes += bytes;
        compressNs += cpuNs;
    }

    /**
     * A file that was written and closed.
     *
     * @param bytes its length
     * @param elapsedNs from its beginning to its end
     * @param waitedNs the part of that in calls of HDFS's stream
     * @param cpuNs the CPU time of the thread in that time
     */
    public synchronized void file(long bytes, long elapsedNs, long waitedNs, long cpuNs) {
        if (bytes <= 0 || elapsedNs <= 0) {
            return;
        }
        this.cpuNs = (this.cpuNs + cpuNs) * KEPT;
        busyNs = (busyNs + Math.max(0, elapsedNs - waitedNs)) * KEPT;
        compressNs *= KEPT;
        rawBytes *= KEPT;
        fixedNs = Math.min(fixedNs, waitedNs);
        double took = Math.max(0, elapsedNs - fixedNs) / bytes;
        if (waitedNs - fixedNs >= WAITING * elapsedNs) {
            transferNs = isHeldUp ? transferNs + WEIGHT * (took - transferNs) : took;
            step = !isKnown || took < FASTER * knownNs ? STEP : isHeldUp ? step : Math.max(LEAST_STEP, step / 2);
            knownNs = took;
            isKnown = true;
            isHeldUp = true;
        } else {
            transferNs = (isAny ? Math.min(transferNs, took) : took) * (1 - (isKnown ? step : FIRST_STEP));
            isHeldUp = false;
        }
        isAny = true;
    }

    /** The rates now; empty before the first file. */
    public synchronized Optional<WriteRates> rates() {
        if (!isAny || busyNs <= 0 || rawBytes <= 0) {
            return Optional.empty();
        }
        double share = Math.min(1, Math.max(0.01, cpuNs / busyNs));
        return Optional.of(new WriteRates(share, Math.max(0, cpuNs - compressNs) / rawBytes, transferNs));
    }
}
