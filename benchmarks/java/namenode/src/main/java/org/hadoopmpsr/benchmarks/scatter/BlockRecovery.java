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

/**
 * HDFS with three equal copies: each lost block is read from one of the two nodes that have it and written to another node,
 * all drawn at random, as its placement of copies on racks is as even.
 */
final class BlockRecovery {
    private BlockRecovery() {}

    /**
     * The recovery of a node.
     *
     * @param nodes of the cluster, with the lost one
     * @param lost the bytes that it held
     */
    static Recovery of(int nodes, double lost, Random random) {
        int[] read = new int[nodes - 1];
        int[] written = new int[nodes - 1];
        long blocks = Math.round(lost / Group.BLOCK);
        for (long block = 0; block < blocks; block++) {
            int from = random.nextInt(read.length);
            read[from]++;
            written[(from + 1 + random.nextInt(read.length - 1)) % read.length]++;
        }
        int most = Math.max(
                Arrays.stream(read).max().orElse(0),
                Arrays.stream(written).max().orElse(0));
        return new Recovery(lost, lost, (double) most * Group.BLOCK / Recovery.BYTES_PER_SECOND);
    }
}
