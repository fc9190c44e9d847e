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
package org.hadoopmpsr.catalog.table;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.MpsrBridge;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.NameMappingParser;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.history.Tag;
import org.jspecify.annotations.Nullable;

/** The metadata of a table: that of a dataset and of its changes, each of which is a snapshot with the number of the change. */
public final class TableDescription {
    private static final int FORMAT_VERSION = 2;

    /** What clients would read that plan by themselves. */
    private static final String NO_MANIFESTS = "/.mpsr-plans-on-the-server";

    private TableDescription() {}

    /**
     * Describes a table.
     *
     * @param location the URI of the dataset directory
     * @param history the changes that can be read, in any order
     */
    public static TableMetadata of(DatasetTable table, String location, History history) {
        TableMetadata.Builder builder = TableMetadata.buildFromEmpty(FORMAT_VERSION)
                .assignUUID(uuid(table.dataset().id()).toString())
                .setLocation(location)
                .addSchema(table.schema())
                .setCurrentSchema(table.schema().schemaId())
                .setProperties(properties(table));
        Map<Integer, PartitionSpec> specs = table.specsById();
        for (int id = 0; id < specs.size(); id++) {
            builder.addPartitionSpec(specs.get(id));
        }
        String defaultGroup = table.dataset().groups().defaultName();
        builder.setDefaultPartitionSpec(
                table.spec(defaultGroup).orElseThrow().spec().specId());
        builder.addSortOrder(SortOrder.unsorted())
                .setDefaultSortOrder(SortOrder.unsorted().orderId());
        addSnapshots(builder, table, location, history);
        return builder.discardChanges().build();
    }

    private static void addSnapshots(
            TableMetadata.Builder builder, DatasetTable table, String location, History history) {
        Set<Long> known = new HashSet<>();
        List<History.Change> changes = history.changes().stream()
                .filter(History.Change::readable)
                .sorted(Comparator.comparingLong(History.Change::sequence))
                .toList();
        Long parent = null;
        if (history.tags().stream()
                .anyMatch(tag -> tag.sequence() == 0)) { // the state before the first change that is counted
            builder.addSnapshot(MpsrBridge.snapshot(
                    0,
                    0,
                    null,
                    history.tags().get(0).timeMs(),
                    "append",
                    Map.of(),
                    table.schema().schemaId(),
                    location + NO_MANIFESTS));
            parent = 0L;
            known.add(0L);
        }
        for (History.Change change : changes) {
            builder.addSnapshot(snapshot(change, parent, table, location));
            parent = change.sequence();
            known.add(change.sequence());
        }
        long last = history.last();
        if (last == 0 || !known.contains(last)) {
            last = SnapshotIds.present(last, table.dataset().changes().segments());
            builder.addSnapshot(MpsrBridge.snapshot(
                    history.last() + 1,
                    last,
                    null,
                    System.currentTimeMillis(),
                    "append",
                    Map.of(),
                    table.schema().schemaId(),
                    location + NO_MANIFESTS));
        }
        builder.setBranchSnapshot(last, SnapshotRef.MAIN_BRANCH);
        for (Tag tag : history.tags()) {
            if (known.contains(tag.sequence())) {
                builder.setRef(
                        tag.name(), SnapshotRef.tagBuilder(tag.sequence()).build());
            }
        }
    }

    private static Snapshot snapshot(
            History.Change change, @Nullable Long parent, DatasetTable table, String location) {
        String operation =
                change.removedSegments() == 0 ? "append" : change.addedSegments() == 0 ? "delete" : "overwrite";
        return MpsrBridge.snapshot(
                change.sequence(),
                change.sequence(),
                parent,
                change.timeMs(),
                operation,
                Map.of(
                        "added-records", Long.toString(change.addedRecords()),
                        "deleted-records", Long.toString(change.removedRecords())),
                table.schema().schemaId(),
                location + NO_MANIFESTS);
    }

    private static Map<String, String> properties(DatasetTable table) {
        return Map.of(
                TableProperties.DEFAULT_NAME_MAPPING,
                NameMappingParser.toJson(table.mapping()),
                "mpsr.groups",
                String.join(",", table.dataset().groups().names()));
    }

    /** The id of a dataset is a UUID, or text of an older version. */
    private static UUID uuid(String datasetId) {
        return UUID.nameUUIDFromBytes(datasetId.getBytes(StandardCharsets.UTF_8));
    }
}
