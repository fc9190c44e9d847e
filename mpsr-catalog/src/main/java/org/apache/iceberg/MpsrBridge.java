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
package org.apache.iceberg;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.encryption.PlaintextEncryptionManager;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.jspecify.annotations.Nullable;

/** Makes what only classes of this package make: a catalog that keeps no tables has them from elsewhere. */
public final class MpsrBridge {
    private MpsrBridge() {}

    /** A partition spec whose fields have the ids from a number on. */
    public static PartitionSpec withFieldIds(PartitionSpec spec, int firstId) {
        PartitionSpec.Builder builder = PartitionSpec.builderFor(spec.schema()).withSpecId(spec.specId());
        int id = firstId;
        for (PartitionField field : spec.fields()) {
            builder.add(field.sourceId(), id++, field.name(), field.transform());
        }
        return builder.build();
    }

    /** A snapshot of a table whose files a server names. */
    public static Snapshot snapshot(
            long sequenceNumber,
            long id,
            @Nullable Long parent,
            long timestampMillis,
            String operation,
            Map<String, String> summary,
            int schemaId,
            String manifestList) {
        return new BaseSnapshot(
                sequenceNumber,
                id,
                parent,
                timestampMillis,
                operation,
                summary,
                schemaId,
                manifestList,
                null,
                null,
                null);
    }

    /**
     * A table without snapshots with these instead, of which the last one is the present state. The table's log, by which clients find the
     * snapshot of a time, has each of them: that of a builder would have the last one alone.
     *
     * @param snapshots in their order, of which there is at least one
     */
    public static TableMetadata withSnapshots(TableMetadata metadata, List<Snapshot> snapshots) {
        TableMetadata.Builder builder = TableMetadata.buildFrom(metadata);
        List<HistoryEntry> log = new ArrayList<>();
        for (Snapshot snapshot : snapshots) {
            builder.addSnapshot(snapshot);
            log.add(new TableMetadata.SnapshotLogEntry(snapshot.timestampMillis(), snapshot.snapshotId()));
        }
        Snapshot present = snapshots.get(snapshots.size() - 1);
        TableMetadata all = builder.setBranchSnapshot(present.snapshotId(), SnapshotRef.MAIN_BRANCH)
                .discardChanges()
                .build();
        return new TableMetadata(
                all.metadataFileLocation(),
                all.formatVersion(),
                all.uuid(),
                all.location(),
                all.lastSequenceNumber(),
                all.lastUpdatedMillis(),
                all.lastColumnId(),
                all.currentSchemaId(),
                all.schemas(),
                all.defaultSpecId(),
                all.specs(),
                all.lastAssignedPartitionId(),
                all.defaultSortOrderId(),
                all.sortOrders(),
                all.properties(),
                present.snapshotId(),
                all.snapshots(),
                null,
                log,
                all.previousFiles(),
                all.refs(),
                all.statisticsFiles(),
                all.partitionStatisticsFiles(),
                all.nextRowId(),
                all.encryptionKeys(),
                List.of());
    }

    /** Writes the list of a snapshot's manifests. */
    public static void writeManifestList(
            int formatVersion,
            OutputFile out,
            long snapshot,
            @Nullable Long parent,
            long sequenceNumber,
            List<ManifestFile> manifests)
            throws IOException {
        try (ManifestListWriter writer = ManifestLists.write(
                formatVersion, out, PlaintextEncryptionManager.instance(), snapshot, parent, sequenceNumber, null)) {
            writer.addAll(manifests);
        }
    }

    /** Reads the list of a snapshot's manifests. */
    public static List<ManifestFile> readManifestList(InputFile file) {
        return ManifestLists.read(file);
    }

    /**
     * What a manifest says of a file.
     *
     * @param isAdded false for one that was there before, or that is deleted
     */
    public record Entry(DataFile file, boolean isAdded) {}

    /** All entries of a manifest of data files, those of deleted files included. */
    public static CloseableIterable<Entry> entries(ManifestReader<DataFile> manifest) {
        return CloseableIterable.transform(
                manifest.entries(),
                entry -> new Entry(entry.file().copyWithoutStats(), entry.status() == ManifestEntry.Status.ADDED));
    }
}
