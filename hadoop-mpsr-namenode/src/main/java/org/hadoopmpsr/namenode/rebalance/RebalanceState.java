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
package org.hadoopmpsr.namenode.rebalance;

import java.util.List;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.NodeMove;
import org.jspecify.annotations.Nullable;

/** How far the moves of nodes between groups are. */
public sealed interface RebalanceState {

    /**
     * No move is being made.
     *
     * @param moves those that could be made
     * @param refused what cannot be moved, and why
     */
    record Planned(List<NodeMove> moves, List<String> refused) implements RebalanceState {}

    /**
     * The moves are being made.
     *
     * @param moves those that are not done, in their order
     * @param waiting why it does not go on now; empty when it does
     */
    record Running(List<OpenMove> moves, String waiting) implements RebalanceState {}

    /** A node with its group; the group is empty when none is recorded. */
    record GroupedNode(Node node, String group) {}

    /**
     * A move that is not done.
     *
     * @param step the moves of one step are made together, one step after the other
     * @param draining true when the node takes no blocks of its group any more
     * @param blocksLeft blocks that are still to be copied from the node, or null when that is not known
     */
    record OpenMove(
            GroupedNode node,
            String to,
            int step,
            boolean draining,
            @Nullable Long blocksLeft) {}
}
