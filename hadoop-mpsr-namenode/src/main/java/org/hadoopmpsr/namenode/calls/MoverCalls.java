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
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.BlockWithLocationsProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.BlocksWithLocationsProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetBlocksResponseProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.namenode.copies.Movers;
import org.hadoopmpsr.namenode.nodes.BlockGroups;

/**
 * Handles the calls of other daemons. A Balancer with a stock configuration does not ask for the allocation, and would
 * move blocks of representations out of their groups again and again. It therefore does not learn about these blocks.
 */
public final class MoverCalls extends DelegatingService {
    private final BlockGroups groups;
    private final Movers movers;

    public MoverCalls(BlockingService delegate, BlockGroups groups, Movers movers) {
        super(delegate);
        this.groups = groups;
        this.movers = movers;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Message response = super.callBlockingMethod(method, controller, request);
        if (response instanceof GetBlocksResponseProto answer && groups.any() && !movers.isCaller()) {
            try {
                return outsideDatasets(answer);
            } catch (IOException e) {
                throw new ServiceException(e);
            }
        }
        return response;
    }

    private GetBlocksResponseProto outsideDatasets(GetBlocksResponseProto answer) throws IOException {
        BlocksWithLocationsProto.Builder kept = BlocksWithLocationsProto.newBuilder();
        for (BlockWithLocationsProto block : answer.getBlocks().getBlocksList()) {
            if (groups.of(block.getBlock().getBlockId()).isEmpty()) {
                kept.addBlocks(block);
            }
        }
        return answer.toBuilder().setBlocks(kept).build();
    }
}
