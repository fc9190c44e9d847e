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

import java.util.List;
import java.util.OptionalLong;
import org.hadoopmpsr.client.proto.MpsrProtos.BlockProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CandidateProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanPartProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.history.EarlierColumns;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.PlanPart;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.hadoopmpsr.namenode.plan.PlanAnswer;
import org.hadoopmpsr.namenode.plan.PlanRequest;

/** Translates requests for plans, and their answers. */
final class PlanMessages {

    private PlanMessages() {}

    static OptionalLong standbyTransaction(PlanRequestProto proto) {
        return proto.hasStandbyTransaction() ? OptionalLong.of(proto.getStandbyTransaction()) : OptionalLong.empty();
    }

    /** @throws IllegalArgumentException if the request makes no sense */
    static PlanRequest request(PlanRequestProto proto) {
        return new PlanRequest(
                proto.getPath(),
                ReadRequestWire.readRequest(proto),
                proto.hasGroup() ? proto.getGroup() : null,
                proto.getColumnList(),
                proto.hasFrom() ? OptionalLong.of(proto.getFrom()) : OptionalLong.empty(),
                proto.getGeneration(),
                proto.hasUnion() ? OptionalLong.of(proto.getUnion()) : OptionalLong.empty(),
                proto.getPart(),
                proto.getPageFiles(),
                standbyTransaction(proto),
                proto.hasToken() ? proto.getToken() : null,
                proto.toBuilder()
                        .clearToken()
                        .clearStandbyTransaction()
                        .clearPageFiles()
                        .build()
                        .toByteString());
    }

    static PlanResponseProto answer(PlanRequestProto request, PlanAnswer answer) {
        // of files that are compared by what is known of them
        boolean contents = request.getCompared() && request.getColumnCount() > 0;
        if (answer instanceof PlanAnswer.First first) {
            return first(first, contents);
        }
        if (answer instanceof PlanAnswer.Further further) {
            PlanResponseProto.Builder proto =
                    PlanResponseProto.newBuilder().setDataset(true).setGeneration(further.generation());
            return add(proto, further.files(), contents).build();
        }
        return answer instanceof PlanAnswer.Unchanged
                ? PlanResponseProto.newBuilder()
                        .setDataset(true)
                        .setUnchanged(true)
                        .build()
                : PlanResponseProto.newBuilder().setDataset(false).build();
    }

    private static PlanResponseProto first(PlanAnswer.First answer, boolean contents) {
        PlanResponseProto.Builder proto = PlanResponseProto.newBuilder()
                .setDataset(true)
                .setStock(answer.plan().stock())
                .setGroup(answer.plan().group())
                .setRoot(answer.roots().get(0))
                .setReason(answer.reason())
                .setGeneration(answer.generation())
                .setDefinition(definition(answer))
                .setLeadRows(answer.plan().parts().get(0).leadRows());
        answer.plan().candidates().forEach(c -> proto.addCandidate(candidate(c)));
        answer.union().ifPresent(proto::setUnion);
        answer.asOf().ifPresent(proto::setAsOfSequence);
        if (answer.plan().isUnion()) {
            List<PlanPart> parts = answer.plan().parts();
            for (int part = 0; part < parts.size(); part++) {
                proto.addPart(part(parts.get(part), answer.roots().get(part)));
            }
        }
        proto.addAllUntracked(answer.untracked());
        FileTotals totals = answer.totals();
        if (totals != null) {
            proto.setDefaultFiles(totals.files())
                    .setDefaultBytes(totals.bytes())
                    .setDefaultFingerprint(totals.fingerprint());
        }
        if (answer.token() != null) {
            proto.setToken(answer.token());
        }
        return add(proto, answer.files(), contents).build();
    }

    /** The definition of the planned state, without what readers have no use for. */
    private static DatasetProto definition(PlanAnswer.First answer) {
        DatasetProto now = answer.dataset().without(answer.dataset().incomplete());
        DatasetProto.Builder planned = now.toBuilder().clearEarlier();
        if (answer.asOf().isPresent()) {
            EarlierColumns.at(ColumnWire.earlier(now), answer.asOf().getAsLong())
                    .ifPresent(shown -> planned.clearShown()
                            .addAllShown(ColumnWire.shown(
                                    new DatasetColumns(answer.dataset().schema(), shown))));
        }
        return planned.build();
    }

    private static PlanResponseProto.Builder add(
            PlanResponseProto.Builder proto, PlanAnswer.Files page, boolean contents) {
        page.parts().forEach(part -> part.files().forEach(file -> proto.addFile(file(part.number(), file, contents))));
        if (page.next() != FilePage.END) {
            proto.setNext(page.next());
        }
        if (page.nextPart() > 0) {
            proto.setNextPart(page.nextPart());
        }
        return proto;
    }

    private static PlanPartProto part(PlanPart part, String root) {
        return PlanPartProto.newBuilder()
                .setGroup(part.group())
                .setRoot(root)
                .setSegments(part.segmentCount())
                .setLeadRows(part.leadRows())
                .build();
    }

    private static CandidateProto candidate(Candidate c) {
        CandidateProto.Builder candidate = CandidateProto.newBuilder()
                .setGroup(c.group())
                .setFiles(c.files())
                .setBytes(c.bytes())
                .setCostMs(c.costMs())
                .setAtLeast(c.atLeast());
        if (c.elsewhere() > 0) {
            candidate.setElsewhere(c.elsewhere());
        }
        if (c.excluded() != null) {
            candidate.setExcluded(c.excluded());
        }
        return candidate.build();
    }

    private static PlannedFileProto file(int part, LocatedFile located, boolean contents) {
        PlannedFileProto.Builder proto = PlannedFileProto.newBuilder()
                .setPath(located.file().path())
                .setLength(located.file().length())
                .setModificationTime(located.file().modificationTime())
                .setFileId(located.file().fileId())
                .setRows(located.file().statistics().rows());
        located.blocks()
                .forEach(block -> proto.addBlock(BlockProto.newBuilder()
                        .setOffset(block.offset())
                        .setLength(block.length())
                        .addAllHost(block.hosts())));
        if (part > 0) {
            proto.setPart(part);
        }
        if (contents) {
            proto.setContent(Wire.content(located.file().statistics().content()));
        }
        located.file().statistics().columns().forEach((name, column) -> proto.addColumn(Wire.column(name, column)));
        return proto.build();
    }
}
