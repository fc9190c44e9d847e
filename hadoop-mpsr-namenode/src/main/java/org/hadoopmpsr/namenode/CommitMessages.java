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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto.Outcome;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ResetOffsetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StagedFileProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.client.wire.RemovedContentWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.commit.Commits;
import org.hadoopmpsr.namenode.offset.OffsetResets;
import org.hadoopmpsr.namenode.staging.StagingPlace;
import org.hadoopmpsr.namenode.writer.CommitKey;
import org.hadoopmpsr.namenode.writer.CommitManifest;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.jspecify.annotations.Nullable;

/** Translates the calls of writers. A refusal is an answer, or an error for a writer that does not read refusals. */
final class CommitMessages {

    private CommitMessages() {}

    /** The columns that a writer knows; null if it does not say. */
    private static @Nullable DatasetColumns columns(BeginCommitRequestProto request) {
        if (!request.hasSchema()) {
            return null;
        }
        Schema schema = Schema.parse(request.getSchema());
        return new DatasetColumns(schema, ColumnWire.shown(schema, request.getShownList()));
    }

    static BeginCommitResponseProto begin(Commits commits, BeginCommitRequestProto request) throws IOException {
        try {
            StagingPlace place = commits.begin(
                    new CommitKey(
                            request.getPath(),
                            request.hasDatasetId() ? request.getDatasetId() : null,
                            request.getCommitId()),
                    columns(request),
                    request.hasRebuild() ? DamageWire.scope(request.getRebuild()) : null);
            return BeginCommitResponseProto.newBuilder()
                    .setStagingDir(place.directory())
                    .setDatasetId(place.datasetId())
                    .setMaxFiles(place.maxFiles())
                    .build();
        } catch (RefusedException e) {
            if (!request.getReadsRefusals()) {
                throw e.error();
            }
            return BeginCommitResponseProto.newBuilder()
                    .setRefusal(Wire.refusal(e.refusal()))
                    .build();
        }
    }

    static PublishResponseProto publish(Commits commits, PublishRequestProto request) throws IOException {
        try {
            CommitKey commit = new CommitKey(
                    request.getPath(), request.hasDatasetId() ? request.getDatasetId() : null, request.getCommitId());
            return answer(commits.publish(commit, new Manifest(request)));
        } catch (RefusedException e) {
            if (!request.getReadsRefusals()) {
                throw e.error();
            }
            return PublishResponseProto.newBuilder()
                    .setOutcome(Outcome.REFUSED)
                    .setReason(e.refusal().reason())
                    .setRefusal(Wire.refusal(e.refusal()))
                    .build();
        }
    }

    static void abort(Commits commits, AbortCommitRequestProto request) throws IOException {
        commits.abort(new CommitKey(
                request.getPath(), request.hasDatasetId() ? request.getDatasetId() : null, request.getCommitId()));
    }

    static ResetOffsetsResponseProto reset(OffsetResets resets, ResetOffsetsRequestProto request) throws IOException {
        ResetOffsetsResponseProto.Builder response = ResetOffsetsResponseProto.newBuilder();
        resets.reset(
                        request.getPath(),
                        request.getDatasetId(),
                        request.getResetList().stream().map(Wire::reset).toList(),
                        request.getForce())
                .forEach(offset -> response.addOffset(Wire.offset(offset)));
        return response.build();
    }

    private record Manifest(PublishRequestProto request) implements CommitManifest {
        @Override
        public DatasetChange.Kind kind() {
            return DatasetChange.Kind.valueOf(request.getKind().name());
        }

        @Override
        public List<String> removes() {
            return request.getRemovesList();
        }

        @Override
        public List<String> restores() {
            return request.getRestoresList();
        }

        @Override
        public long planned() {
            return request.getPlanned();
        }

        @Override
        public @Nullable Rebuild rebuild() {
            return request.hasRebuiltGroup()
                    ? new Rebuild(
                            request.getRebuiltGroup(),
                            kind() == DatasetChange.Kind.ACCEPT ? request.getRemovesList() : request.getRebuildsList(),
                            request.getReplacesList(),
                            request.getForeign(),
                            request.getMoves())
                    : null;
        }

        @Override
        public List<Long> states() {
            return request.getStateList();
        }

        @Override
        public Map<String, RemovedContent> removedContent() throws RefusedException {
            try {
                return RemovedContentWire.groups(request.getRemovedContentList());
            } catch (IllegalArgumentException e) {
                throw new RefusedException(Kind.INVALID, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public List<Duplicates> duplicates() throws RefusedException {
            try {
                return request.getDuplicatesList().stream()
                        .map(d -> new Duplicates(d.getGroup(), d.getDirectory(), Wire.content(d.getContent())))
                        .toList();
            } catch (IllegalArgumentException e) {
                throw new RefusedException(Kind.INVALID, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public String condition() {
            return request.getCondition();
        }

        @Override
        public List<CommitSource> sources() throws RefusedException {
            try {
                return request.getSourceList().stream().map(Wire::source).toList();
            } catch (IllegalArgumentException e) {
                throw new RefusedException(Kind.INVALID, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public List<StagedFile> files() throws RefusedException {
            List<StagedFile> files = new ArrayList<>(request.getFileCount());
            for (StagedFileProto file : request.getFileList()) {
                try {
                    FileStatistics statistics = Wire.statistics(file.getStatistics());
                    if (statistics.columns().size() < file.getStatistics().getColumnCount()) {
                        throw new IllegalArgumentException("they describe a column twice");
                    }
                    files.add(new StagedFile(file.getGroup(), file.getRelativePath(), statistics, length(file)));
                } catch (IllegalArgumentException | ClassCastException e) {
                    throw new RefusedException(
                            Kind.INVALID,
                            "commit " + request.getCommitId() + " to " + request.getPath()
                                    + " is refused: what it states of " + file.getRelativePath() + " does not fit: "
                                    + e.getMessage());
                }
            }
            return files;
        }
    }

    /** The stated length of a file, or {@link StagedFile#UNKNOWN}: older writers state none. */
    private static long length(StagedFileProto file) {
        if (file.getLength() < StagedFile.UNKNOWN) {
            throw new IllegalArgumentException("a length of " + file.getLength() + " bytes");
        }
        return file.getLength();
    }

    private static PublishResponseProto answer(PublishResult result) {
        PublishResponseProto.Builder response = PublishResponseProto.newBuilder()
                .setOutcome(Outcome.valueOf(result.outcome().name()))
                .setReason(result.reason());
        result.offsets().forEach(offset -> response.addOffset(Wire.offset(offset)));
        return response.build();
    }
}
