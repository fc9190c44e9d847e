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
import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;
import org.hadoopmpsr.core.alloc.ScatterWidth;

/** What the nodes of each group hold, and what must be read to rebuild one of them. */
final class Rebuild {
    private final double[][] held;
    private double lost;
    private double read;

    /** Of a lost node, each segment that had a block on it is read once, as a whole, from another group. */
    Rebuild(Archive archive, Layout layout, ScatterWidth width) {
        held = new double[Group.values().length][layout.nodes()];
        for (Group group : Group.values()) {
            int[] touched = new int[layout.nodes()];
            int count = 0;
            for (Segment segment : archive.all()) {
                count++;
                int partitions = group.partitions(segment);
                int blocks = group.blocks(segment);
                double bytes = segment.bytes() / partitions / blocks;
                for (int partition = 0; partition < partitions; partition++) {
                    for (int block = 0; block < blocks; block++) {
                        int node = layout.node(segment, group, partition, block, width);
                        held[group.ordinal()][node] += bytes;
                        lost += bytes;
                        if (touched[node] != count) {
                            touched[node] = count;
                            read += segment.bytes();
                        }
                    }
                }
            }
        }
    }

    /** The bytes that the rebuild of a node reads over the bytes that the node held, of all nodes together. */
    double readOverLost() {
        return read / lost;
    }

    /** The bytes of the fullest node over the mean of the group, of the worst group. */
    double fullest() {
        return Arrays.stream(held)
                .mapToDouble(h -> quantile(h, 1) / mean(h))
                .max()
                .orElse(0);
    }

    /** The same of the node at the 99th percentile. */
    double p99() {
        return Arrays.stream(held)
                .mapToDouble(h -> quantile(h, 0.99) / mean(h))
                .max()
                .orElse(0);
    }

    static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }
}
