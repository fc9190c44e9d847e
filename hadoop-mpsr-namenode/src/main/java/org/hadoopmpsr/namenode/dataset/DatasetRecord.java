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
package org.hadoopmpsr.namenode.dataset;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.core.group.AlteredGroups;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as the namespace records it. Immutable.
 *
 * @param path the present path of the dataset directory
 * @param inodeId the inode id of the dataset directory, which a rename does not change
 * @param groups all groups, or those that are complete ({@link #whole})
 */
public record DatasetRecord(String path, long inodeId, DatasetProto definition, Schema schema, ReplicaGroups groups) {

    public static DatasetRecord of(String path, long inodeId, DatasetProto definition) {
        return new DatasetRecord(
                path, inodeId, definition, Schema.parse(definition.getSchema()), Dataset.groups(definition));
    }

    /** The columns, as they are stored and as they are shown. */
    public DatasetColumns columns() {
        return new DatasetColumns(schema, ColumnWire.shown(schema, definition.getShownList()));
    }

    public String id() {
        return definition.getId();
    }

    /** The definition in the bytes of its stored form. */
    public byte[] storedDefinition() {
        return definition.toByteArray();
    }

    /** The key columns: of records with equal ones, a rewrite keeps one; none if all records are kept. */
    public List<String> keys() {
        return definition.getKeyList();
    }

    public String defaultGroup() {
        return groups.defaultName();
    }

    /**
     * Checks that this is the dataset that a caller knows.
     *
     * @param expected the id of that one; null for any
     * @throws IOException if it is another one
     */
    public void checkId(@Nullable String expected) throws IOException {
        if (expected != null && !id().equals(expected)) {
            throw new IOException("the dataset at " + path + " is another one (" + id() + ") than the caller knows ("
                    + expected + "); look at it again first");
        }
    }

    /** The names of the groups of which some segments are still to be written. Nobody reads them. */
    public Set<String> incomplete() {
        return definition.getGroupList().stream()
                .filter(GroupProto::getIncomplete)
                .map(GroupProto::getName)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** True if a stored definition has the groups of this one. */
    public boolean hasGroupsOf(byte[] stored) throws UnreadableRecordException {
        return StoredRecords.dataset(stored, path).getGroupList().equals(definition.getGroupList());
    }

    /** True if this dataset has the groups and columns that another state of it has. */
    boolean isLike(DatasetRecord other) {
        return definition.getGroupList().equals(other.definition.getGroupList()) && schema.equals(other.schema);
    }

    /** Whether a group is no copy of the records, because a column has rounded values in it. */
    public boolean isLossy(String group) {
        return groups.find(group).filter(ReplicaGroup::isLossy).isPresent();
    }

    /** This as readers and changes that replace segments see it: without incomplete groups, but with all of the definition. */
    public DatasetRecord whole() {
        Set<String> incomplete = incomplete();
        return incomplete.isEmpty()
                ? this
                : new DatasetRecord(path, inodeId, definition, schema, AlteredGroups.without(groups, incomplete));
    }

    /** The names of all groups, also of incomplete ones. */
    public List<String> allGroups() {
        return definition.getGroupList().stream().map(GroupProto::getName).toList();
    }

    /** The definition without some groups. */
    public DatasetProto without(Collection<String> names) {
        return names.isEmpty() ? definition : rest(names);
    }

    private DatasetProto rest(Collection<String> names) {
        return definition.toBuilder()
                .clearGroup()
                .addAllGroup(definition.getGroupList().stream()
                        .filter(group -> !names.contains(group.getName()))
                        .toList())
                .build();
    }

    /** The directory of a group's files. */
    public String root(StoreLayout layout, String group) {
        return group.equals(defaultGroup()) ? path : layout.groupDir(id(), group);
    }
}
