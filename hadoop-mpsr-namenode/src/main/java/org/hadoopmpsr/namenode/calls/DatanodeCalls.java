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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.namenode.copies.BlockReports;
import org.hadoopmpsr.namenode.copies.FirstReports;
import org.hadoopmpsr.namenode.copies.MovedCopies;
import org.hadoopmpsr.namenode.copies.MovedCopies.Origin;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.slf4j.Logger;

/**
 * Handles the DataNodes' calls, and undoes moves that would take a block out of its replica group. The order may come
 * from a Balancer, Mover or storage policy satisfier that knows no groups. The new copy is not counted, and its
 * DataNode is told to delete it; the old copy stays.
 *
 * <p>A report of a move names the node to delete the block from. Reports of other blocks pass unread, with two
 * exceptions. Reports of a node that got another group recently are read, because copies that HDFS ordered to it before
 * must be deleted too. The first full reports after the NameNode's start are read as well. A NameNode that is not
 * active may not know a block's file or a node's group yet. It counts such a copy, and remembers it until it is active.
 */
public final class DatanodeCalls extends DelegatingService {
    private static final Logger LOG = PrintableLog.of(DatanodeCalls.class);

    private final MpsrNamesystem system;
    private final Activation activation;
    private final Allocation allocation;
    private final BlockGroups blockGroups;
    private final MovedCopies movedCopies;
    private final FirstReports firstReports;
    private final Counters counters;
    private final int maxDataLength;

    /** @param maxDataLength the maximum number of bytes of a call */
    public DatanodeCalls(
            BlockingService delegate,
            MpsrNamesystem system,
            Activation activation,
            Allocation allocation,
            BlockGroups blockGroups,
            MovedCopies movedCopies,
            FirstReports firstReports,
            Counters counters,
            int maxDataLength) {
        super(delegate);
        this.system = system;
        this.activation = activation;
        this.allocation = allocation;
        this.blockGroups = blockGroups;
        this.movedCopies = movedCopies;
        this.firstReports = firstReports;
        this.counters = counters;
        this.maxDataLength = maxDataLength;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Message changed = request;
        try {
            if (request instanceof BlockReceivedAndDeletedRequestProto report) {
                changed = withoutWrongMoves(report);
            } else if (request instanceof BlockReportRequestProto report) {
                firstReports.read(report, maxDataLength);
                changed = movedCopies.any() ? withoutWrongCopies(report) : report;
            }
        } catch (RetriableException e) {
            throw new ServiceException(e);
        } catch (IOException | RuntimeException e) {
            LOG.error("MPSR cannot check a report of moved blocks; it is taken as it is", e);
            counters.increment(Counter.ERRORS);
        }
        return super.callBlockingMethod(method, controller, changed);
    }

    private BlockReceivedAndDeletedRequestProto withoutWrongMoves(BlockReceivedAndDeletedRequestProto report)
            throws IOException {
        String node = report.getRegistration().getDatanodeID().getDatanodeUuid();
        if (!concerns(report, node)) {
            return report; // as nearly all
        }
        boolean decides = system.ha().isWritable() && allocation.isCurrent();
        if (decides && !blockGroups.any()) {
            return report;
        }
        BlockReceivedAndDeletedRequestProto.Builder kept = report.toBuilder();
        boolean wrong = false;
        for (int s = 0; s < report.getBlocksCount(); s++) {
            StorageReceivedDeletedBlocksProto storage = report.getBlocks(s);
            // from the end, so that removing one leaves the others' positions
            for (int b = storage.getBlocksCount() - 1; b >= 0; b--) {
                ReceivedDeletedBlockInfoProto block = storage.getBlocks(b);
                if (block.getStatus() == BlockStatus.DELETED) {
                    movedCopies.forget(block.getBlock().getBlockId(), node);
                } else if (block.getStatus() == BlockStatus.RECEIVED && isWrongMove(block, node, decides)) {
                    movedCopies.remember(
                            PBHelperClient.convert(block.getBlock()),
                            node,
                            block.getDeleteHint().isEmpty() ? Origin.LATE : Origin.MOVED);
                    if (decides) {
                        kept.getBlocksBuilder(s).removeBlocks(b);
                        wrong = true;
                    }
                }
            }
        }
        if (wrong) {
            movedCopies.deleteWrong();
        }
        return kept.build();
    }

    /** False for a report in which no copy can be wrong, and in which no known wrong copy can be deleted. */
    private boolean concerns(BlockReceivedAndDeletedRequestProto report, String node) {
        return movedCopies.any()
                || allocation.hasChanged(node)
                || report.getBlocksList().stream()
                        .anyMatch(storage -> storage.getBlocksList().stream()
                                .anyMatch(block -> !block.getDeleteHint().isEmpty()));
    }

    /** @param decides false if copies of unknown blocks or nodes count as possibly wrong */
    private boolean isWrongMove(ReceivedDeletedBlockInfoProto received, String node, boolean decides)
            throws IOException {
        boolean moved = !received.getDeleteHint().isEmpty();
        if (received.getDeleteHint().equals(node) || !(moved || allocation.hasChanged(node))) {
            return false;
        }
        long block = received.getBlock().getBlockId();
        Optional<String> group = blockGroups.of(block);
        if (group.isEmpty()) {
            return !decides && !blockGroups.isKnown(block);
        }
        return moved
                ? !allocation.takes(node, group.get())
                : !group.get().equals(allocation.recorded().get(node)) && blockGroups.isComplete(block);
    }

    private BlockReportRequestProto withoutWrongCopies(BlockReportRequestProto report) throws IOException {
        if (!system.ha().isWritable()) {
            return report;
        }
        activation.ensure();
        movedCopies.deleteWrong();
        Set<Long> wrong =
                movedCopies.refusedOn(report.getRegistration().getDatanodeID().getDatanodeUuid());
        if (wrong.isEmpty()) {
            return report;
        }
        BlockReportRequestProto.Builder kept = report.toBuilder();
        for (int s = 0; s < report.getReportsCount(); s++) {
            kept.setReports(s, BlockReports.without(wrong, report.getReports(s), maxDataLength));
        }
        return kept.build();
    }
}
