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
package org.hadoopmpsr.client;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.ipc.ProtocolTranslator;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.AlterDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ForgetNodesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ForgetNodesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.LastTransactionRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.LastTransactionResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PurgeReplacedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PurgeReplacedResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;

/** Passes each call to the RPC proxy. Throws the exception that the server reports, instead of the RPC layer's wrapper. */
final class MpsrProtocolTranslator implements MpsrProtocol, ProtocolTranslator, Closeable {
    private final MpsrProtocolPB proxy;
    private final StartCheck start;

    MpsrProtocolTranslator(MpsrProtocolPB proxy, StartCheck start) {
        this.proxy = proxy;
        this.start = start;
    }

    @Override
    public Object getUnderlyingProxyObject() {
        return proxy;
    }

    @Override
    public void close() {
        RPC.stopProxy(proxy);
    }

    /** Asks whether the NameNode has started; throws the answer of a NameNode that has not. */
    interface StartCheck {
        void check() throws IOException;
    }

    private interface Call<T> {
        T run() throws ServiceException;
    }

    private <T> T unwrapped(Call<T> call) throws IOException {
        try {
            return unwrappedOnce(call);
        } catch (RemoteException e) {
            if (!RpcNoSuchProtocolException.class.getName().equals(e.getClassName())) {
                throw e;
            }
            start.check(); // MPSR is not there before the NameNode has started
            return unwrappedOnce(call);
        }
    }

    private static <T> T unwrappedOnce(Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (ServiceException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e);
        }
    }

    @Override
    public StatusResponseProto status(StatusRequestProto request) throws IOException {
        return unwrapped(() -> proxy.status(null, request));
    }

    @Override
    public DatasetInfoProto createDataset(CreateDatasetRequestProto request) throws IOException {
        return unwrapped(() -> proxy.createDataset(null, request));
    }

    @Override
    public ListDatasetsResponseProto listDatasets(ListDatasetsRequestProto request) throws IOException {
        return unwrapped(() -> proxy.listDatasets(null, request));
    }

    @Override
    public DatasetInfoProto getDataset(DatasetRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getDataset(null, request));
    }

    @Override
    public DropDatasetResponseProto dropDataset(DatasetRequestProto request) throws IOException {
        return unwrapped(() -> proxy.dropDataset(null, request));
    }

    @Override
    public BeginCommitResponseProto beginCommit(BeginCommitRequestProto request) throws IOException {
        return unwrapped(() -> proxy.beginCommit(null, request));
    }

    @Override
    public PublishResponseProto publish(PublishRequestProto request) throws IOException {
        return unwrapped(() -> proxy.publish(null, request));
    }

    @Override
    public AbortCommitResponseProto abortCommit(AbortCommitRequestProto request) throws IOException {
        return unwrapped(() -> proxy.abortCommit(null, request));
    }

    @Override
    public PlanResponseProto plan(PlanRequestProto request) throws IOException {
        return unwrapped(() -> proxy.plan(null, request));
    }

    @Override
    public LastTransactionResponseProto lastTransaction(LastTransactionRequestProto request) throws IOException {
        return unwrapped(() -> proxy.lastTransaction(null, request));
    }

    @Override
    public RebalanceResponseProto rebalance(RebalanceRequestProto request) throws IOException {
        return unwrapped(() -> proxy.rebalance(null, request));
    }

    @Override
    public ForgetNodesResponseProto forgetNodes(ForgetNodesRequestProto request) throws IOException {
        return unwrapped(() -> proxy.forgetNodes(null, request));
    }

    @Override
    public ResetOffsetsResponseProto resetOffsets(ResetOffsetsRequestProto request) throws IOException {
        return unwrapped(() -> proxy.resetOffsets(null, request));
    }

    @Override
    public GetSegmentsResponseProto getSegments(GetSegmentsRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getSegments(null, request));
    }

    @Override
    public GetSegmentFilesResponseProto getSegmentFiles(GetSegmentFilesRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getSegmentFiles(null, request));
    }

    @Override
    public MaintainResponseProto maintain(MaintainRequestProto request) throws IOException {
        return unwrapped(() -> proxy.maintain(null, request));
    }

    @Override
    public GetDamageResponseProto getDamage(GetDamageRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getDamage(null, request));
    }

    @Override
    public PurgeReplacedResponseProto purgeReplaced(PurgeReplacedRequestProto request) throws IOException {
        return unwrapped(() -> proxy.purgeReplaced(null, request));
    }

    @Override
    public GetUntrackedResponseProto getUntracked(GetUntrackedRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getUntracked(null, request));
    }

    @Override
    public SetUnfitResponseProto setUnfit(SetUnfitRequestProto request) throws IOException {
        return unwrapped(() -> proxy.setUnfit(null, request));
    }

    @Override
    public GetHistoryResponseProto getHistory(GetHistoryRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getHistory(null, request));
    }

    @Override
    public SetHistoryResponseProto setHistory(SetHistoryRequestProto request) throws IOException {
        return unwrapped(() -> proxy.setHistory(null, request));
    }

    @Override
    public DatasetInfoProto alterDataset(AlterDatasetRequestProto request) throws IOException {
        return unwrapped(() -> proxy.alterDataset(null, request));
    }

    @Override
    public GetRollbackResponseProto getRollback(GetRollbackRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getRollback(null, request));
    }

    @Override
    public GetWorkloadResponseProto getWorkload(GetWorkloadRequestProto request) throws IOException {
        return unwrapped(() -> proxy.getWorkload(null, request));
    }
}
