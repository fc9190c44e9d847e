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

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.RefusedReplica;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.namenode.Counters.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNodes' calls, without the moves that would take a block out of its replica group: whoever ordered such a move
 * (a Balancer, Mover or storage policy satisfier that knows no groups), the new copy is not taken into account and its
 * DataNode is told to delete it, so that the old one stays. A move is known by the node that its report names to
 * delete from; reports of other blocks pass unread, but for those of a node that got another group lately: copies that
 * HDFS had ordered to it before are deleted too.
 */
final class DatanodeCalls extends DelegatingService {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeCalls.class);

    private final MpsrNamesystem system;
    private final Allocation allocation;
    private final BlockGroups groups;
    private final Counters counters;

    DatanodeCalls(
            BlockingService delegate,
            MpsrNamesystem system,
            Allocation allocation,
            BlockGroups groups,
            Counters counters) {
        super(delegate);
        this.system = system;
        this.allocation = allocation;
        this.groups = groups;
        this.counters = counters;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Message changed = request;
        if (request instanceof BlockReceivedAndDeletedRequestProto report && groups.any()) {
            try {
                changed = withoutWrongMoves(report);
            } catch (IOException | RuntimeException e) {
                LOG.error("MPSR cannot check a report of moved blocks; it is taken as it is", e);
                counters.increment(Counter.ERRORS);
            }
        }
        return super.callBlockingMethod(method, controller, changed);
    }

    private BlockReceivedAndDeletedRequestProto withoutWrongMoves(BlockReceivedAndDeletedRequestProto report)
            throws IOException {
        String node = report.getRegistration().getDatanodeID().getDatanodeUuid();
        BlockReceivedAndDeletedRequestProto.Builder kept = report.toBuilder();
        for (int s = 0; s < report.getBlocksCount(); s++) {
            StorageReceivedDeletedBlocksProto storage = report.getBlocks(s);
            // from the end, so that removing one leaves the others' positions
            for (int b = storage.getBlocksCount() - 1; b >= 0; b--) {
                if (isWrongMove(storage.getBlocks(b), node)) {
                    kept.getBlocksBuilder(s).removeBlocks(b);
                    refuse(PBHelperClient.convert(storage.getBlocks(b).getBlock()), node);
                }
            }
        }
        return kept.build();
    }

    private boolean isWrongMove(ReceivedDeletedBlockInfoProto received, String node) throws IOException {
        boolean moved = !received.getDeleteHint().isEmpty();
        if (received.getStatus() != ReceivedDeletedBlockInfoProto.BlockStatus.RECEIVED
                || received.getDeleteHint().equals(node)
                || !(moved || allocation.hasChanged(node))) {
            return false;
        }
        long block = received.getBlock().getBlockId();
        Optional<String> group = groups.of(block);
        if (group.isEmpty()) {
            return false;
        }
        return moved
                ? !allocation.takes(node, group.get())
                : !group.get().equals(allocation.recorded().get(node)) && groups.isComplete(block);
    }

    /** One that is not active only does not count the copy: it must not take it for the right one when it is. */
    private void refuse(Block block, String uuid) {
        if (!system.ha().isWritable()) {
            return;
        }
        DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(uuid);
        if (node != null) {
            RefusedReplica.delete(system.blocks(), block, node);
        }
        counters.increment(Counter.REFUSED_MOVES);
        LOG.info("MPSR: refused a move of {} to {}, which is not of its replica group", block, node);
    }
}
