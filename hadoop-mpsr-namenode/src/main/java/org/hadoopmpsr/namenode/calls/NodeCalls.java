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
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RefreshNodesRequestProto;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.namenode.nodes.ServiceRule;

/**
 * Handles administrators' calls about DataNodes, of the clients' protocol. {@code hdfs dfsadmin -refreshNodes} is refused as a
 * whole if it took the last node in service from a replica group. All other calls pass unchanged.
 */
public final class NodeCalls extends DelegatingService {
    private final MpsrNamesystem system;
    private final ServiceRule rule;

    public NodeCalls(BlockingService delegate, MpsrNamesystem system, ServiceRule rule) {
        super(delegate);
        this.system = system;
        this.rule = rule;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (request instanceof RefreshNodesRequestProto) {
            try {
                check();
            } catch (IOException e) {
                throw new ServiceException(PrintableErrors.of(e));
            }
        }
        return super.callBlockingMethod(method, controller, request);
    }

    /** HDFS reads its configuration again for this call. It has its own answer for those who may not make it. */
    private void check() throws IOException {
        if (system.callingUser().isSuperuser()) {
            try {
                rule.check(new HdfsConfiguration());
            } catch (IOException e) {
                system.callingUser().audit(false, "refreshNodes", null, null);
                throw e;
            }
        }
    }
}
