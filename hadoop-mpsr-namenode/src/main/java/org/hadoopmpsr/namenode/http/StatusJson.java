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
import org.hadoopmpsr.client.proto.MpsrProtos.CounterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ProblemProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;

/** The state of MPSR as JSON. */
final class StatusJson {

    private StatusJson() {}

    static void write(JsonGenerator json, StatusResponseProto status) throws IOException {
        json.writeStartObject();
        json.writeStringField("state", status.getState());
        json.writeStringField("version", status.getVersion());
        json.writeStringField("storeDir", status.getStoreDir());
        json.writeNumberField("datasets", status.getDatasets());
        json.writeStringField("defaultGroup", status.hasDefaultGroup() ? status.getDefaultGroup() : null);
        json.writeArrayFieldStart("problems");
        for (ProblemProto problem : status.getProblemList()) {
            json.writeStartObject();
            json.writeStringField("key", problem.getKey());
            json.writeStringField("value", problem.getValue());
            json.writeStringField("cause", problem.getCause());
            json.writeStringField("fix", problem.getFix());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("warnings");
        for (String warning : status.getWarningList()) {
            json.writeString(warning);
        }
        json.writeEndArray();
        groups(json, status);
        redundancy(json, status);
        json.writeObjectFieldStart("counters");
        for (CounterProto counter : status.getCounterList()) {
            json.writeNumberField(counter.getName(), counter.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void groups(JsonGenerator json, StatusResponseProto status) throws IOException {
        json.writeArrayFieldStart("groups");
        for (GroupStatusProto group : status.getGroupList()) {
            json.writeStartObject();
            json.writeStringField("name", group.getGroup().getName());
            json.writeNumberField("files", group.getFiles());
            json.writeNumberField("records", group.getRecords());
            json.writeNumberField("bytes", group.getBytes());
            json.writeNumberField("degradedFiles", group.getDegradedFiles());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nodes");
        for (NodeProto node : status.getNodeList()) {
            json.writeStartObject();
            json.writeStringField("uuid", node.getUuid());
            json.writeStringField("host", node.getHost());
            json.writeStringField("rack", node.getRack());
            json.writeStringField("group", node.hasGroup() ? node.getGroup() : null);
            json.writeStringField("drainingTo", node.hasDrainingTo() ? node.getDrainingTo() : null);
            json.writeBooleanField("alive", node.getAlive());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void redundancy(JsonGenerator json, StatusResponseProto status) throws IOException {
        json.writeArrayFieldStart("redundancy");
        for (DatasetRedundancyProto dataset : status.getRedundancyList()) {
            json.writeStartObject();
            json.writeStringField("path", dataset.getPath());
            json.writeArrayFieldStart("copies");
            for (RedundancyProto copies : dataset.getRedundancyList()) {
                json.writeStartObject();
                json.writeNumberField("copies", copies.getCopies());
                json.writeNumberField("records", copies.getRecords());
                json.writeNumberField("bytes", copies.getBytes());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
