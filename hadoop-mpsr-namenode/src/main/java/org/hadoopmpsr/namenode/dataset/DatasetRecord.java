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

import java.util.List;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.schema.Schema;

/**
 * A dataset as the namespace records it. Immutable.
 *
 * @param path the present path of the dataset directory
 * @param inodeId the inode id of the dataset directory, which a rename does not change
 */
public record DatasetRecord(String path, long inodeId, DatasetProto definition, Schema schema, ReplicaGroups groups) {

    public static DatasetRecord of(String path, long inodeId, DatasetProto definition) {
        return new DatasetRecord(
                path, inodeId, definition, Schema.parse(definition.getSchema()), Dataset.groups(definition));
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

    /** The directory of a group's files. */
    public String root(StoreLayout layout, String group) {
        return group.equals(defaultGroup()) ? path : layout.groupDir(id(), group);
    }
}
