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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ChangeKindProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DuplicatesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SegmentInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.UnfitFileProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.client.wire.DamageList;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.client.wire.RemovedContentWire;
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.client.wire.UntrackedWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.rebuild.Damages;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/** The messages of commits, of the segments that they bring, and of files that none has brought. */
final class CommitCalls {
    /** Another commit between two pages starts them anew; so often. */
    private static final int ATTEMPTS = 5;

    private final MpsrProtocol protocol;

    CommitCalls(MpsrProtocol protocol) {
        this.protocol = protocol;
    }

    BegunCommit begin(
            String path,
            String datasetId,
            String commitId,
            @Nullable DatasetColumns known,
            @Nullable RebuildScope rebuild)
            throws IOException {
        BeginCommitRequestProto.Builder request = BeginCommitRequestProto.newBuilder()
                .setPath(path)
                .setCommitId(commitId)
                .setDatasetId(datasetId)
                .setReadsRefusals(true);
        if (rebuild != null) {
            request.setRebuild(DamageWire.scope(rebuild));
        }
        if (known != null) {
            request.setSchema(known.stored().ddl()).addAllShown(ColumnWire.shown(known));
        }
        BeginCommitResponseProto response = protocol.beginCommit(request.build());
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
        PublishRequestProto.Builder request = request(path, datasetId, commitId);
        sources.forEach(s -> request.addSource(Wire.source(s)));
        return publish(request, files);
    }

    PublishResult rewrite(
            String path,
            String datasetId,
            String changeId,
            List<String> removes,
            Map<String, RemovedContent> removedContent,
            List<Duplicates> duplicates,
            List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.REWRITE)
                .addAllRemoves(removes)
                .addAllRemovedContent(RemovedContentWire.groups(removedContent));
        leaveOut(request, duplicates);
        return publish(request, files);
    }

    /** What every change says. */
    private static PublishRequestProto.Builder request(String path, String datasetId, String changeId) {
        return PublishRequestProto.newBuilder()
                .setPath(path)
                .setCommitId(changeId)
                .setDatasetId(datasetId)
                .setReadsRefusals(true);
    }

    private static void leaveOut(PublishRequestProto.Builder request, List<Duplicates> records) {
        records.forEach(d -> request.addDuplicates(DuplicatesProto.newBuilder()
                .setGroup(d.group())
                .setDirectory(d.directory())
                .setContent(Wire.content(d.content()))));
    }

    PublishResult delete(
            String path,
            String datasetId,
            String changeId,
            List<String> removes,
            List<Duplicates> deleted,
            String condition,
            List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.DELETE)
                .addAllRemoves(removes)
                .setCondition(condition);
        leaveOut(request, deleted);
        return publish(request, files);
    }

    PublishResult rollback(
            String path, String datasetId, String changeId, PlannedRollback plan, String to, List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.ROLLBACK)
                .addAllRemoves(plan.removedIds())
                .addAllRestores(plan.restoredIds())
                .setPlanned(plan.last())
                .setCondition(to);
        return publish(request, files);
    }

    PublishResult overwrite(
            String path, String datasetId, String changeId, List<String> removes, List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.OVERWRITE)
                .addAllRemoves(removes);
        return publish(request, files);
    }

    PublishResult rebuild(String path, String datasetId, String changeId, Rebuild rebuild, List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.REBUILD)
                .setRebuiltGroup(rebuild.group())
                .addAllRebuilds(rebuild.segments())
                .addAllReplaces(rebuild.replaces())
                .setForeign(rebuild.foreign())
                .setMoves(rebuild.moves());
        return publish(request, files);
    }

    PublishResult accept(
            String path, String datasetId, String changeId, Rebuild accepted, List<Long> states, List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.ACCEPT)
                .setRebuiltGroup(accepted.group())
                .addAllRemoves(accepted.segments())
                .addAllReplaces(accepted.replaces())
                .addAllState(states);
        return publish(request, files);
    }

    PublishResult adopt(
            String path, String datasetId, String changeId, Rebuild adopted, List<Long> states, List<StagedFile> files)
            throws IOException {
        PublishRequestProto.Builder request = request(path, datasetId, changeId)
                .setKind(ChangeKindProto.ADOPT)
                .setRebuiltGroup(adopted.group())
                .addAllReplaces(adopted.replaces())
                .addAllState(states);
        return publish(request, files);
    }

    Damages damage(String path, int maxFiles, boolean foreign) throws IOException {
        for (int i = 1; ; i++) {
            try {
                return damageOnce(path, maxFiles, foreign);
            } catch (RetriableException e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Damages damageOnce(String path, int maxFiles, boolean foreign) throws IOException {
        DamageList list = new DamageList();
        GetDamageRequestProto.Builder request = GetDamageRequestProto.newBuilder()
                .setPath(path)
                .setLimit(maxFiles)
                .setForeign(foreign);
        while (true) {
            GetDamageResponseProto page = protocol.getDamage(request.build());
            page.getDamageList().forEach(d -> list.add(DamageWire.damage(d)));
            if (!page.hasNext()) {
                return new Damages(page.getDatasetId(), list.all(), true);
            }
            boolean isWhole = !page.getUnfinished();
            if (list.files() >= maxFiles && (isWhole || list.all().size() > 1)) {
                return new Damages(page.getDatasetId(), isWhole ? list.all() : list.allButLast(), false);
            }
            request.setAfter(page.getNext());
        }
    }

    private PublishResult publish(PublishRequestProto.Builder request, List<StagedFile> files) throws IOException {
        files.forEach(f -> request.addFile(f.proto()));
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

    Segments segments(String path) throws IOException {
        List<Segments.Info> segments = new ArrayList<>();
        GetSegmentsRequestProto.Builder request =
                GetSegmentsRequestProto.newBuilder().setPath(path);
        while (true) {
            GetSegmentsResponseProto page = protocol.getSegments(request.build());
            page.getSegmentList().forEach(s -> segments.add(info(s)));
            if (!page.hasNext()) {
                return new Segments(page.getDatasetId(), page.getSequence(), segments);
            }
            request.setAfter(page.getNext());
        }
    }

    private static Segments.Info info(SegmentInfoProto proto) {
        return new Segments.Info(
                proto.getId(),
                proto.getSince(),
                proto.getFirst(),
                proto.getLast(),
                proto.getTime(),
                Wire.content(proto.getContent()),
                proto.hasRecorded() ? Wire.content(proto.getRecorded()) : null,
                SegmentWire.groups(proto.getGroupList()),
                proto.getNewestFile(),
                proto.hasNotReplaceable() ? proto.getNotReplaceable() : null,
                proto.hasRights() ? proto.getRights() : null);
    }

    List<DataFile> files(String path, String group, List<String> segments, boolean allColumns, boolean removed)
            throws IOException {
        for (int i = 1; ; i++) {
            try {
                return filesOnce(path, group, segments, allColumns, removed);
            } catch (RetriableException e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private List<DataFile> filesOnce(
            String path, String group, List<String> segments, boolean allColumns, boolean removed) throws IOException {
        List<DataFile> files = new ArrayList<>();
        GetSegmentFilesRequestProto.Builder request = GetSegmentFilesRequestProto.newBuilder()
                .setPath(path)
                .setGroup(group)
                .addAllSegment(segments)
                .setAllColumns(allColumns);
        if (removed) {
            request.setRemoved(true);
        }
        while (true) {
            GetSegmentFilesResponseProto page = protocol.getSegmentFiles(request.build());
            page.getFileList()
                    .forEach(f -> files.add(new DataFile(
                            f.getPath(),
                            f.getFileId(),
                            f.getLength(),
                            f.getModificationTime(),
                            Wire.statistics(f.getStatistics()))));
            if (!page.hasNext()) {
                return files;
            }
            request.setFrom(page.getNext()).setGeneration(page.getGeneration());
        }
    }

    List<UntrackedFile> untracked(String path) throws IOException {
        return protocol
                .getUntracked(
                        GetUntrackedRequestProto.newBuilder().setPath(path).build())
                .getFileList()
                .stream()
                .map(UntrackedWire::file)
                .toList();
    }

    void unfit(String path, Map<UntrackedFile, String> reasons) throws IOException {
        SetUnfitRequestProto.Builder request = SetUnfitRequestProto.newBuilder().setPath(path);
        reasons.forEach((file, reason) -> request.addFile(UnfitFileProto.newBuilder()
                .setFileId(file.fileId())
                .setState(file.state())
                .setReason(reason)));
        protocol.setUnfit(request.build());
    }
}
