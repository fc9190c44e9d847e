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
package org.hadoopmpsr.core.plan;

import java.util.Collection;
import java.util.List;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * A representation offered to planning.
 *
 * @param unusable why it must not be read, or null when it may
 * @param localShare the share of its blocks that the reader has on its own hosts, from 0 to 1
 */
public record GroupFiles(
        ReplicaGroup group,
        Collection<? extends PartitionFiles> partitions,
        @Nullable String unusable,
        double localShare) {

    /** A representation that is local wherever it is read. */
    public GroupFiles(ReplicaGroup group, Collection<? extends PartitionFiles> partitions, @Nullable String unusable) {
        this(group, partitions, unusable, 1);
    }

    /** A representation of so few files that each is looked at. */
    public static GroupFiles of(ReplicaGroup group, List<DataFile> files, @Nullable String unusable) {
        return new GroupFiles(group, List.of(new Few(files)), unusable);
    }

    /** The files of all partitions, in a fixed order. */
    public List<DataFile> files() {
        return partitions.stream().flatMap(p -> p.files().stream()).toList();
    }

    private record Few(List<DataFile> files) implements PartitionFiles {}
}
