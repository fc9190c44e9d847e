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

import java.util.Random;

/**
 * HDFS with three equal copies, placed as HDFS places them: one on a rack, two on another. Racks have about as many nodes.
 *
 * @param blocks the blocks of the cluster
 * @param seconds from the first read for a lost node until all its blocks are copied
 */
record BlockCopies(int nodes, int racks, double blocks, double delay, double seconds) implements Copies {
    @Override
    public int rack(int node) {
        return node * racks / nodes;
    }

    @Override
    public double whole(Random random) {
        return seconds;
    }

    private double ofRack() {
        return (double) nodes / racks;
    }

    /** The blocks that a node of three has in common with one of its rack: two of three copies have one there. */
    @Override
    public double shared(int a, int b) {
        boolean together = rack(a) == rack(b);
        return seconds * (together ? 2 / 3.0 / (ofRack() - 1) : 4 / 3.0 / (nodes - ofRack()));
    }

    /** Blocks are many and drawn independently, so the number on three nodes has a Poisson distribution. */
    @Override
    public double chance(int a, int b, int c, double share) {
        int different = (rack(a) == rack(b) ? 0 : 1) + (rack(a) == rack(c) ? 0 : 1) + (rack(b) == rack(c) ? 0 : 1);
        if (different != 2) {
            return 0;
        }
        double triples = nodes * (nodes - ofRack()) * (ofRack() - 1) / 2;
        return 1 - Math.exp(-share * blocks / triples);
    }
}
