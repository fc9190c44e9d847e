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
package org.hadoopmpsr.namenode;

import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.ForgetNodesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeMoveProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.core.alloc.NodeMove;
import org.hadoopmpsr.namenode.rebalance.RebalanceState;
import org.hadoopmpsr.namenode.rebalance.RebalanceState.GroupedNode;
import org.hadoopmpsr.namenode.rebalance.RebalanceState.OpenMove;
import org.hadoopmpsr.namenode.rebalance.RebalanceState.Planned;
import org.hadoopmpsr.namenode.rebalance.RebalanceState.Running;

/** Translates the answers about moves of nodes. */
final class RebalanceMessages {

    private RebalanceMessages() {}

    static RebalanceResponseProto answer(RebalanceState state) {
        if (state instanceof Planned planned) {
            RebalanceResponseProto.Builder proto =
                    RebalanceResponseProto.newBuilder().setRunning(false).addAllRefused(planned.refused());
            planned.moves().forEach(move -> proto.addMove(move(move)));
            return proto.build();
        }
        Running running = (Running) state;
        RebalanceResponseProto.Builder proto =
                RebalanceResponseProto.newBuilder().setRunning(true);
        running.moves().forEach(move -> proto.addMove(move(move)));
        if (!running.waiting().isEmpty()) {
            proto.setWaiting(running.waiting());
        }
        return proto.build();
    }

    static ForgetNodesResponseProto forgotten(List<GroupedNode> nodes) {
        ForgetNodesResponseProto.Builder proto = ForgetNodesResponseProto.newBuilder();
        nodes.forEach(node -> proto.addNode(node(node)));
        return proto.build();
    }

    private static NodeMoveProto move(NodeMove move) {
        return NodeMoveProto.newBuilder()
                .setNode(node(new GroupedNode(move.node(), move.from())))
                .setTo(move.to())
                .setStep(move.step())
                .setReason(move.reason())
                .setBytes(move.bytes())
                .build();
    }

    private static NodeMoveProto move(OpenMove move) {
        NodeMoveProto.Builder proto = NodeMoveProto.newBuilder()
                .setNode(node(move.node()))
                .setTo(move.to())
                .setStep(move.step())
                .setDraining(move.draining());
        Long left = move.blocksLeft();
        return left == null ? proto.build() : proto.setBlocksLeft(left).build();
    }

    private static NodeProto node(GroupedNode node) {
        return NodeProto.newBuilder()
                .setUuid(node.node().uuid())
                .setHost(node.node().host())
                .setRack(node.node().rack())
                .setGroup(node.group())
                .build();
    }
}
