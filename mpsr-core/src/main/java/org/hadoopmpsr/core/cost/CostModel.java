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
package org.hadoopmpsr.core.cost;

import java.util.Map;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.group.Codec;

/**
 * Estimates the time to read files. The work is {@code files × openMs + bytes / disk rate + bytes / decompression rate
 * + values / decoding rate}. {@link FileTasks} divides the work among as many tasks as the reader runs at a time. With
 * one task at a time the estimate is the work itself. Immutable.
 *
 * @param openMs the milliseconds to open a local file and read its footer
 * @param read the cost to receive compressed bytes
 * @param decompressBytesPerMs the rate of decompression on one core for each codec, in compressed bytes per millisecond
 * @param valuesPerMs the rate at which one core decodes values of columns after decompression, per millisecond
 * @param parallelism the number of tasks of a query that run at a time
 */
public record CostModel(
        double openMs,
        ReadCost read,
        Map<Codec.Kind, Double> decompressBytesPerMs,
        double valuesPerMs,
        int parallelism) {
    public CostModel {
        decompressBytesPerMs = Map.copyOf(decompressBytesPerMs);
        for (Codec.Kind kind : Codec.Kind.OF_FILES) {
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

    /** The model for a reader that runs {@code tasks} at a time; 0 if the reader does not say. */
    public CostModel forTasks(int tasks) {
        return tasks < 1 ? this : new CostModel(openMs, read, decompressBytesPerMs, valuesPerMs, tasks);
    }

    /**
     * The model for a reader that has this share of the blocks on its own hosts. The other blocks come through the
     * network.
     *
     * @param share from 0 to 1
     */
    public CostModel forLocalShare(double share) {
        if (share == 1) {
            return this;
        }
        ReadCost average = read.onAverage(share);
        double opened = openMs + average.diskPrepareMs() - read.diskPrepareMs();
        return new CostModel(opened, average, decompressBytesPerMs, valuesPerMs, parallelism);
    }

    /** The milliseconds for the work with one task at a time. */
    public double workMs(Work work, Codec.Kind codec) {
        double decompressRate = decompressBytesPerMs.getOrDefault(codec.planned(), 1.0);
        return work.files() * openMs
                + work.bytes() / read.diskBytesPerMs()
                + work.bytes() / decompressRate
                + work.values() / valuesPerMs;
    }

    /**
     * A lower limit of the milliseconds, however the files divide among tasks. It stays a limit when more work is
     * added.
     */
    public double leastMs(Work work, Codec.Kind codec) {
        return workMs(work, codec) / parallelism;
    }
}
