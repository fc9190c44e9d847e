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
package org.hadoopmpsr.core.readtimes;

/**
 * How long one read took.
 *
 * @param host the host whose disk holds what was read
 * @param disk one of the host's disks; empty if that is not known
 * @param reader the host that read; empty if that is not known
 * @param bytes that were read, at least 1
 * @param nanos that it took, at least 1
 * @param atMs when it began, in milliseconds since the epoch; 0 if that is not known
 */
public record ReadTime(String host, String disk, String reader, long bytes, long nanos, long atMs) {

    public ReadTime {
        if (bytes < 1 || nanos < 1 || atMs < 0) {
            throw new IllegalArgumentException(
                    "a read of " + bytes + " bytes in " + nanos + " ns at " + atMs + " ms cannot be");
        }
    }

    double logNanos() {
        return Math.log(nanos);
    }

    /** Reads of one power of two of bytes belong together. */
    int size() {
        return 63 - Long.numberOfLeadingZeros(bytes);
    }

    boolean isRemote() {
        return !reader.isEmpty() && !reader.equals(host);
    }
}
