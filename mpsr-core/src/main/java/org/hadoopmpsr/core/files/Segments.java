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
import java.util.Set;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Some segments of a dataset: the named ones, or all except the named ones. Immutable.
 *
 * @param except true if the named segments are left out
 * @param ids the ids of the named segments
 */
public record Segments(boolean except, Set<String> ids) {
    /** All segments. */
    public static final Segments ALL = new Segments(true, Set.of());

    public Segments {
        ids = Set.copyOf(ids);
    }

    /** The named segments. */
    public static Segments only(Set<String> ids) {
        return new Segments(false, ids);
    }

    /** All segments except the named ones. */
    public static Segments except(Set<String> ids) {
        return ids.isEmpty() ? ALL : new Segments(true, ids);
    }

    /** True if this is all segments, whatever segments the dataset has. */
    public boolean isAll() {
        return except && ids.isEmpty();
    }

    /** True if the segment with this id belongs to these. */
    public boolean contains(String id) {
        return except != ids.contains(id);
    }

    /** The partitions with the files of these segments alone, in the order of the given ones. */
    public Collection<? extends PartitionFiles> of(Collection<? extends PartitionFiles> partitions) {
        return isAll()
                ? partitions
                : partitions.stream().map(p -> new SegmentFiles(p, this)).toList();
    }

    /** The common statistics of all files hold for those of some segments too, and partitions are pruned by them. */
    private record SegmentFiles(PartitionFiles all, Segments segments) implements PartitionFiles {
        @Override
        public @Nullable FileStatistics summary() {
            return all.summary();
        }

        @Override
        public int atMost() {
            return all.atMost();
        }

        @Override
        public List<DataFile> files() {
            return all.files().stream()
                    .filter(f -> segments.contains(f.statistics().commitId()))
                    .toList();
        }
    }
}
