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
package org.hadoopmpsr.core.files;

import java.util.Collection;
import java.util.List;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * A representation that planning may choose.
 *
 * @param unusable the reason why it must not be read, or null if it may be read
 * @param missing the segments that it cannot serve
 * @param localShare the share of its blocks on the reader's own hosts, from 0 to 1
 */
public record GroupFiles(
        ReplicaGroup group,
        Collection<? extends PartitionFiles> partitions,
        @Nullable String unusable,
        MissingSegments missing,
        double localShare) {

    /** A representation that can serve all segments. */
    public GroupFiles(
            ReplicaGroup group,
            Collection<? extends PartitionFiles> partitions,
            @Nullable String unusable,
            double localShare) {
        this(group, partitions, unusable, MissingSegments.NONE, localShare);
    }

    /** A representation that can serve all segments, and whose blocks all count as local. */
    public GroupFiles(ReplicaGroup group, Collection<? extends PartitionFiles> partitions, @Nullable String unusable) {
        this(group, partitions, unusable, 1);
    }

    /** A representation with few files, each of which is evaluated. */
    public static GroupFiles of(ReplicaGroup group, List<DataFile> files, @Nullable String unusable) {
        return new GroupFiles(group, List.of(new Few(files)), unusable);
    }

    /** This representation without some segments. */
    public GroupFiles without(MissingSegments segments) {
        return new GroupFiles(group, partitions, unusable, segments, localShare);
    }

    /** This representation, which must not be read for that reason. */
    public GroupFiles unusable(String reason) {
        return new GroupFiles(group, partitions, reason, missing, localShare);
    }

    /** The files of all partitions, in a fixed order. */
    public List<DataFile> files() {
        return partitions.stream().flatMap(p -> p.files().stream()).toList();
    }

    private record Few(List<DataFile> files) implements PartitionFiles {}
}
