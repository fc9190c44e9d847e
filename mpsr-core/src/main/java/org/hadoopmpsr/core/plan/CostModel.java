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
 * decompression rate + values / decoding rate}. It is done by tasks as Spark makes them of files by default, in waves of as
 * many as run at a time, each taking its even share of the work. With one task at a time the estimate is the work itself.
 * Immutable.
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
    /** Spark's default of {@code spark.sql.files.openCostInBytes}. */
    private static final long FILE_BYTES = 4L << 20;
    /** Spark's default of {@code spark.sql.files.maxPartitionBytes}. */
    private static final long TASK_BYTES = 128L << 20;

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

    /** The milliseconds until all is read. */
    public double costMs(Work work, Codec.Kind codec) {
        long tasks = tasks(work.files(), (long) work.bytes());
        long waves = ceilDiv(tasks, parallelism);
        return workMs(work, codec) * waves / tasks;
    }

    /** What {@link #costMs} is at least, and also with more work. */
    double leastMs(Work work, Codec.Kind codec) {
        return workMs(work, codec) / parallelism;
    }

    private double workMs(Work work, Codec.Kind codec) {
        double decompressRate = decompressBytesPerMs.getOrDefault(codec, 1.0);
        return work.files() * openMs
                + work.bytes() / read.diskBytesPerMs()
                + work.bytes() / decompressRate
                + work.values() / valuesPerMs;
    }

    /** As many as Spark fills with its even share of the bytes, but no more than there are pieces of files. */
    private long tasks(int files, long bytes) {
        long packed = bytes + files * FILE_BYTES;
        long taskBytes = Math.min(TASK_BYTES, Math.max(FILE_BYTES, ceilDiv(packed, parallelism)));
        long pieces = files * Math.max(1, ceilDiv(ceilDiv(bytes, Math.max(1, files)), taskBytes));
        return Math.max(1, Math.min(pieces, ceilDiv(packed, taskBytes)));
    }

    private static long ceilDiv(long value, long by) {
        return (value + by - 1) / by;
    }
}
