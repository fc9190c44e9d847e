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
package org.hadoopmpsr.client.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.cli.common.ColumnsView;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.maintain.MaintenanceText;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.schema.ColumnName;
import org.jspecify.annotations.Nullable;

/** Datasets as JSON and as text. Numbers that the caller is not told are null, or a dash. */
final class DatasetView {

    private DatasetView() {}

    static Map<String, Object> json(Dataset dataset) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", dataset.path());
        json.put("id", dataset.id());
        json.put("schema", dataset.schema().ddl());
        json.put("columns", ColumnsView.json(dataset.columns()));
        json.put("keys", dataset.keys());
        json.put("defaultGroup", dataset.groups().defaultName());
        json.put("records", told(dataset, records(dataset)));
        Map<String, Object> groups = new LinkedHashMap<>();
        for (Dataset.Representation r : dataset.representations()) {
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("root", r.root());
            group.put("files", told(dataset, r.files()));
            group.put("records", told(dataset, r.content().count()));
            group.put("bytes", told(dataset, r.bytes()));
            group.put("contentHash", told(dataset, r.content().hex()));
            group.put("unusable", r.unusable());
            groups.put(r.group(), group);
        }
        json.put("groups", groups);
        List<Object> offsets = new ArrayList<>();
        for (CommittedOffset o : dataset.offsets()) {
            Map<String, Object> offset = new LinkedHashMap<>();
            offset.put("topic", o.topic());
            offset.put("partition", o.partition());
            offset.put("end", o.end());
            offset.put("commitId", o.commitId());
            offsets.add(offset);
        }
        json.put("offsets", offsets);
        Map<String, Object> store = new LinkedHashMap<>();
        store.put("names", told(dataset, dataset.store().names()));
        store.put("space", told(dataset, dataset.store().space()));
        json.put("store", store);
        Map<String, Object> changes = new LinkedHashMap<>();
        changes.put("sequence", told(dataset, dataset.changes().sequence()));
        changes.put("segments", told(dataset, dataset.changes().segments()));
        changes.put("replacedFiles", told(dataset, dataset.changes().replacedFiles()));
        changes.put("replacedBytes", told(dataset, dataset.changes().replacedBytes()));
        json.put("changes", changes);
        json.put(
                "maintenance",
                told(
                        dataset,
                        dataset.maintenance().stream()
                                .map(MaintenanceText::json)
                                .toList()));
        json.put("health", health(dataset));
        return json;
    }

    static void print(Output out, Dataset dataset) {
        out.line("Dataset:  " + dataset.path() + " (" + dataset.id() + ")");
        out.line("Schema:   " + dataset.columns().text());
        if (!dataset.keys().isEmpty()) {
            out.line("Keys:     " + ColumnName.list(dataset.keys())
                    + "; compaction keeps one record of each key, of the last commit");
        }
        if (dataset.store().names() > 0) {
            out.line("Store:    " + dataset.store().names() + " files and directories, "
                    + dataset.store().space()
                    + " bytes in all copies; the quotas of the dataset directory hold for them too");
        }
        Dataset.Changes changes = dataset.changes();
        if (changes.sequence() > 0) {
            out.line("Segments: " + changes.segments() + " after " + changes.sequence() + " changes; "
                    + changes.replacedFiles() + " replaced files with " + changes.replacedBytes()
                    + " bytes in all copies are deleted later");
        }
        dataset.maintenance().forEach(run -> out.line("Run:      " + MaintenanceText.of(run)));
        out.line("Health:   " + health(dataset));
        out.line("");
        Table groups = new Table("GROUP", "FILES", "RECORDS", "BYTES", "CONTENT HASH", "ROOT");
        for (Dataset.Representation r : dataset.representations()) {
            groups.row(
                    r.group(),
                    shown(dataset, r.files()),
                    shown(dataset, r.content().count()),
                    shown(dataset, r.bytes()),
                    shown(dataset, r.content().hex()),
                    r.root());
        }
        out.table(groups);
        out.line("");
        Table offsets = new Table("TOPIC", "PARTITION", "COMMITTED END");
        dataset.offsets().forEach(o -> offsets.row(o.topic(), o.partition(), o.end()));
        out.table(offsets);
    }

    static Table table(List<Dataset> datasets) {
        Table table = new Table("DATASET", "RECORDS", "BYTES", "HEALTH", "ID");
        for (Dataset d : datasets) {
            long bytes = d.representations().stream()
                    .mapToLong(Dataset.Representation::bytes)
                    .sum();
            table.row(d.path(), shown(d, records(d)), shown(d, bytes), health(d), d.id());
        }
        return table;
    }

    /** The records of the default representation, which is the truth. */
    private static long records(Dataset dataset) {
        return dataset.representations().stream()
                .filter(r -> r.group().equals(dataset.groups().defaultName()))
                .mapToLong(r -> r.content().count())
                .sum();
    }

    private static @Nullable Object told(Dataset dataset, Object number) {
        return dataset.untold() == null ? number : null;
    }

    private static Object shown(Dataset dataset, Object number) {
        return dataset.untold() == null ? number : "-";
    }

    private static String health(Dataset dataset) {
        if (dataset.untold() != null) {
            return dataset.untold();
        }
        String unusable = dataset.representations().stream()
                .filter(r -> r.unusable() != null)
                .map(r -> r.group() + ": " + r.unusable())
                .collect(Collectors.joining("; "));
        return unusable.isEmpty() ? "ok" : unusable;
    }
}
