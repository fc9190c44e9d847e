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
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ForgetNodesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.LastTransactionResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PurgeReplacedResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;

/** Sends the bytes of any message as any call to MPSR, without retries. Thread-safe. */
final class FuzzCalls implements AutoCloseable {
    private final Protocol nameNode;

    /** The calls with whatever message. */
    @ProtocolInfo(protocolName = "org.hadoopmpsr.client.MpsrProtocol", protocolVersion = 1)
    public interface Protocol {
        StatusResponseProto status(RpcController controller, Message request) throws ServiceException;

        DatasetInfoProto createDataset(RpcController controller, Message request) throws ServiceException;

        ListDatasetsResponseProto listDatasets(RpcController controller, Message request) throws ServiceException;

        DatasetInfoProto getDataset(RpcController controller, Message request) throws ServiceException;

        DropDatasetResponseProto dropDataset(RpcController controller, Message request) throws ServiceException;

        BeginCommitResponseProto beginCommit(RpcController controller, Message request) throws ServiceException;

        PublishResponseProto publish(RpcController controller, Message request) throws ServiceException;

        AbortCommitResponseProto abortCommit(RpcController controller, Message request) throws ServiceException;

        PlanResponseProto plan(RpcController controller, Message request) throws ServiceException;

        LastTransactionResponseProto lastTransaction(RpcController controller, Message request) throws ServiceException;

        RebalanceResponseProto rebalance(RpcController controller, Message request) throws ServiceException;

        ForgetNodesResponseProto forgetNodes(RpcController controller, Message request) throws ServiceException;

        ResetOffsetsResponseProto resetOffsets(RpcController controller, Message request) throws ServiceException;

        GetSegmentsResponseProto getSegments(RpcController controller, Message request) throws ServiceException;

        GetSegmentFilesResponseProto getSegmentFiles(RpcController controller, Message request) throws ServiceException;

        GetDamageResponseProto getDamage(RpcController controller, Message request) throws ServiceException;

        GetUntrackedResponseProto getUntracked(RpcController controller, Message request) throws ServiceException;

        SetUnfitResponseProto setUnfit(RpcController controller, Message request) throws ServiceException;

        MaintainResponseProto maintain(RpcController controller, Message request) throws ServiceException;

        PurgeReplacedResponseProto purgeReplaced(RpcController controller, Message request) throws ServiceException;

        GetHistoryResponseProto getHistory(RpcController controller, Message request) throws ServiceException;

        SetHistoryResponseProto setHistory(RpcController controller, Message request) throws ServiceException;

        DatasetInfoProto alterDataset(RpcController controller, Message request) throws ServiceException;

        GetRollbackResponseProto getRollback(RpcController controller, Message request) throws ServiceException;

        GetWorkloadResponseProto getWorkload(RpcController controller, Message request) throws ServiceException;
    }

    /** Hadoop shares connections between callers with equal factories. */
    private static final class OwnConnection extends StandardSocketFactory {
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /** A request as it is sent. */
    record Request(String method, byte[] bytes) {
        static Request of(String method, Message message) {
            return new Request(method, message.toByteArray());
        }

        @Override
        public String toString() {
            return method + " of " + bytes.length + " bytes";
        }
    }

    FuzzCalls(Configuration conf, InetSocketAddress nameNode, String user) throws IOException {
        RPC.setProtocolEngine(conf, Protocol.class, ProtobufRpcEngine2.class);
        this.nameNode = RPC.getProtocolProxy(
                        Protocol.class,
                        1,
                        nameNode,
                        UserGroupInformation.createUserForTesting(user, new String[] {user + "-group"}),
                        conf,
                        new OwnConnection(),
                        60_000,
                        null)
                .getProxy();
    }

    /**
     * The answer.
     *
     * @throws RemoteException if the NameNode refuses the call
     * @throws IOException if there is no answer
     */
    Message call(Request request) throws IOException {
        Message message = raw(request.bytes());
        try {
            return switch (request.method()) {
                case "status" -> nameNode.status(null, message);
                case "createDataset" -> nameNode.createDataset(null, message);
                case "listDatasets" -> nameNode.listDatasets(null, message);
                case "getDataset" -> nameNode.getDataset(null, message);
                case "dropDataset" -> nameNode.dropDataset(null, message);
                case "beginCommit" -> nameNode.beginCommit(null, message);
                case "publish" -> nameNode.publish(null, message);
                case "abortCommit" -> nameNode.abortCommit(null, message);
                case "plan" -> nameNode.plan(null, message);
                case "lastTransaction" -> nameNode.lastTransaction(null, message);
                case "rebalance" -> nameNode.rebalance(null, message);
                case "forgetNodes" -> nameNode.forgetNodes(null, message);
                case "resetOffsets" -> nameNode.resetOffsets(null, message);
                case "getSegments" -> nameNode.getSegments(null, message);
                case "getSegmentFiles" -> nameNode.getSegmentFiles(null, message);
                case "getDamage" -> nameNode.getDamage(null, message);
                case "getUntracked" -> nameNode.getUntracked(null, message);
                case "setUnfit" -> nameNode.setUnfit(null, message);
                case "maintain" -> nameNode.maintain(null, message);
                case "purgeReplaced" -> nameNode.purgeReplaced(null, message);
                case "getHistory" -> nameNode.getHistory(null, message);
                case "setHistory" -> nameNode.setHistory(null, message);
                case "alterDataset" -> nameNode.alterDataset(null, message);
                case "getRollback" -> nameNode.getRollback(null, message);
                case "getWorkload" -> nameNode.getWorkload(null, message);
                default -> throw new IllegalArgumentException(request.method());
            };
        } catch (ServiceException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e);
        }
    }

    /** A message that is these bytes, whether or not they are one. */
    private static Message raw(byte[] bytes) {
        return (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, called, arguments) -> {
                    switch (called.getName()) {
                        case "writeDelimitedTo":
                            CodedOutputStream out = CodedOutputStream.newInstance((OutputStream) arguments[0]);
                            out.writeByteArrayNoTag(bytes);
                            out.flush();
                            return null;
                        case "toString":
                            return bytes.length + " bytes";
                        default:
                            throw new UnsupportedOperationException(called.getName());
                    }
                });
    }

    @Override
    public void close() {
        RPC.stopProxy(nameNode);
    }
}
