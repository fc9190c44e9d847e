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
 * Which node reads which split.
 *
 * @param nodeOf the node of each split, as an index into {@code loads}, in the splits' order
 * @param loads what each node reads, in the nodes' order
 */
public record Assignment(List<Integer> nodeOf, List<Load> loads) {
    public Assignment {
        nodeOf = List.copyOf(nodeOf);
        loads = List.copyOf(loads);
    }

    /** What one node reads: so many splits and bytes, of which some lie on the node itself, in so many milliseconds. */
    public record Load(String node, int splits, long bytes, long localBytes, double costMs) {}

    /** The name of the node that reads the split. */
    public String node(int split) {
        return loads.get(nodeOf.get(split)).node();
    }

    /** The bytes of all splits. */
    public long bytes() {
        return loads.stream().mapToLong(Load::bytes).sum();
    }

    /** The share of all bytes that nodes read from themselves, between 0 and 1; 1 where there is nothing to read. */
    public double localShare() {
        long bytes = bytes();
        return bytes == 0
                ? 1
                : (double) loads.stream().mapToLong(Load::localBytes).sum() / bytes;
    }

    /** How much longer the slowest node reads than all do on average; 1 is perfectly even. */
    public double spread() {
        double sum = loads.stream().mapToDouble(Load::costMs).sum();
        double most = loads.stream().mapToDouble(Load::costMs).max().orElse(0);
        return sum == 0 ? 1 : most * loads.size() / sum;
    }
}
