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
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RepresentationProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.ShownColumn;
import org.jspecify.annotations.Nullable;

/** Datasets as JSON. Numbers that the caller is not told are null. */
final class DatasetJson {

    private DatasetJson() {}

    /** Those of a page that are at or below a path; with the path after which the next page begins, or null. */
    static void list(JsonGenerator json, List<DatasetInfoProto> datasets, @Nullable String next) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("datasets");
        for (DatasetInfoProto dataset : datasets) {
            write(json, dataset);
        }
        json.writeEndArray();
        json.writeStringField("next", next);
        json.writeEndObject();
    }

    /** The datasets of a page at or below a path. */
    static List<DatasetInfoProto> below(ListDatasetsResponseProto page, String path) {
        return page.getDatasetList().stream()
                .filter(dataset -> isBelow(dataset.getPath(), path))
                .toList();
    }

    private static boolean isBelow(String path, String directory) {
        return directory.equals("/") || path.equals(directory) || path.startsWith(directory + "/");
    }

    static void write(JsonGenerator json, DatasetInfoProto info) throws IOException {
        DatasetProto definition = info.getDataset();
        boolean told = !info.hasUntold();
        json.writeStartObject();
        json.writeStringField("path", info.getPath());
        json.writeStringField("id", definition.getId());
        json.writeStringField("schema", definition.getSchema());
        columns(json, definition);
        json.writeArrayFieldStart("keys");
        for (String key : definition.getKeyList()) {
            json.writeString(key);
        }
        json.writeEndArray();
        json.writeStringField("defaultGroup", definition.getDefaultGroup());
        json.writeBooleanField("mixedFiles", definition.getMixedFiles());
        number(json, "sequence", told && info.hasSequence(), info.getSequence());
        number(json, "segments", told, info.getSegments());
        json.writeStringField("untold", told ? null : info.getUntold());
        json.writeArrayFieldStart("groups");
        for (GroupProto group : definition.getGroupList()) {
            RepresentationProto files = info.getRepresentationList().stream()
                    .filter(r -> r.getGroup().equals(group.getName()))
                    .findFirst()
                    .orElse(null);
            group(json, group, files, told);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The columns that readers see, and those that only directories of the default group have. */
    static void columns(JsonGenerator json, DatasetProto definition) throws IOException {
        DatasetColumns columns = ColumnWire.columns(definition);
        json.writeArrayFieldStart("columns");
        for (ShownColumn shown : columns.shown().columns()) {
            Column stored = columns.stored().find(shown.stored()).orElse(null);
            if (stored != null) {
                json.writeStartObject();
                json.writeStringField("name", shown.name());
                json.writeStringField("stored", stored.name());
                json.writeStringField("type", stored.type().ddl());
                json.writeBooleanField("nullable", stored.nullable());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("directoryColumns");
        for (Column field : Dataset.groups(definition).defaultGroup().partitionFields(columns.stored())) {
            json.writeStartObject();
            json.writeStringField("name", field.name());
            json.writeStringField("type", field.type().ddl());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void group(JsonGenerator json, GroupProto group, @Nullable RepresentationProto files, boolean told)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("name", group.getName());
        json.writeArrayFieldStart("predicates");
        for (String predicate : group.getPredicateList()) {
            json.writeString(predicate);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("sort");
        for (String column : group.getSortList()) {
            json.writeString(column);
        }
        json.writeEndArray();
        json.writeNumberField("replication", group.getReplication());
        json.writeStringField(
                "codec", ColumnTransforms.recordedCodecs(group.getCodec()).text());
        json.writeArrayFieldStart("transforms");
        for (String transform : ColumnTransforms.ofRecorded(group.getCodec()).texts()) {
            json.writeString(transform);
        }
        json.writeEndArray();
        json.writeBooleanField("incomplete", group.getIncomplete());
        json.writeStringField("root", files == null ? null : files.getRoot());
        boolean counted = told && files != null;
        number(json, "files", counted, files == null ? 0 : files.getFiles());
        number(json, "bytes", counted, files == null ? 0 : files.getBytes());
        ContentHashes content =
                files == null ? ContentHashes.EMPTY : Wire.contents(files.getContent(), files.getMoreContentList());
        number(json, "records", counted, content.count());
        json.writeStringField("contentHash", counted ? content.hex() : null);
        json.writeStringField("unusable", files != null && files.hasUnusable() ? files.getUnusable() : null);
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, boolean told, long value) throws IOException {
        if (told) {
            json.writeNumberField(name, value);
        } else {
            json.writeNullField(name);
        }
    }
}
