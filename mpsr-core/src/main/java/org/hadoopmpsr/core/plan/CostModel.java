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
package org.hadoopmpsr.core.plan;

import java.util.Map;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.group.Codec;

/**
 * Estimates how long it takes to read files. The work is {@code files × openMs + bytes / disk bandwidth + bytes /
 * decompression rate + values / decoding rate}. It is done by {@link FileTasks}, as many at a time as the reader runs; with one
 * at a time the estimate is the work itself. Immutable.
 *
 * @param openMs to open a file that is local and read its footer, in milliseconds
 * @param read how fast compressed bytes come
 * @param decompressBytesPerMs how fast compressed bytes of a codec are decompressed on one core, for each codec
 * @param valuesPerMs how fast values of columns are decoded on one core once they are decompressed
 * @param parallelism how many tasks of a query run at a time
 */
public record CostModel(
        double openMs,
        ReadCost read,
        Map<Codec.Kind, Double> decompressBytesPerMs,
        double valuesPerMs,
        int parallelism) {
    public CostModel {
        decompressBytesPerMs = Map.copyOf(decompressBytesPerMs);
        for (Codec.Kind kind : Codec.Kind.values()) {
            if (!(decompressBytesPerMs.getOrDefault(kind, 0.0) > 0)) {
                throw new IllegalArgumentException("the decompression rate of " + kind + " is missing or not above 0");
            }
        }
        if (!(valuesPerMs > 0)) {
            throw new IllegalArgumentException("the rate of values is not above 0: " + valuesPerMs);
        }
        if (!(openMs >= 0) || parallelism < 1) {
            throw new IllegalArgumentException("opening takes " + openMs + " ms and " + parallelism
                    + " tasks run at a time; both must be possible");
        }
    }

    /** This for a reader that runs so many tasks at a time; 0 when it does not say. */
    public CostModel forTasks(int tasks) {
        return tasks < 1 ? this : new CostModel(openMs, read, decompressBytesPerMs, valuesPerMs, tasks);
    }

    /**
     * This for a reader that finds so large a share of the blocks on its own hosts; the rest comes through the network.
     *
     * @param share from 0 to 1
     */
    CostModel forLocalShare(double share) {
        if (share == 1) {
            return this;
        }
        ReadCost average = read.onAverage(share);
        double opened = openMs + average.diskPrepareMs() - read.diskPrepareMs();
        return new CostModel(opened, average, decompressBytesPerMs, valuesPerMs, parallelism);
    }

    /** The milliseconds that one task at a time takes. */
    public double workMs(Work work, Codec.Kind codec) {
        double decompressRate = decompressBytesPerMs.getOrDefault(codec, 1.0);
        return work.files() * openMs
                + work.bytes() / read.diskBytesPerMs()
                + work.bytes() / decompressRate
                + work.values() / valuesPerMs;
    }

    /** What it takes at least however files divide it among tasks, and also with more work. */
    double leastMs(Work work, Codec.Kind codec) {
        return workMs(work, codec) / parallelism;
    }
}
