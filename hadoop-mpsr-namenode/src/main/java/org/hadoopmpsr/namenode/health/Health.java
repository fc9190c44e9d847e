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
import java.util.stream.Collectors;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;

/**
 * What the last look at all representations found. Planning looks for itself, so this is for the operator, and for what
 * puts things right. Thread-safe.
 */
public final class Health {
    private final Datasets datasets;
    private final HealthCheck check;
    private final Timer clock;
    private volatile Map<Place, RepresentationHealth> last = Map.of();
    private volatile List<FileHealth.Look> wrong = List.of();
    private volatile List<FileHealth.Look> raised = List.of();
    private volatile long lastCheckMs;

    public Health(Datasets datasets, HealthCheck check, Timer clock) {
        this.datasets = datasets;
        this.check = check;
        this.clock = clock;
    }

    private record Place(long dataset, String group) {}

    /** Checks every published file, with the read lock in short holds. */
    public void check() throws IOException {
        Map<Place, RepresentationHealth> found = new LinkedHashMap<>();
        List<FileHealth.Look> toPutRight = new ArrayList<>();
        List<FileHealth.Look> withFurther = new ArrayList<>();
        for (DatasetRecord dataset : datasets.all()) {
            for (String group : dataset.groups().names()) {
                HealthCheck.Result result = check.check(dataset, group);
                found.put(new Place(dataset.inodeId(), group), result.health());
                if (result.files().misplacedBlocks() + result.files().otherReplicationFiles() > 0) {
                    toPutRight.add(result.files());
                }
                if (!result.files().raised().isEmpty()) {
                    withFurther.add(result.files());
                }
            }
        }
        last = Collections.unmodifiableMap(found);
        wrong = List.copyOf(toPutRight);
        raised = List.copyOf(withFurther);
        lastCheckMs = clock.now();
    }

    /** The groups in which the last look found misplaced copies, or files with another number of copies. */
    public List<FileHealth.Look> wrong() {
        return wrong;
    }

    /** The groups in which the last look found files with further copies. */
    public List<FileHealth.Look> raised() {
        return raised;
    }

    /** The representations in which the last check found something wrong, of datasets that still exist. */
    public List<RepresentationHealth> unhealthy() {
        Set<Long> now = datasets.all().stream().map(DatasetRecord::inodeId).collect(Collectors.toSet());
        return last.entrySet().stream()
                .filter(e -> now.contains(e.getKey().dataset()) && !e.getValue().isHealthy())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The health of a representation at the last check; empty if it was not checked yet. */
    public Optional<RepresentationHealth> of(DatasetRecord dataset, String group) {
        return Optional.ofNullable(last.get(new Place(dataset.inodeId(), group)));
    }

    /** The end of the last check, in milliseconds since the epoch; 0 before the first. */
    public long lastCheckMs() {
        return lastCheckMs;
    }

    /** The number of degraded files of a group in all datasets. */
    public long degradedFiles(String group) {
        return unhealthy().stream()
                .filter(f -> f.group().equals(group))
                .mapToLong(RepresentationHealth::degradedFiles)
                .sum();
    }
}
