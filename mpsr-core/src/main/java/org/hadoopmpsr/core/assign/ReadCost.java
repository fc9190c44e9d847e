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
 * What it costs a node to read, after Ng et al. (see {@link SplitAssignment}): from its own disks
 * {@code diskPrepareMs + bytes / diskBytesPerMs}; what lies elsewhere costs {@code networkPrepareMs + bytes /
 * networkBytesPerMs} in addition.
 *
 * @param diskPrepareMs milliseconds until the first byte comes from a disk
 * @param diskBytesPerMs how fast a disk is read
 * @param networkPrepareMs milliseconds that another node takes longer to send its first byte
 * @param networkBytesPerMs how fast another node sends
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
     * What it costs on average where so large a share is local, as the cost of reading locally.
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

    /** The milliseconds to read so many bytes, of which so many lie on the node itself. */
    public double costMs(long bytes, long localBytes) {
        double local = diskPrepareMs + bytes / diskBytesPerMs;
        long remoteBytes = bytes - localBytes;
        return remoteBytes <= 0 ? local : local + networkPrepareMs + remoteBytes / networkBytesPerMs;
    }
}
