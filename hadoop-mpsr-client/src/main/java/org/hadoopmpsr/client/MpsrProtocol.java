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

import java.io.IOException;
import org.apache.hadoop.io.retry.AtMostOnce;
import org.apache.hadoop.io.retry.Idempotent;
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

/**
 * The calls to MPSR in the NameNode, one message each. Every call may be repeated if its answer was lost. A commit is
 * identified by its id, and publishing it twice is a success without effect.
 */
interface MpsrProtocol {
    @Idempotent
    StatusResponseProto status(StatusRequestProto request) throws IOException;

    @AtMostOnce
    DatasetInfoProto createDataset(CreateDatasetRequestProto request) throws IOException;

    @Idempotent
    ListDatasetsResponseProto listDatasets(ListDatasetsRequestProto request) throws IOException;

    @Idempotent
    DatasetInfoProto getDataset(DatasetRequestProto request) throws IOException;

    @AtMostOnce
    DropDatasetResponseProto dropDataset(DatasetRequestProto request) throws IOException;

    @Idempotent
    BeginCommitResponseProto beginCommit(BeginCommitRequestProto request) throws IOException;

    @Idempotent
    PublishResponseProto publish(PublishRequestProto request) throws IOException;

    @Idempotent
    AbortCommitResponseProto abortCommit(AbortCommitRequestProto request) throws IOException;

    @Idempotent
    PlanResponseProto plan(PlanRequestProto request) throws IOException;

    @Idempotent
    LastTransactionResponseProto lastTransaction(LastTransactionRequestProto request) throws IOException;

    @Idempotent
    RebalanceResponseProto rebalance(RebalanceRequestProto request) throws IOException;

    @Idempotent
    ForgetNodesResponseProto forgetNodes(ForgetNodesRequestProto request) throws IOException;

    @Idempotent
    ResetOffsetsResponseProto resetOffsets(ResetOffsetsRequestProto request) throws IOException;

    @Idempotent
    GetSegmentsResponseProto getSegments(GetSegmentsRequestProto request) throws IOException;

    @Idempotent
    GetSegmentFilesResponseProto getSegmentFiles(GetSegmentFilesRequestProto request) throws IOException;

    @Idempotent
    MaintainResponseProto maintain(MaintainRequestProto request) throws IOException;

    @Idempotent
    GetDamageResponseProto getDamage(GetDamageRequestProto request) throws IOException;

    @Idempotent
    PurgeReplacedResponseProto purgeReplaced(PurgeReplacedRequestProto request) throws IOException;

    @Idempotent
    GetUntrackedResponseProto getUntracked(GetUntrackedRequestProto request) throws IOException;

    @Idempotent
    SetUnfitResponseProto setUnfit(SetUnfitRequestProto request) throws IOException;

    @Idempotent
    GetHistoryResponseProto getHistory(GetHistoryRequestProto request) throws IOException;

    @Idempotent
    SetHistoryResponseProto setHistory(SetHistoryRequestProto request) throws IOException;

    @AtMostOnce
    DatasetInfoProto alterDataset(AlterDatasetRequestProto request) throws IOException;

    @Idempotent
    GetRollbackResponseProto getRollback(GetRollbackRequestProto request) throws IOException;

    @Idempotent
    GetWorkloadResponseProto getWorkload(GetWorkloadRequestProto request) throws IOException;
}
