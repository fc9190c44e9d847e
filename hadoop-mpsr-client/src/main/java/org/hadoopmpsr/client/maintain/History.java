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
package org.hadoopmpsr.client.maintain;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.maintain.LeaseRequest.DatasetRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The last runs: those that the NameNode knows, and those of this process, of which the NameNode may not know yet.
 * Thread-safe.
 */
final class History {
    private final Consumer<DatasetRun> nameNode;
    /** By dataset id and task. */
    private final Map<String, Map<String, MaintenanceRun>> own = new HashMap<>();

    private boolean failed;

    /** @param nameNode is told of each run of this process */
    History(Consumer<DatasetRun> nameNode) {
        this.nameNode = nameNode;
    }

    /** The last run of a task; null if there was none. */
    synchronized @Nullable MaintenanceRun last(Dataset dataset, String task) {
        MaintenanceRun known = MaintenanceRun.of(task, dataset.maintenance());
        MaintenanceRun mine = own.getOrDefault(dataset.id(), Map.of()).get(task);
        return mine != null && (known == null || mine.startedMs() >= known.startedMs()) ? mine : known;
    }

    /** Keeps a run of this process; returns it with what was before. */
    synchronized MaintenanceRun keep(Dataset dataset, MaintenanceRun run) {
        MaintenanceRun kept = run.after(last(dataset, run.task()));
        own.computeIfAbsent(dataset.id(), id -> new HashMap<>()).put(run.task(), kept);
        failed |= run.outcome() == Outcome.FAILED || run.outcome() == Outcome.ENDED;
        nameNode.accept(new DatasetRun(dataset.id(), run));
        return kept;
    }

    /** Something failed that is no run. */
    synchronized void fail() {
        failed = true;
    }

    /** True if something has failed since this process began. */
    synchronized boolean hasFailed() {
        return failed;
    }

    /** Forgets the runs in other datasets than these. */
    synchronized void retain(Set<String> datasetIds) {
        own.keySet().retainAll(datasetIds);
    }
}
