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
import java.util.List;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StagedFileProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;

/** The messages of commits. */
final class CommitCalls {
    private final MpsrProtocol protocol;

    CommitCalls(MpsrProtocol protocol) {
        this.protocol = protocol;
    }

    BegunCommit begin(String path, String datasetId, String commitId) throws IOException {
        BeginCommitResponseProto response = protocol.beginCommit(BeginCommitRequestProto.newBuilder()
                .setPath(path)
                .setCommitId(commitId)
                .setDatasetId(datasetId)
                .setReadsRefusals(true)
                .build());
        if (response.hasRefusal()) {
            return BegunCommit.refused(Wire.refusal(response.getRefusal()));
        }
        if (!response.hasDatasetId()) {
            abort(path, datasetId, commitId);
            return BegunCommit.refused(new Refusal(
                    Kind.OTHER_VERSION,
                    "the NameNode runs an older version of MPSR, which does not check that a commit goes to the dataset"
                            + " that its writer knows; upgrade MPSR in the NameNode, and then its writers"));
        }
        return new BegunCommit(response.getStagingDir(), response.getMaxFiles(), null);
    }

    PublishResult publish(
            String path, String datasetId, String commitId, List<CommitSource> sources, List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = PublishRequestProto.newBuilder()
                .setPath(path)
                .setCommitId(commitId)
                .setDatasetId(datasetId)
                .setReadsRefusals(true);
        sources.forEach(s -> request.addSource(Wire.source(s)));
        files.forEach(f -> request.addFile(StagedFileProto.newBuilder()
                .setGroup(f.group())
                .setRelativePath(f.relativePath())
                .setStatistics(Wire.statistics(f.statistics()))
                .setLength(f.length())));
        PublishResponseProto response;
        try {
            response = protocol.publish(request.build());
        } catch (OversizeMessageException e) {
            return PublishResult.refused(new Refusal(Kind.TOO_MANY_FILES, String.valueOf(e.getMessage())));
        }
        if (response.getOutcome() == PublishResponseProto.Outcome.REFUSED) {
            return PublishResult.refused(Wire.refusal(response.getRefusal()));
        }
        return new PublishResult(
                Outcome.valueOf(response.getOutcome().name()),
                response.getReason(),
                null,
                response.getOffsetList().stream().map(Wire::offset).toList());
    }

    void abort(String path, String datasetId, String commitId) throws IOException {
        protocol.abortCommit(AbortCommitRequestProto.newBuilder()
                .setPath(path)
                .setCommitId(commitId)
                .setDatasetId(datasetId)
                .build());
    }
}
