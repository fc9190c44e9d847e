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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    private final DatasetTable table;
    private final String location;
    private final History history;

    private TableDescription(DatasetTable table, String location, History history) {
        this.table = table;
        this.location = location;
        this.history = history;
    }

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
        new TableDescription(table, location, history).addSnapshots(builder);
        return builder.discardChanges().build();
    }

    private void addSnapshots(TableMetadata.Builder builder) {
        Map<Long, Snapshot> known = new TreeMap<>();
        history.tags().stream()
                .filter(tag -> tag.sequence() == 0) // the state before the first change that is counted
                .findFirst()
                .ifPresent(tag -> known.put(0L, snapshot(0, 0, null, tag.timeMs(), "append", Map.of())));
        Long parent = known.isEmpty() ? null : 0L;
        List<History.Change> changes = history.changes().stream()
                .filter(History.Change::readable)
                .sorted(Comparator.comparingLong(History.Change::sequence))
                .toList();
        for (History.Change change : changes) {
            known.put(change.sequence(), snapshot(change, parent));
            parent = change.sequence();
        }
        known.values().forEach(builder::addSnapshot);
        long last = history.last();
        if (last == 0 || !known.containsKey(last)) {
            last = SnapshotIds.present(last, table.dataset().changes().segments());
            builder.addSnapshot(
                    snapshot(history.last() + 1, last, null, System.currentTimeMillis(), "append", Map.of()));
        }
        builder.setBranchSnapshot(last, SnapshotRef.MAIN_BRANCH);
        for (Tag tag : history.tags()) {
            if (known.containsKey(tag.sequence())) {
                builder.setRef(
                        tag.name(), SnapshotRef.tagBuilder(tag.sequence()).build());
            }
        }
    }

    private Snapshot snapshot(History.Change change, @Nullable Long parent) {
        String operation =
                change.removedSegments() == 0 ? "append" : change.addedSegments() == 0 ? "delete" : "overwrite";
        Map<String, String> summary = Map.of(
                "added-records", Long.toString(change.addedRecords()),
                "deleted-records", Long.toString(change.removedRecords()));
        return snapshot(change.sequence(), change.sequence(), parent, change.timeMs(), operation, summary);
    }

    private Snapshot snapshot(
            long sequence, long id, @Nullable Long parent, long timeMs, String operation, Map<String, String> summary) {
        return MpsrBridge.snapshot(
                sequence, id, parent, timeMs, operation, summary, table.schema().schemaId(), location + NO_MANIFESTS);
    }

    private static Map<String, String> properties(DatasetTable table) {
        return Map.of(
                TableProperties.DEFAULT_NAME_MAPPING,
                NameMappingParser.toJson(table.mapping()),
                "mpsr.groups",
                String.join(",", table.dataset().groups().names()));
    }

    /** That of a table is always of the same dataset. */
    private static UUID uuid(String datasetId) {
        return UUID.nameUUIDFromBytes(datasetId.getBytes(StandardCharsets.UTF_8));
    }
}
