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
import java.util.OptionalLong;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.MpsrProtocolPB;
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
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.ChangedMeanwhileException;
import org.hadoopmpsr.namenode.lifecycle.DatasetInfos;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.plan.PlanAnswer;
import org.hadoopmpsr.namenode.segment.Purge;

/** Passes each remote call to the part that answers it. Called by the NameNode's handler threads. */
final class MpsrService implements MpsrProtocolPB {
    private final Mpsr mpsr;

    MpsrService(Mpsr mpsr) {
        this.mpsr = mpsr;
    }

    private interface Call<T> {
        T run() throws IOException;
    }

    /**
     * An invalid argument is an error of the caller. Any other unexpected exception is an error of MPSR, and is logged.
     */
    private <T> T answer(Call<T> call) throws ServiceException {
        try {
            mpsr.activation().ensure();
            return call.run();
        } catch (IOException e) {
            throw new ServiceException(e);
        } catch (ChangedMeanwhileException e) {
            throw new ServiceException(new RetriableException(e));
        } catch (IllegalArgumentException e) {
            mpsr.counters().increment(Counter.REFUSED_CALLS);
            throw new ServiceException(new IOException(e.getMessage(), e));
        }
    }

    @Override
    public StatusResponseProto status(RpcController controller, StatusRequestProto request) throws ServiceException {
        return answer(() -> {
            if (request.getMover()) {
                mpsr.movers().add();
            }
            return StatusMessages.status(mpsr.status().get());
        });
    }

    @Override
    public DatasetInfoProto createDataset(RpcController controller, CreateDatasetRequestProto request)
            throws ServiceException {
        return answer(() -> {
            DatasetRecord dataset = mpsr.creation().create(request);
            return DatasetMessages.info(mpsr.infos().describe(dataset));
        });
    }

    @Override
    public ListDatasetsResponseProto listDatasets(RpcController controller, ListDatasetsRequestProto request)
            throws ServiceException {
        return answer(() -> {
            ListDatasetsResponseProto.Builder list = ListDatasetsResponseProto.newBuilder();
            String after = request.getAfter();
            while (true) {
                DatasetInfos.Page page = mpsr.infos().page(after);
                DatasetMessages.add(list, page);
                if (page.next() == null || request.getPaged()) {
                    return list.build();
                }
                after = page.next(); // an older client asks for no further page
                list.clearNext();
            }
        });
    }

    @Override
    public DatasetInfoProto getDataset(RpcController controller, DatasetRequestProto request) throws ServiceException {
        return answer(() -> DatasetMessages.info(mpsr.infos().get(request.getPath())));
    }

    @Override
    public DropDatasetResponseProto dropDataset(RpcController controller, DatasetRequestProto request)
            throws ServiceException {
        return answer(() -> DatasetMessages.drop(mpsr.removal().drop(request.getPath(), request.getNow())));
    }

    @Override
    public BeginCommitResponseProto beginCommit(RpcController controller, BeginCommitRequestProto request)
            throws ServiceException {
        return answer(() -> CommitMessages.begin(mpsr.commits(), request));
    }

    @Override
    public PublishResponseProto publish(RpcController controller, PublishRequestProto request) throws ServiceException {
        return answer(() -> CommitMessages.publish(mpsr.commits(), request));
    }

    @Override
    public AbortCommitResponseProto abortCommit(RpcController controller, AbortCommitRequestProto request)
            throws ServiceException {
        return answer(() -> {
            CommitMessages.abort(mpsr.commits(), request);
            return AbortCommitResponseProto.getDefaultInstance();
        });
    }

    @Override
    public LastTransactionResponseProto lastTransaction(RpcController controller, LastTransactionRequestProto request)
            throws ServiceException {
        return answer(() -> LastTransactionResponseProto.newBuilder()
                .setTransaction(mpsr.planning().lastTransaction())
                .build());
    }

    @Override
    public PlanResponseProto plan(RpcController controller, PlanRequestProto request) throws ServiceException {
        return answer(() -> {
            OptionalLong transaction = PlanMessages.standbyTransaction(request);
            PlanAnswer answer =
                    mpsr.planning().plan(request.getPath(), transaction, () -> PlanMessages.request(request));
            return PlanMessages.answer(request, answer);
        });
    }

    @Override
    public RebalanceResponseProto rebalance(RpcController controller, RebalanceRequestProto request)
            throws ServiceException {
        return answer(() -> RebalanceMessages.answer(
                switch (request.getAction()) {
                    case EXECUTE -> mpsr.rebalance().execute(request.getTransfers(), request.getBandwidth());
                    case CANCEL -> mpsr.rebalance().cancel();
                    case SHOW -> mpsr.rebalance().show();
                }));
    }

    @Override
    public ForgetNodesResponseProto forgetNodes(RpcController controller, ForgetNodesRequestProto request)
            throws ServiceException {
        return answer(() -> RebalanceMessages.forgotten(mpsr.rebalance().forget(request.getUuidList())));
    }

    @Override
    public ResetOffsetsResponseProto resetOffsets(RpcController controller, ResetOffsetsRequestProto request)
            throws ServiceException {
        return answer(() -> CommitMessages.reset(mpsr.offsetResets(), request));
    }

    @Override
    public GetSegmentsResponseProto getSegments(RpcController controller, GetSegmentsRequestProto request)
            throws ServiceException {
        return answer(() -> SegmentMessages.segments(mpsr.segments(), request));
    }

    @Override
    public GetSegmentFilesResponseProto getSegmentFiles(RpcController controller, GetSegmentFilesRequestProto request)
            throws ServiceException {
        return answer(() -> SegmentMessages.files(mpsr.segments(), mpsr.pastSegmentFiles(), request));
    }

    @Override
    public GetDamageResponseProto getDamage(RpcController controller, GetDamageRequestProto request)
            throws ServiceException {
        return answer(() -> SegmentMessages.damage(mpsr.damage(), request));
    }

    @Override
    public PurgeReplacedResponseProto purgeReplaced(RpcController controller, PurgeReplacedRequestProto request)
            throws ServiceException {
        return answer(() -> {
            Purge.Result result =
                    mpsr.purge().run(request.getPath(), request.hasDatasetId() ? request.getDatasetId() : null);
            return PurgeReplacedResponseProto.newBuilder()
                    .setFiles(result.deleted().files())
                    .setBytes(result.deleted().bytes())
                    .setStaged(result.staged())
                    .build();
        });
    }

    @Override
    public GetUntrackedResponseProto getUntracked(RpcController controller, GetUntrackedRequestProto request)
            throws ServiceException {
        return answer(() -> UntrackedMessages.get(mpsr.untracked(), request));
    }

    @Override
    public SetUnfitResponseProto setUnfit(RpcController controller, SetUnfitRequestProto request)
            throws ServiceException {
        return answer(() -> UntrackedMessages.set(mpsr.untracked(), request));
    }

    @Override
    public GetHistoryResponseProto getHistory(RpcController controller, GetHistoryRequestProto request)
            throws ServiceException {
        return answer(() -> HistoryMessages.history(mpsr.history(), request));
    }

    @Override
    public SetHistoryResponseProto setHistory(RpcController controller, SetHistoryRequestProto request)
            throws ServiceException {
        return answer(() -> HistoryMessages.set(mpsr.historyChanges(), request));
    }

    @Override
    public DatasetInfoProto alterDataset(RpcController controller, AlterDatasetRequestProto request)
            throws ServiceException {
        return answer(() -> DatasetMessages.info(mpsr.infos()
                .describe(AlterationMessages.alter(mpsr.alteration(), mpsr.columns(), mpsr.adoption(), request))));
    }

    @Override
    public GetRollbackResponseProto getRollback(RpcController controller, GetRollbackRequestProto request)
            throws ServiceException {
        return answer(() -> HistoryMessages.rollback(mpsr.rollbacks(), request));
    }

    @Override
    public GetWorkloadResponseProto getWorkload(RpcController controller, GetWorkloadRequestProto request)
            throws ServiceException {
        return answer(() -> WorkloadMessages.answer(mpsr.workload(), request));
    }

    @Override
    public MaintainResponseProto maintain(RpcController controller, MaintainRequestProto request)
            throws ServiceException {
        return answer(() -> MaintenanceMessages.ask(mpsr.maintenance(), request));
    }
}
