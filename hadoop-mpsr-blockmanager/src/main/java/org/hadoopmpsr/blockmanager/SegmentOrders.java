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
package org.hadoopmpsr.blockmanager;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.hadoopmpsr.core.alloc.HomeOrder;
import org.hadoopmpsr.core.alloc.SegmentFiles;
import org.jspecify.annotations.Nullable;

/** The order of the same nodes for each segment. Keeps the orders of some segments. Thread-safe. */
final class SegmentOrders {
    /** The number of segments whose orders are kept; far more than are written at a time. */
    private static final int KEPT = 1_000;

    private final List<DatanodeDescriptor> nodes;
    private final long[] weights;
    private final HomeOrder<DatanodeDescriptor> order;
    private final Map<SegmentFiles, List<DatanodeDescriptor>> kept = new ConcurrentHashMap<>();

    private SegmentOrders(List<DatanodeDescriptor> nodes, long[] weights) {
        this.nodes = nodes;
        this.weights = weights;
        this.order = new HomeOrder<>(nodes, DatanodeDescriptor::getDatanodeUuid, DatanodeDescriptor::getCapacity);
    }

    /**
     * The orders of these nodes, weighted by their capacities of now.
     *
     * @param before returned if it is of the same nodes with the same capacities; may be null
     */
    static SegmentOrders of(List<DatanodeDescriptor> nodes, @Nullable SegmentOrders before) {
        long[] weights =
                nodes.stream().mapToLong(DatanodeDescriptor::getCapacity).toArray();
        if (before != null && before.nodes.equals(nodes) && Arrays.equals(before.weights, weights)) {
            return before;
        }
        return new SegmentOrders(nodes, weights);
    }

    /** The nodes in the order in which they take the files. */
    List<DatanodeDescriptor> of(SegmentFiles files) {
        List<DatanodeDescriptor> found = kept.get(files);
        if (found == null) {
            if (kept.size() >= KEPT) {
                kept.clear();
            }
            found = order.of(files);
            kept.put(files, found);
        }
        return found;
    }
}
