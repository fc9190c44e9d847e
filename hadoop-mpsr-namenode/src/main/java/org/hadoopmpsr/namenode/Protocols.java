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
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.proto.RefreshAuthorizationPolicyProtocolProtos.RefreshAuthorizationPolicyProtocolService;
import org.apache.hadoop.security.protocolPB.RefreshAuthorizationPolicyProtocolPB;
import org.apache.hadoop.security.protocolPB.RefreshAuthorizationPolicyProtocolServerSideTranslatorPB;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.OversizeMessageException;
import org.hadoopmpsr.client.PlanChangedException;
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.calls.AuditedCalls;
import org.hadoopmpsr.namenode.calls.BoundedCalls;
import org.hadoopmpsr.namenode.calls.ClientCalls;
import org.hadoopmpsr.namenode.calls.DatanodeCalls;
import org.hadoopmpsr.namenode.calls.MoverCalls;
import org.hadoopmpsr.namenode.calls.NodeCalls;
import org.hadoopmpsr.namenode.calls.ReplacedReads;
import org.hadoopmpsr.namenode.calls.ServicePolicyCalls;
import org.hadoopmpsr.namenode.listing.WholeListings;
import org.hadoopmpsr.namenode.nodes.ServiceRule;

/** Registers the protocol of MPSR, and again those protocols of HDFS of which MPSR changes some calls. */
final class Protocols {

    private Protocols() {}

    static void register(RPC.Server server, MpsrNamesystem system, MpsrConfig config, Mpsr parts) throws IOException {
        RPC.setProtocolEngine(system.conf(), MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        add(server, MpsrProtocolPB.class, service(system, config, parts));
        server.addTerseExceptions(OversizeMessageException.class, PlanChangedException.class, RetriableException.class);
        add(
                server,
                RefreshAuthorizationPolicyProtocolPB.class,
                RefreshAuthorizationPolicyProtocolService.newReflectiveBlockingService(
                        new RefreshAuthorizationPolicyProtocolServerSideTranslatorPB(new ServicePolicyCalls(system))));
        add(
                server,
                ClientNamenodeProtocolPB.class,
                new ClientCalls(
                        new NodeCalls(
                                ClientNamenodeProtocol.newReflectiveBlockingService(
                                        new ClientNamenodeProtocolServerSideTranslatorPB(system.rpc())),
                                system,
                                new ServiceRule(system, parts.allocation(), parts.datasets(), parts.counters())),
                        system,
                        parts.activation(),
                        parts.readiness(),
                        parts.placement(),
                        parts.verification(),
                        parts.renameRules(),
                        parts.replicationRule(),
                        parts.rightsOfCalls(),
                        parts.storeGuard(),
                        parts.quotas(),
                        new ReplacedReads(parts.replacedFiles()),
                        new WholeListings(system, parts.exchanges()),
                        parts.snapshotRule(),
                        parts.remadeDirectories(),
                        parts.counters()));
        int maxDataLength = system.conf()
                .getInt(
                        CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                        CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
        add(
                server,
                DatanodeProtocolPB.class,
                new DatanodeCalls(
                        DatanodeProtocolService.newReflectiveBlockingService(
                                new DatanodeProtocolServerSideTranslatorPB(system.rpc(), maxDataLength)),
                        system,
                        parts.activation(),
                        parts.allocation(),
                        parts.blockGroups(),
                        parts.movedCopies(),
                        parts.firstReports(),
                        parts.counters(),
                        maxDataLength));
        add(
                server,
                NamenodeProtocolPB.class,
                new MoverCalls(
                        NamenodeProtocolService.newReflectiveBlockingService(
                                new NamenodeProtocolServerSideTranslatorPB(system.rpc())),
                        parts.blockGroups(),
                        parts.movers()));
    }

    /** Answers the calls of MPSR's protocol, within their limits, and with their lines in the audit log. */
    static BlockingService service(MpsrNamesystem system, MpsrConfig config, Mpsr parts) {
        return new BoundedCalls(
                new AuditedCalls(MpsrProtocolService.newReflectiveBlockingService(new MpsrService(parts)), system),
                config,
                parts.callPlaces(),
                parts.counters());
    }

    private static void add(RPC.Server server, Class<?> protocol, BlockingService service) {
        server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, service);
    }
}
