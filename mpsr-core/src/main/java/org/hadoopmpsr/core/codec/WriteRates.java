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

/**
 * How fast a thread writes files now.
 *
 * @param cpuShare the part of a core that the thread has while it does not wait for HDFS, above 0 and at most 1
 * @param encodeNs the CPU time of everything but compression, in nanoseconds for each byte before compression
 * @param transferNs the time to send a compressed byte to the DataNodes, in nanoseconds
 */
public record WriteRates(double cpuShare, double encodeNs, double transferNs) {
    public WriteRates {
        if (!(cpuShare > 0 && cpuShare <= 1) || !(encodeNs >= 0) || !(transferNs >= 0)) {
            throw new IllegalArgumentException("impossible rates: " + cpuShare + " of a core, " + encodeNs
                    + " ns to encode a byte, " + transferNs + " ns to send one");
        }
    }

    /** A whole core that only compresses, and sends at a rate. */
    public static WriteRates ofBandwidth(double bytesPerSecond) {
        return new WriteRates(1, 0, 1e9 / bytesPerSecond);
    }
}
