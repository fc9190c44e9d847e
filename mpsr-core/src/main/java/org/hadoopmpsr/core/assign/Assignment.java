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

import java.util.List;

/**
 * The assignment of splits to nodes.
 *
 * @param nodeOf the node of each split, in the order of the splits, as an index into {@code loads}
 * @param loads the load of each node, in the order of the nodes
 */
public record Assignment(List<Integer> nodeOf, List<Load> loads) {
    public Assignment {
        nodeOf = List.copyOf(nodeOf);
        loads = List.copyOf(loads);
    }

    /**
     * The load of one node: the number of splits, their bytes, the bytes of them that lie on the node itself, and the
     * milliseconds.
     */
    public record Load(String node, int splits, long bytes, long localBytes, double costMs) {}

    /** The name of the node that reads the split. */
    public String node(int split) {
        return loads.get(nodeOf.get(split)).node();
    }

    /** The bytes of all splits. */
    public long bytes() {
        return loads.stream().mapToLong(Load::bytes).sum();
    }

    /** The share of all bytes that nodes read from themselves, from 0 to 1; 1 if there is nothing to read. */
    public double localShare() {
        long bytes = bytes();
        return bytes == 0
                ? 1
                : (double) loads.stream().mapToLong(Load::localBytes).sum() / bytes;
    }

    /** The time of the slowest node divided by the average time; 1 is perfectly even. */
    public double spread() {
        double sum = loads.stream().mapToDouble(Load::costMs).sum();
        double most = loads.stream().mapToDouble(Load::costMs).max().orElse(0);
        return sum == 0 ? 1 : most * loads.size() / sum;
    }
}
