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
package org.hadoopmpsr.benchmarks.scatter;

import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;

/** The groups of the sample configuration: into how many files each partitions a segment. */
enum Group {
    TIME,
    SIGNAL,
    DEVICE;

    static final int BUCKETS = 64;
    static final int DEVICES = 500;
    /** The bytes of a block. */
    static final long BLOCK = 128 << 20;

    /** The partitions of a segment. */
    int partitions(Segment segment) {
        return switch (this) {
            case TIME -> (int) Math.max(1, (segment.to() - segment.from()) / Archive.DAY);
            case SIGNAL -> BUCKETS;
            case DEVICE -> DEVICES;
        };
    }

    /** The blocks of each partition of a segment. */
    int blocks(Segment segment) {
        return (int) Math.ceil(segment.bytes() / partitions(segment) / BLOCK);
    }
}
