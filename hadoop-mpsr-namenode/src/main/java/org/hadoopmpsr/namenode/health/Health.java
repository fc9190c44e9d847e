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
package org.hadoopmpsr.namenode.health;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.LocatedFile;
import org.hadoopmpsr.namenode.index.PartitionIndex;
import org.hadoopmpsr.namenode.index.Verification;

/**
 * Which representations are degraded or diverged, as the last look at all of them found. Planning looks for itself, so
 * this is for the operator only. Thread-safe.
 */
public final class Health {
    private final Datasets datasets;
    private final Indexes indexes;
    private final Verification verification;
    private final FileBlocks fileBlocks;
    private final DatasetLocks locks;
    private volatile Map<Place, Finding> last = Map.of();
    private volatile long lastCheckMs;

    public Health(
            Datasets datasets, Indexes indexes, Verification verification, FileBlocks fileBlocks, DatasetLocks locks) {
        this.datasets = datasets;
        this.indexes = indexes;
        this.verification = verification;
        this.fileBlocks = fileBlocks;
        this.locks = locks;
    }

    /**
     * How one representation was found.
     *
     * @param degradedFiles files with a block that has no live replica
     * @param untrackedFiles files that came without a commit
     * @param problem why it cannot be read at all; empty when it can
     */
    public record Finding(String dataset, String group, long degradedFiles, long untrackedFiles, String problem) {
        boolean isWell() {
            return degradedFiles == 0 && problem.isEmpty();
        }

        /** One line. */
        public String text() {
            String lost = degradedFiles == 0 ? "" : degradedFiles + " file(s) without a live replica";
            return dataset + ", group '" + group + "': " + lost + (lost.isEmpty() || problem.isEmpty() ? "" : "; ")
                    + problem;
        }
    }

    private record Place(long dataset, String group) {}

    /** Looks at every published file, with the read lock in short holds. */
    public void check() throws IOException {
        Map<Place, Finding> found = new LinkedHashMap<>();
        for (DatasetRecord dataset : new TreeMap<>(datasets.byPath()).values()) {
            for (String group : dataset.groups().names()) {
                found.put(new Place(dataset.inodeId(), group), check(dataset, group));
            }
        }
        last = Collections.unmodifiableMap(found);
        lastCheckMs = Time.now();
    }

    private Finding check(DatasetRecord dataset, String group) throws IOException {
        DatasetIndex index = indexes.of(dataset);
        Verification.Look look = locks.shared(dataset, () -> verification.look(dataset, indexes.of(dataset), group));
        return new Finding(dataset.path(), group, degraded(index.group(group)), look.untrackedFiles(), look.problem());
    }

    private long degraded(GroupIndex group) throws IOException {
        long degraded = 0;
        for (PartitionIndex partition : group.partitions()) {
            for (LocatedFile file : fileBlocks.of(partition.files())) {
                degraded += file.isReadable() ? 0 : 1;
            }
        }
        return degraded;
    }

    /** What was wrong at the last look with datasets that there still are; empty when all was well. */
    public List<Finding> findings() {
        Set<Long> now = datasets.all().stream().map(DatasetRecord::inodeId).collect(Collectors.toSet());
        return last.entrySet().stream()
                .filter(e -> now.contains(e.getKey().dataset()) && !e.getValue().isWell())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** How a representation was found at the last look; empty when it was not looked at yet. */
    public Optional<Finding> finding(DatasetRecord dataset, String group) {
        return Optional.ofNullable(last.get(new Place(dataset.inodeId(), group)));
    }

    /** When the last look ended, in milliseconds since the epoch; 0 before the first. */
    public long lastCheckMs() {
        return lastCheckMs;
    }

    /** The degraded files of a group in all datasets. */
    public long degradedFiles(String group) {
        return findings().stream()
                .filter(f -> f.group().equals(group))
                .mapToLong(Finding::degradedFiles)
                .sum();
    }
}
