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
 * The files of a partition as they were before some commits. The summary of all present files holds for these too, and
 * partitions are pruned by it. In a partition that stays, each file is checked.
 *
 * @param later the inode ids of the files that came later
 */
public record EarlierFiles(PartitionFiles now, Set<Long> later) implements PartitionFiles {

    public EarlierFiles {
        later = Set.copyOf(later);
    }

    /** All partitions as they were before the later files came. */
    public static Collection<? extends PartitionFiles> of(
            Collection<? extends PartitionFiles> partitions, Set<Long> later) {
        return later.isEmpty()
                ? partitions
                : partitions.stream().map(p -> new EarlierFiles(p, later)).toList();
    }

    @Override
    public @Nullable FileStatistics summary() {
        return now.summary();
    }

    @Override
    public int atMost() {
        return now.atMost();
    }

    @Override
    public List<DataFile> files() {
        return now.files().stream().filter(f -> !later.contains(f.fileId())).toList();
    }
}
