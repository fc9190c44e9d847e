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
package org.hadoopmpsr.core.assign;

/** The loads of nodes, with fast access to the least load. The loads form a tournament, and a change takes log n. */
final class LeastLoad {
    private final double[] loads;
    /**
     * The winner of each match. The contestants of match i are the winners of matches 2i and 2i + 1; node n starts at
     * leaves + n.
     */
    private final int[] winners;

    private final int leaves;

    LeastLoad(int nodes) {
        loads = new double[nodes];
        leaves = Integer.highestOneBit(Math.max(1, 2 * nodes - 1));
        winners = new int[2 * leaves];
        for (int i = 0; i < leaves; i++) {
            winners[leaves + i] = i;
        }
        for (int i = leaves - 1; i > 0; i--) {
            play(i);
        }
    }

    /** The node with the least load; of several, the first. */
    int least() {
        return winners[1];
    }

    double of(int node) {
        return loads[node];
    }

    void add(int node, double load) {
        loads[node] += load;
        for (int i = (leaves + node) / 2; i > 0; i /= 2) {
            play(i);
        }
    }

    private void play(int match) {
        int first = winners[2 * match];
        int second = winners[2 * match + 1];
        winners[match] = second < loads.length && loads[second] < loads[first] ? second : first;
    }
}
