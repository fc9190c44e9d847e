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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.assign.ReadCost;

/** Reads of known classes, with times that vary as a logarithmic normal distribution does. */
final class GeneratedReads {
    static final long BEGIN_MS = 1_780_000_000_000L;
    /** A disk of 5 ms and 150 MB/s, and a network of 0.5 ms and 1,000 MB/s. */
    static final ReadCost COST = new ReadCost(5, 150_000, 0.5, 1_000_000);

    static final LinearTime CACHED = Cause.MEMORY.expected(COST);
    static final LinearTime REMOTE_CACHED = Cause.REMOTE_MEMORY.expected(COST);
    static final LinearTime DISK = Cause.DISK.expected(COST);
    static final LinearTime THROTTLED = Cause.SLOW_DISK.expected(COST);

    final List<ReadTime> reads = new ArrayList<>();
    final List<Integer> truth = new ArrayList<>();
    private final Random random;
    private final double spread;

    /** @param spread the standard deviation of the logarithm of a class's times */
    GeneratedReads(long seed, double spread) {
        this.random = new Random(seed);
        this.spread = spread;
    }

    /** Adds reads of one class from one host's disk, over a minute. */
    void add(int number, int classId, LinearTime time, String host, String disk, String reader, long... sizes) {
        for (int i = 0; i < number; i++) {
            add(
                    classId,
                    time,
                    host,
                    disk,
                    reader,
                    BEGIN_MS + random.nextInt(60_000),
                    sizes[random.nextInt(sizes.length)]);
        }
    }

    void add(int classId, LinearTime time, String host, String disk, String reader, long atMs, long bytes) {
        long nanos = Math.max(1, (long) (time.of(bytes) * Math.exp(spread * random.nextGaussian())));
        reads.add(new ReadTime(host, disk, reader, bytes, nanos, atMs));
        truth.add(classId);
    }

    Random random() {
        return random;
    }
}
