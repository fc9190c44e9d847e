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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.proto.MpsrProtos.CandidateProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanPartProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.stats.FileTotals;

/** Reads plans from messages. */
final class PlanWire {

    private PlanWire() {}

    /** The files of the parts of a plan, which arrive page by page. */
    static final class Files {
        private final List<List<ReadPlan.PlannedFile>> byPart = new ArrayList<>();
        private final Map<String, String> hosts = new HashMap<>(); // plans are kept, and have few hosts

        /** @param first the first page */
        Files(PlanResponseProto first) throws IOException {
            for (int part = Math.max(1, first.getPartCount()); part > 0; part--) {
                byPart.add(new ArrayList<>());
            }
            add(first);
        }

        void add(PlanResponseProto page) throws IOException {
            for (PlannedFileProto file : page.getFileList()) {
                if (file.getPart() < 0 || file.getPart() >= byPart.size()) {
                    throw new IOException("the NameNode planned a file of part " + file.getPart() + " of a plan of "
                            + byPart.size() + " parts");
                }
                byPart.get(file.getPart()).add(file(file, hosts));
            }
        }
    }

    /**
     * Reads a plan.
     *
     * @param first the first page
     * @param files the files of all pages
     */
    static ReadPlan plan(PlanResponseProto first, Files files) {
        DatasetColumns columns = ColumnWire.columns(first.getDefinition());
        return new ReadPlan(
                first.getStock(),
                parts(first, files),
                first.getCandidateList().stream().map(PlanWire::candidate).toList(),
                first.getReason(),
                first.getGeneration(),
                first.hasDefaultFingerprint()
                        ? new FileTotals(
                                first.getDefaultFiles(), first.getDefaultBytes(), first.getDefaultFingerprint())
                        : null,
                columns.stored(),
                Dataset.groups(first.getDefinition()),
                first.getUntrackedList(),
                columns.shown());
    }

    private static List<ReadPlan.Part> parts(PlanResponseProto first, Files files) {
        List<ReadPlan.Part> parts = new ArrayList<>();
        for (PlanPartProto part : first.getPartList()) {
            parts.add(new ReadPlan.Part(
                    part.getGroup(),
                    part.getRoot(),
                    part.getSegments(),
                    Collections.unmodifiableList(files.byPart.get(parts.size())),
                    part.getLeadRows()));
        }
        return parts.isEmpty()
                ? List.of(new ReadPlan.Part(
                        first.getGroup(),
                        first.getRoot(),
                        0,
                        Collections.unmodifiableList(files.byPart.get(0)),
                        first.getLeadRows()))
                : parts;
    }

    private static ReadPlan.PlannedFile file(PlannedFileProto f, Map<String, String> hosts) {
        return new ReadPlan.PlannedFile(
                f.getPath(),
                f.getLength(),
                f.getModificationTime(),
                f.getRows(),
                f.getBlockList().stream()
                        .map(b -> new ReadPlan.Block(b.getOffset(), b.getLength(), same(b.getHostList(), hosts)))
                        .toList(),
                Wire.columns(f.getColumnList()),
                f.hasContent() ? Wire.content(f.getContent()) : null,
                f.getFileId());
    }

    /** Replaces equal host names by one string each. */
    private static List<String> same(List<String> names, Map<String, String> hosts) {
        return names.stream().map(name -> hosts.computeIfAbsent(name, n -> n)).toList();
    }

    private static Candidate candidate(CandidateProto c) {
        return new Candidate(
                c.getGroup(),
                c.getFiles(),
                c.getBytes(),
                c.getCostMs(),
                c.getAtLeast(),
                c.getElsewhere(),
                c.hasExcluded() ? c.getExcluded() : null);
    }
}
