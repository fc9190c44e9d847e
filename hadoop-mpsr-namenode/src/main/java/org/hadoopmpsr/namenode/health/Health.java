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
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;

/**
 * What the last look at all representations found. Planning looks for itself, so this is for the operator, and for what
 * puts things right. Thread-safe.
 */
public final class Health {
    private final Datasets datasets;
    private final HealthCheck check;
    private volatile Map<Place, Finding> last = Map.of();
    private volatile List<FileHealth.Look> wrong = List.of();
    private volatile long lastCheckMs;

    public Health(Datasets datasets, HealthCheck check) {
        this.datasets = datasets;
        this.check = check;
    }

    /**
     * The result for one representation.
     *
     * @param degradedFiles the number of files with a block that has no live replica
     * @param untrackedFiles the number of files without a commit
     * @param problem the reason why it cannot be read at all; empty if it can
     */
    public record Finding(
            String dataset,
            String group,
            long degradedFiles,
            long untrackedFiles,
            long misplacedBlocks,
            long otherReplicationFiles,
            String problem) {
        /** That of a representation which was not looked at yet. */
        public static Finding none(String dataset, String group) {
            return new Finding(dataset, group, 0, 0, 0, 0, "");
        }

        boolean isWell() {
            return parts().isEmpty();
        }

        /** One line. */
        public String text() {
            return dataset + ", group '" + group + "': " + String.join("; ", parts());
        }

        private List<String> parts() {
            List<String> parts = new ArrayList<>();
            if (degradedFiles > 0) {
                parts.add(degradedFiles + " file(s) without a live replica");
            }
            if (misplacedBlocks > 0) {
                parts.add(misplacedBlocks + " block(s) on DataNodes outside the group; MPSR copies them back while it"
                        + " is ready");
            }
            if (otherReplicationFiles > 0) {
                parts.add(otherReplicationFiles + " file(s) with another number of copies than the group's; MPSR sets"
                        + " it while it is ready");
            }
            if (!problem.isEmpty()) {
                parts.add(problem);
            }
            return parts;
        }
    }

    private record Place(long dataset, String group) {}

    /** Checks every published file, with the read lock in short holds. */
    public void check() throws IOException {
        Map<Place, Finding> found = new LinkedHashMap<>();
        List<FileHealth.Look> toPutRight = new ArrayList<>();
        for (DatasetRecord dataset : new TreeMap<>(datasets.byPath()).values()) {
            for (String group : dataset.groups().names()) {
                HealthCheck.Result result = check.check(dataset, group);
                found.put(new Place(dataset.inodeId(), group), result.finding());
                if (result.files().misplacedBlocks() + result.files().otherReplicationFiles() > 0) {
                    toPutRight.add(result.files());
                }
            }
        }
        last = Collections.unmodifiableMap(found);
        wrong = List.copyOf(toPutRight);
        lastCheckMs = Time.now();
    }

    /** The groups in which the last look found misplaced copies, or files with another number of copies. */
    public List<FileHealth.Look> wrong() {
        return wrong;
    }

    /** The findings of the last check for datasets that still exist; empty if all was well. */
    public List<Finding> findings() {
        Set<Long> now = datasets.all().stream().map(DatasetRecord::inodeId).collect(Collectors.toSet());
        return last.entrySet().stream()
                .filter(e -> now.contains(e.getKey().dataset()) && !e.getValue().isWell())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The finding of the last check for a representation; empty if it was not checked yet. */
    public Optional<Finding> finding(DatasetRecord dataset, String group) {
        return Optional.ofNullable(last.get(new Place(dataset.inodeId(), group)));
    }

    /** The end of the last check, in milliseconds since the epoch; 0 before the first. */
    public long lastCheckMs() {
        return lastCheckMs;
    }

    /** The number of degraded files of a group in all datasets. */
    public long degradedFiles(String group) {
        return findings().stream()
                .filter(f -> f.group().equals(group))
                .mapToLong(Finding::degradedFiles)
                .sum();
    }

    /** The misplaced blocks of all datasets. */
    public long misplacedBlocks() {
        return findings().stream().mapToLong(Finding::misplacedBlocks).sum();
    }
}
