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
package org.hadoopmpsr.core.degraded;

import java.util.List;
import java.util.stream.Stream;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * A group that holds all records of a segment.
 *
 * @param files its files of the segment
 */
public record SourceGroup(ReplicaGroup group, List<DataFile> files) {
    /** The bytes of the files. */
    public long bytes() {
        return files.stream().mapToLong(DataFile::length).sum();
    }

    /**
     * Whether the group can give the records of another one: it holds them as they are, and its files are stated to hold the same ones. A lossy group states the hash of
     * its rounded records, and only the number is compared.
     *
     * @param all the other group's files of the segment
     */
    boolean hasRecordsOf(ReplicaGroup other, List<DataFile> all) {
        return !all.isEmpty()
                && !files.isEmpty()
                && !group.isLossy()
                && (other.isLossy() || isOfOneKind(all, files))
                && LossyGroups.holds(other.isLossy(), content(all), content(files));
    }

    private static boolean isOfOneKind(List<DataFile> some, List<DataFile> others) {
        return Stream.concat(some.stream(), others.stream())
                        .map(file -> file.statistics().content().kind())
                        .distinct()
                        .count()
                == 1;
    }

    private static ContentHash content(List<DataFile> files) {
        return files.stream()
                .map(file -> file.statistics().content())
                .reduce(ContentHash::plus)
                .orElse(ContentHash.EMPTY);
    }
}
