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

/** The progress of the moves of nodes between groups. */
public sealed interface RebalanceState {

    /**
     * No move is being made.
     *
     * @param moves the possible moves
     * @param refused the impossible moves, with their reasons
     */
    record Planned(List<NodeMove> moves, List<String> refused) implements RebalanceState {}

    /**
     * The moves are being made.
     *
     * @param moves the unfinished moves, in order
     * @param waiting the reason why the run does not continue now; empty if it continues
     */
    record Running(List<OpenMove> moves, String waiting) implements RebalanceState {}

    /** A node with its group; the group is empty if none is recorded. */
    record GroupedNode(Node node, String group) {}

    /**
     * An unfinished move.
     *
     * @param step the moves of one step are made together, and the steps one after the other
     * @param draining true if the node accepts no more blocks of its group
     * @param blocksLeft the number of blocks that must still be copied from the node, or null if it is unknown
     */
    record OpenMove(
            GroupedNode node,
            String to,
            int step,
            boolean draining,
            @Nullable Long blocksLeft) {}
}
