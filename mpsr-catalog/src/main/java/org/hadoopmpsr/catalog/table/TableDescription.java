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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongFunction;
import org.apache.iceberg.MpsrBridge;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.NameMappingParser;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.history.Tag;
import org.jspecify.annotations.Nullable;

/** The metadata of a table: that of a dataset and of its changes, each of which is a snapshot with the number of the change. */
public final class TableDescription {
    /** The version of Iceberg's format. */
    public static final int FORMAT_VERSION = 2;

    private final DatasetTable table;
    private final History history;
    private final LongFunction<String> manifestLists;

    private TableDescription(DatasetTable table, History history, LongFunction<String> manifestLists) {
        this.table = table;
        this.history = history;
        this.manifestLists = manifestLists;
    }

    /**
     * Describes a table.
     *
     * @param location the URI of the dataset directory
     * @param place where the caller's client may write
     * @param history the changes that can be read, in any order
     * @param manifestLists where clients that plan by themselves find the list of a snapshot
     */
    public static TableMetadata of(
            DatasetTable table,
            String location,
            WritePlace place,
            History history,
            LongFunction<String> manifestLists) {
        TableMetadata.Builder builder = TableMetadata.buildFromEmpty(FORMAT_VERSION)
                .assignUUID(uuid(table.dataset().id()).toString())
                .setLocation(location)
                .addSchema(table.schema())
                .setCurrentSchema(table.schema().schemaId())
                .setProperties(properties(table))
                .setProperties(place.properties());
        Map<Integer, PartitionSpec> specs = table.specsById();
        for (int id = 0; id < specs.size(); id++) {
            builder.addPartitionSpec(specs.get(id));
        }
        String defaultGroup = table.dataset().groups().defaultName();
        builder.setDefaultPartitionSpec(
                table.spec(defaultGroup).orElseThrow().spec().specId());
        builder.addSortOrder(SortOrder.unsorted())
                .setDefaultSortOrder(SortOrder.unsorted().orderId());
        TableMetadata described = new TableDescription(table, history, manifestLists)
                .withSnapshots(builder.discardChanges().build());
        return withLocation(described, place);
    }

    /** Clients take a table for the same while its metadata lies in the same place. Nothing is there to be read. */
    private static TableMetadata withLocation(TableMetadata metadata, WritePlace place) {
        UUID state = UUID.nameUUIDFromBytes(TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8));
        return TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(place.root() + "/metadata/" + state + ".metadata.json")
                .build();
    }

    private TableMetadata withSnapshots(TableMetadata metadata) {
        NavigableSet<Long> states = ReadableStates.of(history);
        Map<Long, Snapshot> known = new TreeMap<>();
        history.tags().stream()
                .filter(tag -> tag.sequence() == 0)
                .findFirst()
                .ifPresent(tag -> known.put(0L, snapshot(0, 0, null, tag.timeMs(), "append", Map.of())));
        history.changes().stream()
                .filter(History.Change::readable)
                .forEach(change -> known.put(change.sequence(), snapshot(change, states.lower(change.sequence()))));
        List<Snapshot> all = new ArrayList<>(known.values());
        long last = history.last();
        if (last == 0 || !known.containsKey(last)) {
            long present = SnapshotIds.present(last, table.dataset().changes().segments());
            long before = all.isEmpty()
                    ? metadata.lastUpdatedMillis()
                    : all.get(all.size() - 1).timestampMillis();
            long now = Math.max(System.currentTimeMillis(), before);
            all.add(snapshot(last + 1, present, null, now, "append", Map.of()));
        }
        return withTags(MpsrBridge.withSnapshots(metadata, all), known.keySet());
    }

    private TableMetadata withTags(TableMetadata metadata, Set<Long> known) {
        TableMetadata.Builder builder = TableMetadata.buildFrom(metadata);
        for (Tag tag : history.tags()) {
            if (known.contains(tag.sequence())) {
                builder.setRef(
                        tag.name(), SnapshotRef.tagBuilder(tag.sequence()).build());
            }
        }
        return builder.discardChanges().build();
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
                sequence, id, parent, timeMs, operation, summary, table.schema().schemaId(), manifestLists.apply(id));
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
