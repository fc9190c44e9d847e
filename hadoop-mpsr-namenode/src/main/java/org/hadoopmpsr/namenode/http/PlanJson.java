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
package org.hadoopmpsr.namenode.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.client.proto.MpsrProtos.CandidateProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanPartProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.jspecify.annotations.Nullable;

/** A page of a plan as JSON. */
final class PlanJson {

    private PlanJson() {}

    /** @param page the page that was asked for; null for the first one */
    static void write(JsonGenerator json, PlanBody asked, PlanResponseProto answer) throws IOException {
        json.writeStartObject();
        PageToken first = asked.page();
        if (first == null) {
            first = PageToken.of(answer, directories(answer));
            head(json, asked.request().getPath(), answer, first);
        }
        json.writeArrayFieldStart("files");
        for (PlannedFileProto file : answer.getFileList()) {
            file(json, file, first);
        }
        json.writeEndArray();
        json.writeStringField("nextPage", PageToken.next(answer, first));
        json.writeEndObject();
    }

    private static void head(JsonGenerator json, String path, PlanResponseProto plan, PageToken first)
            throws IOException {
        json.writeStringField("path", path);
        json.writeBooleanField("stock", plan.getStock());
        json.writeStringField("group", plan.getGroup());
        json.writeStringField("reason", plan.getReason());
        json.writeStringField("defaultGroup", plan.getDefinition().getDefaultGroup());
        if (plan.hasAsOfSequence()) {
            json.writeNumberField("asOf", plan.getAsOfSequence());
        } else {
            json.writeNullField("asOf");
        }
        DatasetJson.columns(json, plan.getDefinition());
        json.writeArrayFieldStart("parts");
        for (PlanPartProto part : plan.getPartList()) {
            part(json, part.getGroup(), part.getRoot());
        }
        if (plan.getPartCount() == 0) {
            part(json, plan.getGroup(), plan.getRoot());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("candidates");
        for (CandidateProto candidate : plan.getCandidateList()) {
            candidate(json, candidate);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("untracked");
        int fields = directories(plan, plan.getDefinition().getDefaultGroup());
        for (String file : plan.getUntrackedList()) {
            json.writeStartObject();
            json.writeStringField("path", file);
            partition(json, fields, file);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void part(JsonGenerator json, String group, String root) throws IOException {
        json.writeStartObject();
        json.writeStringField("group", group);
        json.writeStringField("root", root);
        json.writeEndObject();
    }

    private static void candidate(JsonGenerator json, CandidateProto candidate) throws IOException {
        json.writeStartObject();
        json.writeStringField("group", candidate.getGroup());
        json.writeNumberField("files", candidate.getFiles());
        json.writeNumberField("bytes", candidate.getBytes());
        json.writeNumberField("costMs", candidate.getCostMs());
        json.writeBooleanField("atLeast", candidate.getAtLeast());
        json.writeNumberField("elsewhere", candidate.getElsewhere());
        json.writeStringField("excluded", candidate.hasExcluded() ? candidate.getExcluded() : null);
        json.writeEndObject();
    }

    private static void file(JsonGenerator json, PlannedFileProto file, PageToken first) throws IOException {
        json.writeStartObject();
        json.writeStringField("path", file.getPath());
        json.writeNumberField("length", file.getLength());
        json.writeNumberField("modificationTime", file.getModificationTime());
        json.writeNumberField("records", file.getRows());
        json.writeNumberField("part", file.getPart());
        partition(json, first.directories(file.getPart()), file.getPath());
        json.writeEndObject();
    }

    /** What the directories of a file say; null if they are not as readers expect them. */
    private static void partition(JsonGenerator json, int fields, String file) throws IOException {
        Optional<Map<String, @Nullable String>> texts = PartitionPath.texts(fields, file);
        if (texts.isEmpty()) {
            json.writeNullField("partition");
            return;
        }
        json.writeObjectFieldStart("partition");
        for (Map.Entry<String, @Nullable String> text : texts.get().entrySet()) {
            json.writeStringField(text.getKey(), text.getValue());
        }
        json.writeEndObject();
    }

    /** For each part, how many directories name values that its files lack. */
    private static String directories(PlanResponseProto plan) {
        List<String> groups = plan.getPartCount() == 0
                ? List.of(plan.getGroup())
                : plan.getPartList().stream().map(PlanPartProto::getGroup).toList();
        StringBuilder digits = new StringBuilder();
        groups.forEach(group -> digits.append(Character.forDigit(directories(plan, group), Character.MAX_RADIX)));
        return digits.toString();
    }

    private static int directories(PlanResponseProto plan, String group) {
        return group.equals(plan.getDefinition().getDefaultGroup())
                ? plan.getDefinition().getGroupList().stream()
                        .filter(g -> g.getName().equals(group))
                        .mapToInt(g -> g.getPredicateCount())
                        .findFirst()
                        .orElse(0)
                : 0;
    }
}
