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

import java.util.List;
import java.util.stream.Stream;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.group.AlteredGroups;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as the NameNode describes it. Immutable.
 *
 * @param path the dataset directory, absolute, without scheme
 * @param id the dataset's id, which names the dataset's directory in the store
 * @param groups those that are complete
 * @param representations one for each group, also for those that are not complete, in the order of the groups
 * @param offsets the end of the committed offsets of each topic-partition
 * @param jumps the offsets that commits passed over, the last ones of each topic-partition; none from an older NameNode
 * @param store what the dataset takes in the store
 * @param untold why the caller is told no numbers of files, records and the store: all are 0 then, and no representation
 *     can be read. Offsets are told to writers only. Null if the caller is told, and from an older NameNode
 * @param changes the dataset's segments and changes
 * @param maintenance the last runs of maintenance, one for each task
 * @param keys the key columns: of records with equal ones, a rewrite keeps one, of the last segment; none if all
 *     records are kept
 * @param alterations the groups that are added, and are not complete yet
 * @param mixedFiles true if some files may lack columns of the schema, or have them with narrower types
 * @param shown the columns that readers with MPSR see
 * @param adoptionPaused true if nobody is to adopt files of ordinary writers
 */
public record Dataset(
        String path,
        String id,
        Schema schema,
        ReplicaGroups groups,
        List<Representation> representations,
        List<CommittedOffset> offsets,
        List<OffsetJump> jumps,
        StoreUse store,
        @Nullable String untold,
        Changes changes,
        List<MaintenanceRun> maintenance,
        List<String> keys,
        List<Alteration> alterations,
        boolean mixedFiles,
        ShownColumns shown,
        boolean adoptionPaused) {

    /**
     * A group that is not complete: commits write to it, and a rebuild writes what it lacks. Nobody reads it.
     *
     * @param replaces the name of the group that goes when this one is complete; null if none does
     */
    public record Alteration(ReplicaGroup group, @Nullable String replaces) {}

    /** All groups to which commits write, also those that are not complete. */
    public ReplicaGroups writtenGroups() {
        return new ReplicaGroups(
                Stream.concat(groups.groups().stream(), alterations.stream().map(Alteration::group))
                        .toList(),
                groups.defaultName());
    }

    /** A dataset whose commits passed over no offsets, and of which nobody says what it takes in the store. The caller is told. */
    public Dataset(
            String path,
            String id,
            Schema schema,
            ReplicaGroups groups,
            List<Representation> representations,
            List<CommittedOffset> offsets) {
        this(
                path,
                id,
                schema,
                groups,
                representations,
                offsets,
                List.of(),
                new StoreUse(0, 0),
                null,
                new Changes(0, 0, 0, 0),
                List.of(),
                List.of(),
                List.of(),
                false);
    }

    /** A dataset whose columns are shown as they are stored, and whose files may be adopted. */
    public Dataset(
            String path,
            String id,
            Schema schema,
            ReplicaGroups groups,
            List<Representation> representations,
            List<CommittedOffset> offsets,
            List<OffsetJump> jumps,
            StoreUse store,
            @Nullable String untold,
            Changes changes,
            List<MaintenanceRun> maintenance,
            List<String> keys,
            List<Alteration> alterations,
            boolean mixedFiles) {
        this(
                path,
                id,
                schema,
                groups,
                representations,
                offsets,
                jumps,
                store,
                untold,
                changes,
                maintenance,
                keys,
                alterations,
                mixedFiles,
                ShownColumns.of(schema),
                false);
    }

    /** The columns, as they are stored and as they are shown. */
    public DatasetColumns columns() {
        return new DatasetColumns(schema, shown);
    }

    /**
     * What a dataset takes in the store, staged files among it. The quotas of the dataset directory, and of those above it,
     * hold for this too; HDFS does not show it there.
     *
     * @param names files and directories; 0 if they are not counted, as those of a dataset that an older version made
     * @param space the bytes of all copies
     */
    public record StoreUse(long names, long space) {}

    /**
     * What changes have made of a dataset.
     *
     * @param sequence the number of the last change; 0 if the dataset does not count its changes
     * @param segments the number of current segments; 0 from an older NameNode
     * @param replacedFiles the files that rewrites have replaced and that are not deleted yet
     * @param replacedBytes the bytes of all their copies
     */
    public record Changes(long sequence, long segments, long replacedFiles, long replacedBytes) {}

    /**
     * What a purge has deleted.
     *
     * @param files the replaced files
     * @param bytes of all copies of their blocks
     * @param staged the changes that are begun and not published; they may have staged records that are not in the dataset any
     *     more
     */
    public record Purged(long files, long bytes, int staged) {}

    /**
     * The published files of a dataset in one group.
     *
     * @param root the directory of the files, absolute, without scheme
     * @param bytes the sum of the files' lengths; each file counts once
     * @param unusable the reason why the files cannot be read, or null if they can
     */
    public record Representation(
            String group,
            String root,
            long files,
            long bytes,
            ContentHashes content,
            @Nullable String unusable) {}

    static Dataset of(DatasetInfoProto proto) {
        DatasetProto definition = proto.getDataset();
        DatasetColumns columns = ColumnWire.columns(definition);
        List<GroupProto> incomplete = definition.getGroupList().stream()
                .filter(GroupProto::getIncomplete)
                .toList();
        return new Dataset(
                proto.getPath(),
                definition.getId(),
                columns.stored(),
                AlteredGroups.without(
                        groups(definition),
                        incomplete.stream().map(GroupProto::getName).toList()),
                proto.getRepresentationList().stream()
                        .map(r -> new Representation(
                                r.getGroup(),
                                r.getRoot(),
                                r.getFiles(),
                                r.getBytes(),
                                Wire.contents(r.getContent(), r.getMoreContentList()),
                                r.hasUnusable() ? r.getUnusable() : null))
                        .toList(),
                proto.getOffsetList().stream().map(Wire::offset).toList(),
                proto.getJumpList().stream().map(Wire::jump).toList(),
                new StoreUse(proto.getStoreNames(), proto.getStoreSpace()),
                proto.hasUntold() ? proto.getUntold() : null,
                new Changes(
                        proto.getSequence(), proto.getSegments(), proto.getReplacedFiles(), proto.getReplacedBytes()),
                MaintenanceWire.runs(proto.getMaintenanceList()),
                List.copyOf(definition.getKeyList()),
                incomplete.stream()
                        .map(group ->
                                new Alteration(Wire.group(group), group.hasReplaces() ? group.getReplaces() : null))
                        .toList(),
                definition.getMixedFiles(),
                columns.shown(),
                definition.getAdoptionPaused());
    }

    /** The groups in a dataset's definition, also those that are not complete. */
    public static ReplicaGroups groups(DatasetProto definition) {
        return new ReplicaGroups(
                definition.getGroupList().stream().map(Wire::group).toList(), definition.getDefaultGroup());
    }
}
