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
package org.hadoopmpsr.core.assign;

/**
 * The cost of a read on a node, after Ng et al. (see {@link SplitAssignment}). A read from the node's own disks costs
 * {@code diskPrepareMs + bytes / diskBytesPerMs}. A read from another node costs {@code networkPrepareMs + bytes /
 * networkBytesPerMs} in addition.
 *
 * @param diskPrepareMs milliseconds until the first byte from a disk
 * @param diskBytesPerMs the rate of a disk, in bytes per millisecond
 * @param networkPrepareMs additional milliseconds until the first byte from another node
 * @param networkBytesPerMs the rate of another node, in bytes per millisecond
 */
public record ReadCost(double diskPrepareMs, double diskBytesPerMs, double networkPrepareMs, double networkBytesPerMs) {

    public ReadCost {
        if (!(diskPrepareMs >= 0 && networkPrepareMs >= 0 && diskBytesPerMs > 0 && networkBytesPerMs > 0)) {
            throw new IllegalArgumentException("times must not be negative, and bandwidths must be above 0: disk "
                    + diskPrepareMs + " ms, " + diskBytesPerMs + " bytes/ms, network " + networkPrepareMs + " ms, "
                    + networkBytesPerMs + " bytes/ms");
        }
    }

    /**
     * The average cost if the given share of the data is local, expressed as the cost of a local read.
     *
     * @param localShare from 0 to 1
     */
    public ReadCost onAverage(double localShare) {
        double remote = 1 - localShare;
        return new ReadCost(
                diskPrepareMs + remote * networkPrepareMs,
                1 / (1 / diskBytesPerMs + remote / networkBytesPerMs),
                networkPrepareMs,
                networkBytesPerMs);
    }

    /** The milliseconds to read {@code bytes}, of which {@code localBytes} lie on the node itself. */
    public double costMs(long bytes, long localBytes) {
        double local = diskPrepareMs + bytes / diskBytesPerMs;
        long remoteBytes = bytes - localBytes;
        return remoteBytes <= 0 ? local : local + networkPrepareMs + remoteBytes / networkBytesPerMs;
    }
}
