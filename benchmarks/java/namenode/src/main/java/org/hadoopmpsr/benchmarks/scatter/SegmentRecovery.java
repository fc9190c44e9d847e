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

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;
import org.hadoopmpsr.core.alloc.ScatterWidth;

/**
 * The rebuild of a node in a replica group. Each segment that had a block on it is read as a whole from another group, and the
 * lost blocks go to the segment's homes that are left and to the next node in the segment's order. A run rebuilds a dataset in
 * changes, one after the other; a change takes as long as its busiest node. Several runs may go on at a time, each in another
 * dataset.
 */
final class SegmentRecovery {
    /** What a change takes besides reading and writing: planning, the start of tasks, publishing. */
    private static final double CHANGE_SECONDS = 5;
    /** What a run takes besides its changes: the start of a Spark job. */
    private static final double RUN_SECONDS = 30;

    private final Archive archive;
    private final Layout layout;
    private final ScatterWidth width;
    private final int runs;
    private final double changeBytes;

    /**
     * @param runs the most at a time
     * @param changeBytes segments go into one change as long as they have no more bytes
     */
    SegmentRecovery(Archive archive, Layout layout, ScatterWidth width, int runs, double changeBytes) {
        this.archive = archive;
        this.layout = layout;
        this.width = width;
        this.runs = runs;
        this.changeBytes = changeBytes;
    }

    /** What has been read from and written to the nodes of each group. */
    private final class Load {
        final double[][] read = new double[Group.values().length][layout.nodes()];
        final double[] written = new double[layout.nodes()];
        double bytes;

        double seconds() {
            double most =
                    Math.max(Queries.busiest(read), Arrays.stream(written).max().orElse(0));
            return most / Recovery.BYTES_PER_SECOND;
        }

        void add(Load other) {
            Queries.add(read, other.read);
            Arrays.setAll(written, node -> written[node] + other.written[node]);
            bytes += other.bytes;
        }
    }

    /** The recovery of a node, from 0 in its group. */
    Recovery of(Group group, int node, Random random) {
        Load all = new Load();
        double lost = 0;
        double oneByOne = 0;
        for (int dataset = 0; dataset < archive.datasets(); dataset++) {
            Load change = new Load();
            double run = 0;
            for (Segment segment : archive.of(dataset)) {
                double ofSegment = mayHold(segment, group, node) ? bytes(segment, group)[node] : 0;
                if (ofSegment > 0) {
                    if (change.bytes > 0 && change.bytes + segment.bytes() > changeBytes) {
                        run += CHANGE_SECONDS + change.seconds();
                        all.add(change);
                        change = new Load();
                    }
                    read(segment, another(group, random), change);
                    write(segment, group, node, ofSegment, change);
                    lost += ofSegment;
                }
            }
            if (change.bytes > 0) {
                all.add(change);
                oneByOne += RUN_SECONDS + run + CHANGE_SECONDS + change.seconds();
            }
        }
        return new Recovery(lost, all.bytes, Math.max(all.seconds(), oneByOne / runs));
    }

    private static Group another(Group group, Random random) {
        int groups = Group.values().length;
        return Group.values()[(group.ordinal() + 1 + random.nextInt(groups - 1)) % groups];
    }

    private boolean mayHold(Segment segment, Group group, int node) {
        return width.isAll()
                || Arrays.stream(layout.homes(segment, group))
                        .limit(width.nodes())
                        .anyMatch(home -> home == node);
    }

    /** The bytes that each node of a group has of a segment. */
    private double[] bytes(Segment segment, Group group) {
        double[] found = new double[layout.nodes()];
        int partitions = group.partitions(segment);
        int blocks = group.blocks(segment);
        for (int partition = 0; partition < partitions; partition++) {
            for (int block = 0; block < blocks; block++) {
                found[layout.node(segment, group, partition, block, width)] += segment.bytes() / partitions / blocks;
            }
        }
        return found;
    }

    private void read(Segment segment, Group source, Load load) {
        double[] found = bytes(segment, source);
        double[] sum = load.read[source.ordinal()];
        Arrays.setAll(sum, node -> sum[node] + found[node]);
        load.bytes += segment.bytes();
    }

    /** Spreads bytes over the first nodes in the segment's order without the lost one. */
    private void write(Segment segment, Group group, int lost, double bytes, Load load) {
        IntStream order =
                width.isAll() ? IntStream.range(0, layout.nodes()) : Arrays.stream(layout.homes(segment, group));
        int[] targets = order.filter(node -> node != lost).limit(width.nodes()).toArray();
        for (int target : targets) {
            load.written[target] += bytes / targets.length;
        }
    }
}
